import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useMoment } from '../moment/use-moment.ts';
import { projectsQuery } from '../projects/projects.ts';
import { useProjectCalled } from '../projects/use-project-called.ts';
import styles from './matrix-page.module.css';
import { ProjectMatrix } from './project-matrix.tsx';

const route = getRouteApi('/inside/projects/$name');

/** The parameters of a project, and the value that applies to each in every environment. */
export function MatrixPage() {
  const { name } = route.useParams();
  const { args, moment } = useMoment();
  const { data: projects } = useQuery(projectsQuery(args));
  const project = useProjectCalled(name, projects);
  if (!projects) return null;
  if (project) return <ProjectMatrix key={project.id} project={project} />;
  return (
    <p className={styles.note}>
      There {moment.kind === 'now' ? 'is' : 'was'} no project called <strong>{name}</strong>
      {moment.kind === 'now' ? ', or you have no access to it.' : ' at that time, or you have no access to it.'}
    </p>
  );
}
