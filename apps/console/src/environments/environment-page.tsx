import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { Copy, CornerDownRight, Lock, LockOpen, MoveVertical, Pencil, Plus, Tag, Trash2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Trouble } from '../app/trouble.tsx';
import { useStanding } from '../changes/use-standing.ts';
import { useMoment } from '../moment/use-moment.ts';
import { type AppliedVerb, DoneNote } from '../review/done-note.tsx';
import { ScopeAccess, SwitchAccess } from '../scopes/scope-access.tsx';
import { useMay, useMayOn } from '../session/abilities.ts';
import { Facts } from '../ui/facts.tsx';
import page from '../ui/page.module.css';
import { type Verb, VerbPanel, Verbs } from '../ui/verbs.tsx';
import { When } from '../ui/when.tsx';
import { type DetailedEnvironment, environmentCountsQuery, environmentDetailsQuery } from './environment-details.ts';
import {
  CopyEnvironment,
  CreateEnvironment,
  DeleteEnvironment,
  DescribeEnvironment,
  MoveEnvironment,
} from './environment-forms.tsx';
import { CreateTag } from './tag-forms.tsx';
import { Tags } from './tags.tsx';

const route = getRouteApi('/inside/environments/$environment');

/** One environment: what it is, what can be done with it, its tags, and who has access. */
export function EnvironmentPage() {
  const { environment: name } = route.useParams();
  const { args, isNow } = useMoment();
  const navigate = useNavigate();
  const { data: environments, error, refetch } = useQuery(environmentDetailsQuery(args));
  const standing = useStanding(environments, name, (row) => {
    void navigate({ to: '.', params: { environment: row.name }, search: (old: object) => old, replace: true });
  });
  if (error) return <Trouble error={error} reset={() => void refetch()} />;
  if (!environments || !standing) return <p className={page.page}>Reading …</p>;
  if (standing.kind === 'here' || standing.kind === 'renamed') {
    return <Found key={standing.row.id} environment={standing.row} environments={environments} isNow={isNow} />;
  }
  return (
    <div className={page.page}>
      <p className={page.note} role={standing.kind === 'gone' ? 'alert' : undefined}>
        {standing.kind === 'gone' ? (
          <>
            <strong>{name}</strong> was deleted.
          </>
        ) : (
          <>
            There {isNow ? 'is' : 'was'} no environment called <strong>{name}</strong>
            {isNow ? '.' : ' at that time.'}
          </>
        )}{' '}
        What was set in it stands in the{' '}
        <Link to="/history" className={page.link}>
          history
        </Link>
        , from where it can be brought back.
      </p>
    </div>
  );
}

interface FoundProps {
  readonly environment: DetailedEnvironment;
  readonly environments: readonly DetailedEnvironment[];
}

/** No revert takes back what these do. */
const KEPT_BY_REVERTS: ReadonlySet<string> = new Set(['tag', 'change-tag', 'delete-tag', 'access']);

function Found({ environment, environments, isNow }: FoundProps & { readonly isNow: boolean }) {
  const { do: does } = route.useSearch();
  const [done, setDone] = useState<AppliedVerb | null>(null);
  const navigate = useNavigate();
  const verbs = useVerbs(environment);
  const isOpenToMe = useMayOn(environment.id, 'read');
  const chosen = isNow ? verbs.find((verb) => verb.does === does) : undefined;
  const applied = async (revision: number) => {
    setDone({ revision, isKept: KEPT_BY_REVERTS.has(does ?? '') });
    await navigate({ to: '.', search: (old: object) => ({ ...old, do: undefined, what: undefined }) });
  };
  return (
    <div className={page.page}>
      <div className={page.part}>
        {environment.description !== '' && <p>{environment.description}</p>}
        <FactsOf environment={environment} environments={environments} isNow={isNow} />
        {isNow ? (
          <>
            {verbs.length > 0 && (
              <Verbs label={`What can be done with ${environment.name}`} verbs={verbs} chosen={chosen?.does} />
            )}
            {!verbs.some(({ does: verb }) => verb === 'edit') && isOpenToMe && (
              <p className={page.note}>
                You may read here. Who may change environments can rename, move and delete it.
              </p>
            )}
          </>
        ) : (
          <p className={page.note}>Go back to now to change it. Tags and access are shown as they are now.</p>
        )}
        {done !== null && does === undefined && <DoneNote {...done} />}
        {chosen && (
          <VerbPanel key={chosen.does} title={chosen.title}>
            <Doing does={chosen.does} {...{ environment, environments, applied }} />
          </VerbPanel>
        )}
      </div>
      {isOpenToMe && (
        <Tags
          environment={environment}
          mayWrite={isNow && verbs.some((verb) => verb.does === 'tag')}
          applied={applied}
        />
      )}
      <ScopeAccess scope={{ kind: 'environment', ...environment }} isOpenToMe={isOpenToMe} />
    </div>
  );
}

