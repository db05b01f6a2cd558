import { Link } from '@tanstack/react-router';
import type { HomeProject, ProjectProblemCounts } from '../../data/home.ts';
import { ProjectSummary } from '../../kit/project-summary.tsx';
import card from '../../ui/card.module.css';
import { UserText } from '../../ui/user-text.tsx';
import styles from './home-page.module.css';

interface ProjectCardProps {
  readonly project: HomeProject;
  /** The problems that are counted in the background; undefined until they are loaded. */
  readonly problems: ProjectProblemCounts | undefined;
}

/** Shows a project with its counts, its problems and its last change. Each of them links to its page. */
export function ProjectCard({ project, problems }: ProjectCardProps) {
  const { projectName: name, description } = project;
  return (
    <li className={card.card}>
      <h3>
        <Link to="/projects/$name" params={{ name }} className={styles.name}>
          <UserText>{name}</UserText>
        </Link>
      </h3>
      {description !== '' && (
        <p className={styles.description}>
          <UserText>{description}</UserText>
        </p>
      )}
      <ProjectSummary {...{ project, problems }} />
    </li>
  );
}
