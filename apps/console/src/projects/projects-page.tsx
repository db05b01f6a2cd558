import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Layers } from 'lucide-react';
import { useMoment } from '../moment/use-moment.ts';
import type { ListedProject } from './project-forest.ts';
import { projectsQuery } from './projects.ts';
import styles from './projects-page.module.css';

export function ProjectsPage() {
  const { args } = useMoment();
  const { data: projects } = useQuery(projectsQuery(args));
  if (!projects) return null;
  if (projects.length === 0) return <NoProjects />;
  return (
    <ul className={styles.list}>
      {projects.map((project) => (
        <ProjectLine key={project.id} project={project} />
      ))}
    </ul>
  );
}

function ProjectLine({ project }: { readonly project: ListedProject }) {
  const { name, description, dependsOnName, depth } = project;
  return (
    <li>
      <Link to="/projects/$name" params={{ name }} className={styles.project} data-depth={Math.min(depth, 3)}>
        <span className={styles.name}>{name}</span>
        <span className={styles.description}>{description}</span>
        {dependsOnName !== null && <span className={styles.depends}>depends on {dependsOnName}</span>}
      </Link>
    </li>
  );
}

function NoProjects() {
  return (
    <div className={styles.none}>
      <Layers size={28} aria-hidden />
      <h2>No project yet</h2>
      <p>
        A project holds the parameters of one program, with a value for each environment. Make the first one by the API:
      </p>
      <pre>
        <code>{`curl ${location.origin}/graphql \\
  -H 'authorization: Api-Key <prefix>.<secret>' \\
  -H 'content-type: application/json' \\
  -d '{"query": "mutation { createProject(input: { name: \\"web\\" }) { __typename } }"}'`}</code>
      </pre>
    </div>
  );
}
