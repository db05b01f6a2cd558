import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { Copy, MoveVertical, Pencil, Plus, Tag, Trash2 } from 'lucide-react';
import {
  type DetailedEnvironment,
  type EnvironmentCount,
  environmentCountsQuery,
  environmentDetailsQuery,
  lastEnvironmentChangeQuery,
} from '../../data/environments.ts';
import { usePointInTime } from '../../data/use-point-in-time.ts';
import { type AllowedAction, AllowedActions, useAppliedAction } from '../../kit/planned/allowed-actions.tsx';
import { ScopeAccess } from '../../kit/scopes/scope-access.tsx';
import { accessAction, useScopePermissions } from '../../kit/scopes/scope-actions.tsx';
import { ObjectByStatus } from '../../kit/status/object-by-status.tsx';
import { useObjectStatus } from '../../kit/status/use-object-status.ts';
import { TimeByActor } from '../../kit/time-by-actor.tsx';
import { formatCount } from '../../lib/format-count.ts';
import { Facts } from '../../ui/facts.tsx';
import { LinkedNameList } from '../../ui/linked-names.tsx';
import page from '../../ui/page.module.css';
import { PageNote } from '../../ui/page-note.tsx';
import { UserText } from '../../ui/user-text.tsx';
import { When } from '../../ui/when.tsx';
import {
  CopyEnvironment,
  CreateEnvironment,
  DeleteEnvironment,
  DescribeEnvironment,
  type EnvironmentFormProps,
  MoveEnvironment,
} from './environment-forms.tsx';
import { EnvironmentLink } from './environment-link.tsx';
import { CreateTag } from './tag-forms.tsx';
import { Tags } from './tags.tsx';

const route = getRouteApi('/inside/environments/$environment');

/** Shows one environment: its details, actions, tags and access. */
export function EnvironmentPage() {
  const { environment: name } = route.useParams();
  const { args, isNow } = usePointInTime();
  const navigate = useNavigate();
  const { data: environments, error, refetch } = useQuery(environmentDetailsQuery(args));
  const status = useObjectStatus(environments, name, (row) => {
    void navigate({
      to: '.',
      params: { environment: row.name },
      search: (previousSearch: object) => previousSearch,
      replace: true,
    });
  });
  const history = (
    <>
      Its values are in the{' '}
      <Link to="/history" className={page.link}>
        history
      </Link>
      , where you can restore it.
    </>
  );
  return (
    <ObjectByStatus
      name={name}
      standing={status}
      error={error}
      readAgain={() => void refetch()}
      restoreLink={history}
      unknown={
        <PageNote>
          There {isNow ? 'is' : 'was'} is no environment named{' '}
          <strong>
            <UserText>{name}</UserText>
          </strong>
          {isNow ? '.' : ' at that time.'} {history}
        </PageNote>
      }
    >
      {(row) => <Found key={row.id} environment={row} environments={environments ?? []} isNow={isNow} />}
    </ObjectByStatus>
  );
}

interface FoundProps {
  readonly environment: DetailedEnvironment;
  readonly environments: readonly DetailedEnvironment[];
  readonly isNow: boolean;
}

function Found({ environment, environments, isNow }: FoundProps) {
  const { do: requestedAction } = route.useSearch();
  const { done, applied } = useAppliedAction(requestedAction);
  const { id, name, description } = environment;
  const may = useScopePermissions(id);
  const actions = listActions({ environment, environments, applied }, may);
  return (
    <div className={page.page}>
      <div className={page.part}>
        {description !== '' && (
          <p>
            <UserText>{description}</UserText>
          </p>
        )}
        <Cards environment={environment} isNow={isNow} />
        <EnvironmentFacts environment={environment} environments={environments} />
        {isNow ? (
          <AllowedActions name={name} verbs={actions} does={requestedAction} done={done} />
        ) : (
          <p className={page.note}>Go back to now to change it. Tags and access always show the current state.</p>
        )}
      </div>
      {may.read && <Tags environment={environment} mayWrite={isNow && may.write} applied={applied} />}
      <ScopeAccess scope={{ kind: 'environment', ...environment }} isOpenToMe={may.read} />
    </div>
  );
}

