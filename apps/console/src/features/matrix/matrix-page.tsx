import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { projectsQuery } from '../../data/projects.ts';
import { usePointInTime } from '../../data/use-point-in-time.ts';
import { NoProject } from '../../kit/no-project.tsx';
import { useObjectStatus } from '../../kit/status/use-object-status.ts';
import { ProjectMatrix } from './project-matrix.tsx';

const route = getRouteApi('/inside/projects/$name');

/** Shows the parameters of a project with their effective values in every environment. */
export function MatrixPage() {
  const { name } = route.useParams();
  const { args } = usePointInTime();
  const { data: projects } = useQuery(projectsQuery(args));
  // The page stays visible when the project is renamed, because the tabs navigate to the new URL.
  const status = useObjectStatus(projects, name);
  if (!status) return null;
  if (status.kind === 'here' || status.kind === 'renamed') {
    return <ProjectMatrix key={status.row.id} project={status.row} />;
  }
  return <NoProject name={name} />;
}
