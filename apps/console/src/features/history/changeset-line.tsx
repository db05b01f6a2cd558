import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import {
  type DescribedChange,
  describeChanges,
  describeInterface,
  listProjects,
} from '../../kit/history/changeset-descriptions.ts';
import { UserText } from '../../ui/user-text.tsx';
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
    readonly changes: readonly DescribedChange[];
  };
  readonly aside?: ReactNode;
}

const PROJECTS_SHOWN = 2;

/** Shows a changeset in a list: its message, changes and projects, and its author, interface and time. */
export function ChangesetLine({ changeset, aside }: ChangesetLineProps) {
  const { revision, at, actorName, surface, message, externalRef, changeCount, changes } = changeset;
  const description = describeChanges(changes, changeCount, revision);
  const projects = listProjects(changes);
  return (
    <li className={styles.item}>
      <Link to="/history/$revision" params={{ revision: String(revision) }} className={styles.line}>
        <span className={styles.revision}>
          <span className="heard">revision </span>
          {revision}
        </span>
        <span className={styles.what}>
          <span className={changeCount === 0 ? styles.words : styles.title}>
            <UserText>{message ?? capital(description)}</UserText>
          </span>
          {externalRef !== null && (
            <span className={styles.reference}>
              <UserText>{externalRef}</UserText>
            </span>
          )}
          {message !== null && (
            <span className={styles.words}>
              <UserText>{description}</UserText>
            </span>
          )}
        </span>
        <span className={styles.projects}>
          {projects.slice(0, PROJECTS_SHOWN).map((name) => (
            <span key={name}>
              <UserText>{name}</UserText>
            </span>
          ))}
          {projects.length > PROJECTS_SHOWN && <span>and {projects.length - PROJECTS_SHOWN} more</span>}
        </span>
        <span className={styles.who}>
          <UserText>{actorName}</UserText>
          {surface !== null && <span className={styles.door}> via {describeInterface(surface)}</span>}
        </span>
        <span className={styles.at}>
          <When at={at} as="clock" />
        </span>
      </Link>
      {aside}
    </li>
  );
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
