import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { type OwnShortcut, preferencesQuery } from '../data/preferences.ts';
import { ShortcutLink } from '../kit/shortcut-link.tsx';
import styles from './rail.module.css';

/** The number of recents in the navigation. Home shows more. */
const RECENTS_MAX = 5;

interface OwnPlacesProps {
  /** The id of the open project, which is listed among all projects. */
  readonly openProjectId: string | undefined;
  fits(...texts: readonly (string | null)[]): boolean;
}

/** Shows the favourites and recents of the user that match the filter. Neither a favourite nor the open project is repeated. */
export function OwnPlaces({ openProjectId, fits }: OwnPlacesProps) {
  const { data: preferences } = useQuery(preferencesQuery);
  if (!preferences) return null;
  const favouriteIds = new Set(preferences.favourites.map(({ id }) => id));
  const filterShortcuts = (shortcuts: readonly OwnShortcut[]) =>
    shortcuts.filter(({ id, name, projectName }) => id !== openProjectId && fits(name, projectName));
  const favourites = filterShortcuts(preferences.favourites).toSorted((left, right) =>
    left.name.localeCompare(right.name),
  );
  const recents = filterShortcuts(preferences.recents).filter(({ id }) => !favouriteIds.has(id));
  return (
    <>
      <ShortcutList title="Favourites" shortcuts={favourites} />
      <ShortcutList title="Recent" shortcuts={recents.slice(0, RECENTS_MAX)} />
    </>
  );
}

interface ShortcutListProps {
  readonly title: string;
  readonly shortcuts: readonly OwnShortcut[];
}

function ShortcutList({ title, shortcuts }: ShortcutListProps) {
  const titleId = useId();
  if (shortcuts.length === 0) return null;
  return (
    <>
      <h2 id={titleId} className={styles.title}>
        {title}
      </h2>
      <ul aria-labelledby={titleId}>
        {shortcuts.map((shortcut) => (
          <li key={shortcut.id}>
            <ShortcutLink shortcut={shortcut} className={styles.item} ofClassName={styles.of} />
          </li>
        ))}
      </ul>
    </>
  );
}
