import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { environmentsQuery } from '../../data/environments.ts';
import { projectsQuery } from '../../data/projects.ts';
import { INSTANCES_PER_PAGE, type ReadRollout, rolloutQuery } from '../../data/rollouts.ts';
import { NoProject } from '../../kit/no-project.tsx';
import { chosenEnvironment, EnvironmentChoice, UnknownEnvironment } from '../../kit/scopes/environment-choice.tsx';
import { useProjectByName } from '../../kit/status/use-project-by-name.ts';
import { rolloutText } from '../../lib/rollout.ts';
import { Empty } from '../../ui/empty.tsx';
import { ErrorMessage } from '../../ui/error-message.tsx';
import { ListStatus } from '../../ui/list-status.tsx';
import page from '../../ui/page.module.css';
import { Pages } from '../../ui/pages.tsx';
import { UserText } from '../../ui/user-text.tsx';
import { When } from '../../ui/when.tsx';
import styles from './instances-page.module.css';

const route = getRouteApi('/inside/projects/$name/instances');

const STATUSES = { current: 'Current', lagging: 'Lagging', refused: 'Rejected' } as const;

/** Shows which instances of programs run the configuration of a project in one environment. */
export function InstancesPage() {
  const { name } = route.useParams();
  const { data: projects } = useQuery(projectsQuery({}));
  const project = useProjectByName(name, projects);
  if (!projects) return null;
  if (project) return <Instances projectId={project.id} />;
  return <NoProject name={name} />;
}

function Instances({ projectId }: { readonly projectId: string }) {
  const { env } = route.useSearch();
  const navigate = route.useNavigate();
  const environments = useQuery(environmentsQuery({}));
  const environment = chosenEnvironment(environments.data, env);
  return (
    <div className={page.page}>
      <EnvironmentChoice
        environments={environments.data}
        name={env}
        onChoose={(name) => void navigate({ search: { env: name } })}
      />
      <UnknownEnvironment environments={environments.data} name={env} />
      {environment && <InstancesIn key={environment.id} project={projectId} environment={environment.id} />}
    </div>
  );
}

interface InstancesInProps {
  readonly project: string;
  readonly environment: string;
}

function InstancesIn({ project, environment }: InstancesInProps) {
  const { page: number } = route.useSearch();
  const { data: rollout, error, refetch, isPlaceholderData } = useQuery(rolloutQuery({ project, environment }, number));
  if (error) return <ErrorMessage error={error} reset={() => void refetch()} />;
  if (rollout === undefined || (isPlaceholderData && !rollout?.total)) return <p className={page.note}>Loading …</p>;
  if (rollout === null) return <p className={page.note}>You don’t have access to this environment.</p>;
  if (rollout.total === 0) return <NoInstances />;
  const next = (number ?? 1) + 1;
  return (
    <section className={page.part} aria-label="Instances" aria-busy={isPlaceholderData}>
      <ListStatus isOld={isPlaceholderData} className={page.note}>
        {rolloutText(rollout)}
      </ListStatus>
      <div className={page.scroll}>
        <InstanceTable instances={rollout.results} />
      </div>
      <Pages by="page" here={number} next={(next - 1) * INSTANCES_PER_PAGE < rollout.count ? next : null} />
    </section>
  );
}

function InstanceTable({ instances }: { readonly instances: ReadRollout['results'] }) {
  return (
    <table className={page.table}>
      <thead>
        <tr>
          <th scope="col">Instance</th>
          <th scope="col">Account</th>
          <th scope="col">Status</th>
          <th scope="col">Revision</th>
          <th scope="col">Since</th>
          <th scope="col">Reason</th>
        </tr>
      </thead>
      <tbody>
        {instances.map(({ instance, account, status, revision, reason, since }) => (
          <tr key={`${account.id} ${instance}`}>
            <th scope="row">
              <UserText>{instance}</UserText>
            </th>
            <td>
              <UserText>{account.name}</UserText>
            </td>
            <td data-status={status} className={styles.status}>
              {STATUSES[status]}
            </td>
            <td>{revision}</td>
            <td>
              <When at={since} as="date" />
            </td>
            <td className={styles.reason}>{reason !== null && <UserText>{reason}</UserText>}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function NoInstances() {
  return (
    <Empty title="No instances yet">
      <p>
        Programs can report which configuration they run. Then this page shows whether all of them run the current one,
        which lag behind it, and which rejected it and why.
      </p>
      <p>
        Send the header <code>X-Strata-Instance: web-1</code> when a program polls its effective configuration, or set{' '}
        <code>instance</code> in the TypeScript SDK.
      </p>
    </Empty>
  );
}
