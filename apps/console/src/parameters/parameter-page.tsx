import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { Copy, Pencil, Trash2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Trouble } from '../app/trouble.tsx';
import { useStanding } from '../changes/use-standing.ts';
import type { ListedProject } from '../projects/project-forest.ts';
import { projectsQuery } from '../projects/projects.ts';
import { type AppliedVerb, DoneNote } from '../review/done-note.tsx';
import { useMayOn } from '../session/abilities.ts';
import { Facts } from '../ui/facts.tsx';
import page from '../ui/page.module.css';
import { type Verb, VerbPanel, Verbs } from '../ui/verbs.tsx';
import { When } from '../ui/when.tsx';
import { ChangeParameter, CopyParameter, DeleteParameter } from './parameter-forms.tsx';
import { type ParameterToSet, parameterSettingsQuery } from './parameters.ts';

const route = getRouteApi('/inside/projects/$name/parameters/$parameter');

/** The settings of one parameter. */
export function ParameterPage() {
  const { name } = route.useParams();
  const { data: projects } = useQuery(projectsQuery());
  if (!projects) return <p className={page.page}>Reading …</p>;
  const project = projects.find((one) => one.name === name);
  if (project) return <OfProject key={project.id} project={project} projects={projects} />;
  return <p className={page.page}>There is no project called {name}, or you have no access to it.</p>;
}

interface ShownParameter {
  /** As the address called it. */
  readonly name: string;
  readonly row: ParameterToSet;
}

interface OfProjectProps {
  readonly project: ListedProject;
  readonly projects: readonly ListedProject[];
}

function OfProject({ project, projects }: OfProjectProps) {
  const { name, parameter: named } = route.useParams();
  const navigate = useNavigate();
  const [shown, setShown] = useState<ShownParameter | null>(null);
  const client = useQueryClient();
  const byName = useQuery(parameterSettingsQuery(project.id, { name: named }));
  if (byName.data && shown?.row !== byName.data) setShown({ name: named, row: byName.data });
  // What was shown under this name is looked for where it is called otherwise by now; until it is found, it stays shown.
  const missed = shown?.name === named && byName.data === null ? shown.row : null;
  const byId = useQuery({
    ...parameterSettingsQuery(project.id, { id: missed?.id ?? '' }),
    enabled: missed !== null,
  });
  const found = missed === null ? byName.data : byId.data === undefined ? missed : byId.data;
  const rows = found === undefined ? undefined : found === null ? [] : [found];
  const standing = useStanding(rows, named, (row) => {
    client.setQueryData(parameterSettingsQuery(project.id, { name: row.name }).queryKey, row);
    void navigate({ to: '.', params: { name, parameter: row.name }, search: (old: object) => old, replace: true });
  });
  const error = byName.error ?? byId.error;
  if (error) return <Trouble error={error} reset={() => void Promise.all([byName.refetch(), byId.refetch()])} />;
  if (!standing) return <p className={page.page}>Reading …</p>;
  if (standing.kind === 'here' || standing.kind === 'renamed') {
    const owner = projects.find(({ id }) => id === standing.row.projectId) ?? project;
    return <Found key={standing.row.id} shownBy={project} owner={owner} parameter={standing.row} />;
  }
  return (
    <div className={page.page}>
      <p className={page.note} role={standing.kind === 'gone' ? 'alert' : undefined}>
        {standing.kind === 'gone' ? (
          <>
            <strong>{named}</strong> was deleted. It can be brought back from the{' '}
            <Link to="/history" search={{ project: name }} className={page.link}>
              history
            </Link>
            .
          </>
        ) : (
          <>
            {name} has no parameter called <strong>{named}</strong>.
          </>
        )}
      </p>
    </div>
  );
}

interface FoundProps {
  /** The project that one has come from. */
  readonly shownBy: ListedProject;
  readonly owner: ListedProject;
  readonly parameter: ParameterToSet;
}