function useVerbs({ id, parentId, accessControlled }: DetailedEnvironment): readonly Verb[] {
  const mayMake = useMay('write_content');
  const [mayRead, mayWrite, mayManage, mayGrant] = [
    useMayOn(id, 'read'),
    useMayOn(id, 'write'),
    useMayOn(id, 'manage'),
    useMayOn(id, 'grant'),
  ];
  const isRoot = parentId === null;
  const all: readonly (Verb & { readonly may: boolean })[] = [
    { does: 'create', title: 'Create a child', Sign: Plus, may: mayMake && mayRead },
    { does: 'edit', title: isRoot ? 'Describe' : 'Rename or describe', Sign: Pencil, may: mayManage },
    { does: 'tag', title: 'Tag', Sign: Tag, may: mayWrite },
    { does: 'move', title: 'Move', Sign: MoveVertical, may: mayManage && !isRoot },
    { does: 'copy', title: 'Copy', Sign: Copy, may: mayMake && mayRead && !isRoot },
    {
      does: 'access',
      title: accessControlled ? 'Open to everybody' : 'Control access',
      Sign: accessControlled ? LockOpen : Lock,
      may: mayGrant,
    },
    { does: 'delete', title: 'Delete', Sign: Trash2, may: mayManage && !isRoot },
  ];
  return all.filter(({ may }) => may);
}

interface DoingProps extends FoundProps {
  readonly does: string;
  applied(revision: number): Promise<void>;
}

function Doing({ does, ...props }: DoingProps): ReactNode {
  switch (does) {
    case 'create':
      return <CreateEnvironment {...props} />;
    case 'edit':
      return <DescribeEnvironment {...props} />;
    case 'move':
      return <MoveEnvironment {...props} />;
    case 'copy':
      return <CopyEnvironment {...props} />;
    case 'delete':
      return <DeleteEnvironment {...props} />;
    case 'access':
      return <SwitchAccess scope={{ kind: 'environment', ...props.environment }} onApplied={props.applied} />;
    case 'tag':
      return <CreateTag {...props} />;
    default:
      return null;
  }
}

function FactsOf({ environment, environments, isNow }: FoundProps & { readonly isNow: boolean }) {
  const { data: counts } = useQuery({ ...environmentCountsQuery, enabled: isNow });
  const { id, name, parentName, createdAt, modifiedAt } = environment;
  const children = environments.filter(({ parentId }) => parentId === id);
  const count = isNow ? counts?.get(id) : undefined;
  return (
    <Facts
      facts={{
        'Inherits from': parentName === null ? 'nothing: it is the root' : <ToEnvironment name={parentName} />,
        'Inherited by':
          children.length === 0 ? (
            'nothing'
          ) : (
            <ul aria-label="Children">
              {children.map((child) => (
                <li key={child.id}>
                  <CornerDownRight size={12} aria-hidden /> <ToEnvironment name={child.name} />
                </li>
              ))}
            </ul>
          ),
        'Set here': count
          ? `${count.valueCount.toLocaleString()} ${count.valueCount === 1 ? 'value' : 'values'}`
          : null,
        Made: <When at={createdAt} />,
        Changed: modifiedAt === null || modifiedAt === createdAt ? null : <When at={modifiedAt} />,
        More: (
          <>
            <Link to="/history/environments/$environment" params={{ environment: name }} className={page.link}>
              History
            </Link>
            {parentName !== null && (
              <>
                {' · '}
                <Link to="/compare" search={{ left: parentName, right: name }} className={page.link}>
                  Compare with {parentName}
                </Link>
              </>
            )}
          </>
        ),
      }}
    />
  );
}

function ToEnvironment({ name }: { readonly name: string }) {
  return (
    <Link to="/environments/$environment" params={{ environment: name }} className={page.link}>
      {name}
    </Link>
  );
}
