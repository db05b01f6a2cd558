import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { Copy, CornerDownRight, Lock, LockOpen, Pencil, Plus, Regex, Share2, Trash2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Trouble } from '../app/trouble.tsx';
import { useStanding } from '../changes/use-standing.ts';
import { OwnParameters } from '../parameters/own-parameters.tsx';
import { CreateParameter } from '../parameters/parameter-forms.tsx';
import { type AppliedVerb, DoneNote } from '../review/done-note.tsx';
import { ScopeAccess, SwitchAccess } from '../scopes/scope-access.tsx';
import { useMay, useMayOn } from '../session/abilities.ts';
import { Facts } from '../ui/facts.tsx';
import page from '../ui/page.module.css';
import { type Verb, VerbPanel, Verbs } from '../ui/verbs.tsx';
import { When } from '../ui/when.tsx';
import { type DetailedProject, projectDetailsQuery } from './project-details.ts';
import type { ListedProject } from './project-forest.ts';
import { ChooseDependency, ChooseNamePattern, CopyProject, DeleteProject, DescribeProject } from './project-forms.tsx';
import { projectsQuery } from './projects.ts';

const route = getRouteApi('/inside/projects/$name/settings');

/** What a project is, as against what is set in it. */
export function ProjectSettingsPage() {
  const { name } = route.useParams();
  const { data: projects, error, refetch } = useQuery(projectsQuery());
  // The tabs follow it where it is called otherwise.
  const standing = useStanding(projects, name);
  if (error) return <Trouble error={error} reset={() => void refetch()} />;
  if (!projects || !standing) return <p className={page.page}>Reading …</p>;
  if (standing.kind === 'here' || standing.kind === 'renamed') {
    return <Settings key={standing.row.id} listed={standing.row} projects={projects} />;
  }
  return (
    <div className={page.page}>
      <p className={page.note} role={standing.kind === 'gone' ? 'alert' : undefined}>
        {standing.kind === 'gone' ? (
          <>
            <strong>{name}</strong> was deleted. It can be brought back from the{' '}
            <Link to="/history" className={page.link}>
              history
            </Link>
            .
          </>
        ) : (
          <>
            There is no project called <strong>{name}</strong>, or you have no access to it.
          </>
        )}
      </p>
    </div>
  );
}

interface SettingsProps {
  readonly listed: ListedProject;
  readonly projects: readonly ListedProject[];
}

function Settings({ listed, projects }: SettingsProps) {
  const { do: does, after } = route.useSearch();
  const { data: project, error, refetch } = useQuery(projectDetailsQuery(listed.id));
  const [done, setDone] = useState<AppliedVerb | null>(null);
  const navigate = useNavigate();
  const verbs = useVerbs(listed.id, project?.accessControlled ?? false);
  const isOpenToMe = useMayOn(listed.id, 'read');
  if (error) return <Trouble error={error} reset={() => void refetch()} />;
  if (!project) return <p className={page.page}>Reading …</p>;
  const chosen = verbs.find((verb) => verb.does === does);
  const applied = async (revision: number) => {
    setDone({ revision, isKept: does === 'access' });
    await navigate({ to: '.', search: (old: object) => ({ ...old, do: undefined }) });
  };
  return (
    <div className={page.page}>
      <div className={page.part}>
        {project.description !== '' && <p>{project.description}</p>}
        <FactsOf project={project} listed={listed} projects={projects} />
        {verbs.length > 0 && (
          <Verbs label={`What can be done with ${project.name}`} verbs={verbs} chosen={chosen?.does} />
        )}
        {!verbs.some((verb) => verb.does === 'edit') && isOpenToMe && (
          <p className={page.note}>You may read here. Who may manage {project.name} can change its settings.</p>
        )}
        {done !== null && does === undefined && <DoneNote {...done} />}
        {chosen && (
          <VerbPanel key={chosen.does} title={chosen.title}>
            {doing(chosen.does, { project, projects, applied })}
          </VerbPanel>
        )}
      </div>
      <ScopeAccess scope={{ kind: 'project', ...project }} isOpenToMe={isOpenToMe} />
      {isOpenToMe && <OwnParameters project={project} after={after} />}
    </div>
  );
}

function useVerbs(id: string, isControlled: boolean): readonly Verb[] {
  const mayMake = useMay('write_content');
  const [mayRead, mayWrite, mayManage, mayGrant] = [
    useMayOn(id, 'read'),
    useMayOn(id, 'write'),
    useMayOn(id, 'manage'),
    useMayOn(id, 'grant'),
  ];
  const all: readonly (Verb & { readonly may: boolean })[] = [
    { does: 'parameter', title: 'New parameter', Sign: Plus, may: mayWrite },
    { does: 'edit', title: 'Rename or describe', Sign: Pencil, may: mayManage },
    { does: 'depend', title: 'Change dependency', Sign: Share2, may: mayManage },
    { does: 'pattern', title: 'Name pattern', Sign: Regex, may: mayManage },
    { does: 'copy', title: 'Copy', Sign: Copy, may: mayMake && mayRead },
    {
      does: 'access',
      title: isControlled ? 'Open to everybody' : 'Control access',
      Sign: isControlled ? LockOpen : Lock,
      may: mayGrant,
    },
    { does: 'delete', title: 'Delete', Sign: Trash2, may: mayManage },
  ];
  return all.filter(({ may }) => may);
}

interface DoingProps {
  readonly project: DetailedProject;
  readonly projects: readonly ListedProject[];
  applied(revision: number): Promise<void>;
}

function doing(does: string, props: DoingProps): ReactNode {
  switch (does) {
    case 'parameter':
      return <CreateParameter project={props.project} />;
    case 'edit':
      return <DescribeProject {...props} />;
    case 'depend':
      return <ChooseDependency {...props} />;
    case 'pattern':
      return <ChooseNamePattern {...props} />;
    case 'copy':
      return <CopyProject {...props} />;
    case 'access':
      return <SwitchAccess scope={{ kind: 'project', ...props.project }} onApplied={props.applied} />;
    default:
      return <DeleteProject {...props} />;
  }
}

interface FactsOfProps extends SettingsProps {
  readonly project: DetailedProject;
}

function FactsOf({ project, listed, projects }: FactsOfProps) {
  const { id, name, parameterNamePattern, createdAt, modifiedAt } = project;
  const dependents = projects.filter(({ dependsOnId }) => dependsOnId === id);
  return (
    <Facts
      facts={{
        'Depends on': listed.dependsOnName === null ? 'nothing' : <ToSettings name={listed.dependsOnName} />,
        'Needed by':
          dependents.length === 0 ? (
            'no project'
          ) : (
            <ul aria-label="Dependents">
              {dependents.map((dependent) => (
                <li key={dependent.id}>
                  <CornerDownRight size={12} aria-hidden /> <ToSettings name={dependent.name} />
                </li>
              ))}
            </ul>
          ),
        'Names begin with': parameterNamePattern === '' ? 'anything' : <code>{parameterNamePattern}</code>,
        Made: <When at={createdAt} />,
        Changed: modifiedAt === null || modifiedAt === createdAt ? null : <When at={modifiedAt} />,
        More: (
          <Link to="/history" search={{ project: name }} className={page.link}>
            History
          </Link>
        ),
      }}
    />
  );
}

function ToSettings({ name }: { readonly name: string }) {
  return (
    <Link to="/projects/$name/settings" params={{ name }} className={page.link}>
      {name}
    </Link>
  );
}
