import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { Suspense } from 'react';
import { useMay } from '../../data/abilities.ts';
import { freshQuery } from '../../data/fresh.ts';
import { projectsQuery } from '../../data/projects.ts';
import { useMoment } from '../../data/use-moment.ts';
import type { ListedProject } from '../../lib/project-forest.ts';
import button from '../../ui/button.module.css';
import { Given } from '../../ui/given.tsx';
import { lazyPart } from '../../ui/lazy-part.tsx';
import page from '../../ui/page.module.css';
import { useSampleLoading } from '../first-run/sample-loading.ts';
import styles from './projects-page.module.css';

const FirstRun = lazyPart(async () => (await import('../first-run/first-run-page.tsx')).FirstRunPage);

export function ProjectsPage() {
  const { args, isNow } = useMoment();
  const { data: projects } = useQuery(projectsQuery(args));
  const mayWrite = useMay('write_content');
  const mayBeFresh = isNow && projects !== undefined && projects.length < 2;
  const { data: known } = useQuery({ ...freshQuery, enabled: mayBeFresh });
  // How far the sample platform is, or why it is not there, stands here also once its first project is there.
  const isSampleOnItsWay = useSampleLoading().state !== 'idle';
  // Unknown, while it is being read.
  const isFresh = mayBeFresh ? known : false;
  if (!projects) return null;
  return (
    <>
      {(isFresh === true || isSampleOnItsWay) && (
        <Suspense>
          <FirstRun />
        </Suspense>
      )}
      {!isNow && projects.length === 0 && <p className={styles.none}>There was no project yet.</p>}
      {projects.length > 0 && isFresh === false && (
        <div className={styles.head}>
          <p className={page.note}>A project holds the parameters of one program, with a value for each environment.</p>
          {mayWrite && isNow && (
            <Link to="/start" className={button.main}>
              <Plus size={15} aria-hidden /> New project
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
          <Given>{name}</Given>
        </span>
        <span className={styles.description}>
          <Given>{description}</Given>
        </span>
        {dependsOnName !== null && (
          <span className={styles.depends}>
            depends on <Given>{dependsOnName}</Given>
          </span>
        )}
      </Link>
    </li>
  );
}
