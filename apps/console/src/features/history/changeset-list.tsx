import { Link } from '@tanstack/react-router';
import { type DescribedChange, describeChanges, listProjects } from '../../kit/history/changeset-descriptions.ts';
import page from '../../ui/page.module.css';
import { UserText } from '../../ui/user-text.tsx';
import { When } from '../../ui/when.tsx';
import styles from './changeset-days.module.css';

interface ChangesetListProps {
  readonly changesets: readonly {
    readonly revision: number;
    readonly at: string;
    readonly message: string | null;
    readonly changeCount: number;
    readonly changes: readonly DescribedChange[];
  }[];
}

/** Lists a few changesets in little space, such as those of one author. */
export function ChangesetList({ changesets }: ChangesetListProps) {
  return (
    <ol className={styles.short}>
      {changesets.map(({ revision, at, message, changeCount, changes }) => (
        <li key={revision}>
          <Link to="/history/$revision" params={{ revision: String(revision) }} className={page.link}>
            <UserText>{message ?? describeChanges(changes, changeCount, revision)}</UserText>
          </Link>
          <p className={page.under}>
            <When at={at} />
            {listProjects(changes)
              .slice(0, 2)
              .map((name) => (
                <span key={name}>
                  {' '}
                  · <UserText>{name}</UserText>
                </span>
              ))}
          </p>
        </li>
      ))}
    </ol>
  );
}
