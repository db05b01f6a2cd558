import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Copy, Pencil, Plus, Regex, Share2, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { problemsQuery, projectOverviewQuery } from '../../data/home.ts';
import { type DetailedProject, projectDetailsQuery, projectsQuery } from '../../data/projects.ts';
import { NoProject } from '../../kit/no-project.tsx';
import { type AllowedAction, AllowedActions, useAppliedAction } from '../../kit/planned/allowed-actions.tsx';
import { ProjectProblems } from '../../kit/project-summary.tsx';
import { RotationNote } from '../../kit/rotation-note.tsx';
import { ScopeAccess } from '../../kit/scopes/scope-access.tsx';
import { accessAction, useScopePermissions } from '../../kit/scopes/scope-actions.tsx';
import { ObjectByStatus } from '../../kit/status/object-by-status.tsx';
import { useObjectStatus } from '../../kit/status/use-object-status.ts';
import { TimeByActor } from '../../kit/time-by-actor.tsx';
import { formatCount } from '../../lib/format-count.ts';
import type { ListedProject } from '../../lib/project-forest.ts';
import { ErrorMessage } from '../../ui/error-message.tsx';
import { Facts } from '../../ui/facts.tsx';
import { LinkedNameList } from '../../ui/linked-names.tsx';
import page from '../../ui/page.module.css';
import { UserText } from '../../ui/user-text.tsx';
import { When } from '../../ui/when.tsx';
import { ChooseDependency, CopyProject, DeleteProject, DescribeProject, NamePatternForm } from './project-forms.tsx';
import { ProjectSettingsLink } from './project-settings-link.tsx';

const route = getRouteApi('/inside/projects/$name/settings');

/** Further parts of the page, about parameters. */
export interface ProjectParameterParts {
  /** The form that creates a parameter. */
  newParameter(project: DetailedProject): ReactNode;
  /** The list of the parameters that the project owns. */
  ownParameters(project: DetailedProject, after: string | undefined): ReactNode;
}

/** Shows the settings of a project. */
export function ProjectSettingsPage(parts: ProjectParameterParts) {
  const { name } = route.useParams();
  const { data: projects, error, refetch } = useQuery(projectsQuery());
  // The tabs navigate to the new URL when the project is renamed.
  const status = useObjectStatus(projects, name);
  return (
    <ObjectByStatus
      name={name}
      standing={status}
      error={error}
      readAgain={() => void refetch()}
      restoreLink={
        <>
          Restore it from the{' '}
          <Link to="/history" className={page.link}>
            history
          </Link>
          .
        </>
      }
      unknown={<NoProject name={name} />}
    >
      {(row) => <Settings key={row.id} listed={row} projects={projects ?? []} {...parts} />}
    </ObjectByStatus>
  );
}

interface SettingsProps {
  readonly listed: ListedProject;
  readonly projects: readonly ListedProject[];
}

function Settings({ listed, projects, newParameter, ownParameters }: SettingsProps & ProjectParameterParts) {
  const { do: requestedAction, after } = route.useSearch();
  const { data: project, error, refetch } = useQuery(projectDetailsQuery(listed.id));
  const { done, applied } = useAppliedAction(requestedAction);
  const may = useScopePermissions(listed.id);
  if (error) return <ErrorMessage error={error} reset={() => void refetch()} />;
  if (!project) return <p className={page.page}>Loading …</p>;
  const scope = { kind: 'project', ...project } as const;
  const props = { project, projects, applied };
  const verbs: readonly AllowedAction[] = [
    {
      does: 'parameter',
      title: 'Add parameter',
      Sign: Plus,
      may: may.write,
      form: newParameter(project),
    },
    {
      does: 'edit',
      title: 'Rename or describe',
      Sign: Pencil,
      may: may.manage,
      form: <DescribeProject {...props} />,
    },
    {
      does: 'depend',
      title: 'Change dependency',
      Sign: Share2,
      may: may.manage,
      form: <ChooseDependency {...props} />,
    },
    { does: 'pattern', title: 'Name pattern', Sign: Regex, may: may.manage, form: <NamePatternForm {...props} /> },
    { does: 'copy', title: 'Copy', Sign: Copy, may: may.make && may.read, form: <CopyProject {...props} /> },
    accessAction(scope, may.grant, applied),
    { does: 'delete', title: 'Delete', Sign: Trash2, may: may.manage, form: <DeleteProject {...props} /> },
  ];
  return (
    <div className={page.page}>
      <div className={page.part}>
        {project.description !== '' && (
          <p>
            <UserText>{project.description}</UserText>
          </p>
        )}
        {may.read && <Overview id={project.id} />}
        <ProjectFacts project={project} listed={listed} projects={projects} />
        <RotationNote of={{ projectId: project.id }} />
        <AllowedActions name={project.name} verbs={verbs} does={requestedAction} done={done} />
      </div>
      <ScopeAccess scope={scope} isOpenToMe={may.read} />
      {may.read && ownParameters(project, after)}
    </div>
  );
}

function Overview({ id }: { readonly id: string }) {
  const { data: overview } = useQuery(projectOverviewQuery(id));
  const { data: problems } = useQuery(problemsQuery({ project: id }));
  if (!overview) return null;
  const { parameterCount, valueCount, environmentCount, instances, lastChange, lastReadAt, lastReadBy } = overview;
  const instanceCount = instances.reduce((sum, { total }) => sum + total, 0);
  return (
    <>
      <Facts
        as="cards"
        facts={{
          Parameters: parameterCount === 0 ? 'None' : parameterCount.toLocaleString(),
          Values:
            valueCount === 0
              ? 'None'
              : `${valueCount.toLocaleString()} set, in ${formatCount(environmentCount, 'environment')}`,
          Programs: instanceCount === 0 ? 'None' : formatCount(instanceCount, 'instance'),
          'Last change': lastChange ? <TimeByActor {...lastChange} /> : null,
          'Last read':
            lastReadAt === null ? (
              'Not in the last 90 days'
            ) : (
              <TimeByActor at={lastReadAt} actorName={lastReadBy?.name ?? null} />
            ),
        }}
      />
      <ProjectProblems project={overview} problems={problems?.[id]} />
    </>
  );
}

interface FactsOfProps extends SettingsProps {
  readonly project: DetailedProject;
}

function ProjectFacts({ project, listed, projects }: FactsOfProps) {
  const { id, name, parameterNamePattern } = project;
  const dependents = projects.filter(({ dependsOnId }) => dependsOnId === id);
  return (
    <Facts
      facts={{
        'Depends on': listed.dependsOnName === null ? 'None' : <ProjectSettingsLink name={listed.dependsOnName} />,
        'Used by': (
          <LinkedNameList label="Dependents" none="no project" rows={dependents}>
            {(dependentName) => <ProjectSettingsLink name={dependentName} />}
          </LinkedNameList>
        ),
        'Name pattern': parameterNamePattern === '' ? 'Any' : <code>{parameterNamePattern}</code>,
        Created: <When at={project.createdAt} />,
        More: (
          <Link to="/history" search={{ project: name }} className={page.link}>
            History
          </Link>
        ),
      }}
    />
  );
}