type ScopePermissions = ReturnType<typeof useScopePermissions>;

function listActions(form: EnvironmentFormProps, may: ScopePermissions): readonly AllowedAction[] {
  const isRoot = form.environment.parentId === null;
  return [
    {
      does: 'create',
      title: 'Create child environment',
      Sign: Plus,
      may: may.make && may.read,
      form: <CreateEnvironment {...form} />,
    },
    {
      does: 'edit',
      title: isRoot ? 'Describe' : 'Rename or describe',
      Sign: Pencil,
      may: may.manage,
      form: <DescribeEnvironment {...form} />,
    },
    { does: 'tag', title: 'Tag', Sign: Tag, may: may.write, form: <CreateTag {...form} /> },
    {
      does: 'move',
      title: 'Move',
      Sign: MoveVertical,
      may: may.manage && !isRoot,
      form: <MoveEnvironment {...form} />,
    },
    {
      does: 'copy',
      title: 'Copy',
      Sign: Copy,
      may: may.make && may.read && !isRoot,
      form: <CopyEnvironment {...form} />,
    },
    accessAction({ kind: 'environment', ...form.environment }, may.grant, form.applied),
    {
      does: 'delete',
      title: 'Delete',
      Sign: Trash2,
      may: may.manage && !isRoot,
      form: <DeleteEnvironment {...form} />,
    },
  ];
}

/** Shows the state of the environment at a glance. At a point in time, there are no counts. */
function Cards({ environment: { id, accessControlled }, isNow }: Omit<FoundProps, 'environments'>) {
  const { data: counts } = useQuery({ ...environmentCountsQuery, enabled: isNow });
  const { data: change } = useQuery({ ...lastEnvironmentChangeQuery(id), enabled: isNow });
  const count = isNow ? counts?.get(id) : undefined;
  return (
    <Facts
      as="cards"
      facts={{
        Values: count ? setHere(count) : null,
        Programs: count ? (count.instanceCount === 0 ? 'None' : formatCount(count.instanceCount, 'instance')) : null,
        Tags: count ? (count.tagCount === 0 ? 'None' : formatCount(count.tagCount, 'tag')) : null,
        Access: accessControlled ? 'Restricted' : 'Everyone, by role',
        'Last change': isNow && change ? <TimeByActor {...change} /> : null,
      }}
    />
  );
}

/** Describes the values that are set in an environment, as in `12 set here, in 3 projects`. */
const setHere = ({ valueCount, projectCount }: EnvironmentCount): string =>
  valueCount === 0
    ? 'None set here'
    : `${valueCount.toLocaleString()} set here, in ${formatCount(projectCount, 'project')}`;

function EnvironmentFacts({ environment, environments }: Omit<FoundProps, 'isNow'>) {
  const { id, name, parentName, createdAt } = environment;
  const children = environments.filter(({ parentId }) => parentId === id);
  return (
    <Facts
      facts={{
        'Inherits from': parentName === null ? 'Nothing (root environment)' : <EnvironmentLink name={parentName} />,
        'Inherited by': (
          <LinkedNameList label="Children" none="nothing" rows={children}>
            {(child) => <EnvironmentLink name={child} />}
          </LinkedNameList>
        ),
        Created: <When at={createdAt} />,
        More: (
          <>
            <Link to="/history/environments/$environment" params={{ environment: name }} className={page.link}>
              History
            </Link>
            {parentName !== null && (
              <>
                {' · '}
                <Link to="/compare" search={{ left: parentName, right: name }} className={page.link}>
                  Compare with <UserText>{parentName}</UserText>
                </Link>
              </>
            )}
          </>
        ),
      }}
    />
  );
}
