import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import type { ReactNode } from 'react';
import { useAbility } from '../../data/abilities.ts';
import { projectsQuery } from '../../data/projects.ts';
import { isUnconfiguredQuery } from '../../data/unconfigured.ts';
import { usePointInTime } from '../../data/use-point-in-time.ts';
import type { ListedProject } from '../../lib/project-forest.ts';
import button from '../../ui/button.module.css';
import page from '../../ui/page.module.css';
import { UserText } from '../../ui/user-text.tsx';
import styles from './projects-page.module.css';

interface ProjectsPageProps {
  /** The ways to create the first project. */
  readonly firstRun: ReactNode;
  /** Whether the progress or the error of the sample platform is shown. */
  readonly isSampleOnItsWay: boolean;
}

export function ProjectsPage({ firstRun, isSampleOnItsWay }: ProjectsPageProps) {
  const { args, isNow } = usePointInTime();
  const { data: projects } = useQuery(projectsQuery(args));
  const mayWrite = useAbility('write_content');
  const mayBeFresh = isNow && projects !== undefined && projects.length < 2;
  const { data: unconfigured } = useQuery({ ...isUnconfiguredQuery, enabled: mayBeFresh });
  // Whether nothing is configured yet; undefined while this is being loaded.
  const isFresh = mayBeFresh ? unconfigured : false;
  if (!projects) return null;
  return (
    <>
      {(isFresh === true || isSampleOnItsWay) && firstRun}
      {!isNow && projects.length === 0 && <p className={styles.none}>No projects yet.</p>}
      {projects.length > 0 && isFresh === false && (
        <div className={styles.head}>
          <p className={page.note}>A project holds the parameters of one program, with a value for each environment.</p>
          {mayWrite && isNow && (
            <Link to="/start" className={button.main}>
              <Plus size={15} aria-hidden /> Create project
            </Link>
          )}
        </div>
      )}
      {projects.length > 0 && (
        <ul className={styles.list}>
          {projects.map((project) => (
            <ProjectLine key={project.id} project={project} />
          ))}
        </ul>
      )}
    </>
  );
}

function ProjectLine({ project }: { readonly project: ListedProject }) {
  const { name, description, dependsOnName, depth } = project;
  return (
    <li>
      <Link to="/projects/$name" params={{ name }} className={styles.project} data-depth={Math.min(depth, 3)}>
        <span className={styles.name}>
          <UserText>{name}</UserText>
        </span>
        <span className={styles.description}>
          <UserText>{description}</UserText>
        </span>
        {dependsOnName !== null && (
          <span className={styles.depends}>
            depends on <UserText>{dependsOnName}</UserText>
          </span>
        )}
      </Link>
    </li>
  );
}
