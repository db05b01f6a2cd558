import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useMoment } from '../moment/use-moment.ts';
import type { ListedProject } from '../projects/project-forest.ts';
import { projectsQuery } from '../projects/projects.ts';
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

/** The project of that name; where somebody renames it meanwhile, the same one, and the address follows. */
function useProjectCalled(name: string, projects: readonly ListedProject[] | undefined): ListedProject | undefined {
  const navigate = route.useNavigate();
  const [shown, setShown] = useState<{ readonly name: string; readonly id: string } | null>(null);
  const called = projects?.find((one) => one.name === name);
  const renamed = !called && shown?.name === name ? projects?.find((one) => one.id === shown.id) : undefined;
  const project = called ?? renamed;
  if (called && (called.id !== shown?.id || name !== shown.name)) setShown({ name, id: called.id });
  const nextName = renamed?.name;
  useEffect(() => {
    if (nextName === undefined) return;
    void navigate({ params: { name: nextName }, search: true, replace: true });
  }, [nextName, navigate]);
  return project;
}
