import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { projectsQuery } from '../../data/projects.ts';
import { useMoment } from '../../data/use-moment.ts';
import { useObjectStatus } from '../../kit/status/use-object-status.ts';
import { UserText } from '../../ui/user-text.tsx';
import styles from './matrix-page.module.css';
import { ProjectMatrix } from './project-matrix.tsx';

const route = getRouteApi('/inside/projects/$name');

/** Shows the parameters of a project with their effective values in every environment. */
export function MatrixPage() {
  const { name } = route.useParams();
  const { args, moment } = useMoment();
  const { data: projects } = useQuery(projectsQuery(args));
  // The page stays visible when the project is renamed, because the tabs navigate to the new URL.
  const status = useObjectStatus(projects, name);
  if (!status) return null;
  if (status.kind === 'here' || status.kind === 'renamed') {
    return <ProjectMatrix key={status.row.id} project={status.row} />;
  }
  return (
    <p className={styles.note}>
      There {moment.kind === 'now' ? 'is' : 'was'} no project named{' '}
      <strong>
        <UserText>{name}</UserText>
      </strong>
      {moment.kind === 'now' ? ', or you don’t have access to it.' : ' at that time, or you don’t have access to it.'}
    </p>
  );
}
