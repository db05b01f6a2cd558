import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { changesInWords, doorOf, projectsOf, type ToldChange } from '../../kit/history/changeset-words.ts';
import { Given } from '../../ui/given.tsx';
import { When } from '../../ui/when.tsx';
import styles from './changeset-line.module.css';

interface ChangesetLineProps {
  readonly changeset: {
    readonly revision: number;
    readonly at: string;
    readonly actorName: string | null;
    readonly surface: string | null;
    readonly message: string | null;
    readonly externalRef: string | null;
    readonly changeCount: number;
    readonly changes: readonly ToldChange[];
  };
  readonly aside?: ReactNode;
}

const PROJECTS_SHOWN = 2;

/** One changeset of a list: why, what, where; who, through which door, when. */
export function ChangesetLine({ changeset, aside }: ChangesetLineProps) {
  const { revision, at, actorName, surface, message, externalRef, changeCount, changes } = changeset;
  const words = changesInWords(changes, changeCount);
  const projects = projectsOf(changes);
  return (
    <li className={styles.item}>
      <Link to="/history/$revision" params={{ revision: String(revision) }} className={styles.line}>
        <span className={styles.revision}>
          <span className="heard">revision </span>
          {revision}
        </span>
        <span className={styles.what}>
          <span className={changeCount === 0 ? styles.words : styles.title}>
            <Given>{message ?? capital(words)}</Given>
          </span>
          {externalRef !== null && (
            <span className={styles.reference}>
              <Given>{externalRef}</Given>
            </span>
          )}
          {message !== null && (
            <span className={styles.words}>
              <Given>{words}</Given>
            </span>
          )}
        </span>
        <span className={styles.projects}>
          {projects.slice(0, PROJECTS_SHOWN).map((name) => (
            <span key={name}>
              <Given>{name}</Given>
            </span>
          ))}
          {projects.length > PROJECTS_SHOWN && <span>and {projects.length - PROJECTS_SHOWN} more</span>}
        </span>
        <span className={styles.who}>
          <Given>{actorName}</Given>
          {surface !== null && <span className={styles.door}> via {doorOf(surface)}</span>}
        </span>
        <span className={styles.at}>
          <When at={at} short />
        </span>
      </Link>
      {aside}
    </li>
  );
}

const capital = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);