function Found({ shownBy, owner, parameter }: FoundProps) {
  const { do: does } = route.useSearch();
  const [done, setDone] = useState<AppliedVerb | null>(null);
  const navigate = useNavigate();
  const mayWrite = useMayOn(owner.id, 'write');
  const isOwn = owner.id === shownBy.id;
  const verbs = mayWrite && isOwn ? VERBS : [];
  const chosen = verbs.find((verb) => verb.does === does);
  const applied = async (revision: number) => {
    setDone({ revision, isKept: false });
    await navigate({ to: '.', search: (old: object) => ({ ...old, do: undefined }) });
  };
  const props = { project: owner, parameter, applied };
  return (
    <div className={page.page}>
      <div className={page.part}>
        {parameter.description !== '' && <p>{parameter.description}</p>}
        <FactsOf shownBy={shownBy} parameter={parameter} />
        {!isOwn && (
          <p className={page.note}>
            {shownBy.name} inherits it. It is changed where it is owned:{' '}
            <Link
              to="/projects/$name/parameters/$parameter"
              params={{ name: owner.name, parameter: parameter.name }}
              className={page.link}
            >
              {parameter.name} of {owner.name}
            </Link>
            .
          </p>
        )}
        <p className={page.buttons}>
          <Link
            to="/projects/$name/parameters/$parameter/rules"
            params={{ name: owner.name, parameter: parameter.name }}
            className={page.link}
          >
            Its rules
          </Link>
          <Link
            to="/projects/$name/history/$parameter"
            params={{ name: shownBy.name, parameter: parameter.name }}
            className={page.link}
          >
            Its history
          </Link>
        </p>
        {verbs.length > 0 && (
          <Verbs label={`What can be done with ${parameter.name}`} verbs={verbs} chosen={chosen?.does} />
        )}
        {isOwn && !mayWrite && (
          <p className={page.note}>You may read here. Who may write in {owner.name} can change it.</p>
        )}
        {done !== null && does === undefined && <DoneNote {...done} />}
        {chosen && (
          <VerbPanel key={chosen.does} title={chosen.title}>
            {doing(chosen.does, props)}
          </VerbPanel>
        )}
      </div>
    </div>
  );
}

const VERBS: readonly Verb[] = [
  { does: 'change', title: 'Change', Sign: Pencil },
  { does: 'copy', title: 'Copy', Sign: Copy },
  { does: 'delete', title: 'Delete', Sign: Trash2 },
];

function doing(does: string, props: Parameters<typeof ChangeParameter>[0]): ReactNode {
  switch (does) {
    case 'change':
      return <ChangeParameter {...props} />;
    case 'copy':
      return <CopyParameter {...props} />;
    default:
      return <DeleteParameter {...props} />;
  }
}

function FactsOf({ shownBy, parameter }: Pick<FoundProps, 'shownBy' | 'parameter'>) {
  const { name, type, secret, expires, expirationAction, projectName, overrides, rules, createdAt, modifiedAt } =
    parameter;
  const texts = parameter.referencingValueIds.length + parameter.referencingTemplateIds.length;
  return (
    <Facts
      facts={{
        Project: (
          <Link to="/projects/$name" params={{ name: projectName }} className={page.link}>
            {projectName}
          </Link>
        ),
        Overrides: overrides && `${name} of ${overrides.projectName}`,
        Type: type,
        Secret: secret ? 'yes: its texts are sealed' : 'no',
        Rules: rules.length === 0 ? 'none of its own' : `${rules.length} of its own`,
        'Values last':
          expires === null
            ? 'for ever'
            : `${expires}, then ${expirationAction === null ? 'marked as expired' : 'replaced by a generated password'}`,
        'Referred to by': texts === 0 ? 'nothing' : `${texts} ${texts === 1 ? 'text' : 'texts'}`,
        Made: <When at={createdAt} />,
        Changed: modifiedAt === null || modifiedAt === createdAt ? null : <When at={modifiedAt} />,
        More: (
          <div className={page.buttons}>
            <Link to="/projects/$name" params={{ name: shownBy.name }} search={{ q: name }} className={page.link}>
              Values
            </Link>
            <Link
              to="/projects/$name/history/$parameter"
              params={{ name: shownBy.name, parameter: name }}
              className={page.link}
            >
              History
            </Link>
          </div>
        ),
      }}
    />
  );
}
