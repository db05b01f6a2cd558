import { Link, useParams } from '@tanstack/react-router';
import { useId, useState } from 'react';
import type { ListedProject } from '../lib/project-forest.ts';
import { UserText } from '../ui/user-text.tsx';
import styles from './rail.module.css';

/** The number of projects that are listed at first, so that the navigation stays short and fast. */
const LISTED_MAX = 40;
/** The maximum depth that has its own indentation. */
const DEPTH_MAX = 3;

interface RailProjectsProps {
  readonly projects: readonly ListedProject[];
  fits(...texts: readonly (string | null)[]): boolean;
}

/** Lists the projects that match the filter. A long list is shortened, but contains the open project. */
export function RailProjects({ projects, fits }: RailProjectsProps) {
  const { name: open } = useParams({ strict: false });
  const [isAll, setAll] = useState(false);
  const titleId = useId();
  const matchingProjects = projects.filter(({ name }) => fits(name));
  const listedProjects = isAll
    ? matchingProjects
    : matchingProjects.filter(({ name }, at) => at < LISTED_MAX || name === open);
  return (
    <>
      <h2 id={titleId} className={styles.title}>
        All projects
      </h2>
      {matchingProjects.length === 0 && <p className={styles.none}>No matching projects</p>}
      <ul aria-labelledby={titleId}>
        {listedProjects.map(({ id, name, depth }) => (
          <li key={id} className={styles.project} data-depth={Math.min(depth, DEPTH_MAX)}>
            <Link to="/projects/$name" params={{ name }} className={styles.item}>
              <span>
                <UserText>{name}</UserText>
              </span>
            </Link>
          </li>
        ))}
      </ul>
      {listedProjects.length < matchingProjects.length && (
        <button type="button" className={styles.all} onClick={() => setAll(true)}>
          Show all {matchingProjects.length.toLocaleString()}
        </button>
      )}
    </>
  );
}
