import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useId } from 'react';
import { type OwnShortcut, preferencesQuery } from '../../data/preferences.ts';
import { useDrafts } from '../../kit/drafts/drafts.ts';
import { ShortcutLink } from '../../kit/shortcut-link.tsx';
import { formatCount } from '../../lib/format-count.ts';
import button from '../../ui/button.module.css';
import page from '../../ui/page.module.css';
import { UserText } from '../../ui/user-text.tsx';
import { When } from '../../ui/when.tsx';
import styles from './home-page.module.css';

/** The number of listed recents and favourites. The navigation lists all favourites. */
const SHORTCUTS_MAX = 8;

interface OwnPartProps {
  readonly title: string;
  readonly children: ReactNode;
}

/** A section of the home page about the work of the user. */
export function OwnPart({ title, children }: OwnPartProps) {
  const id = useId();
  return (
    <section className={styles.short} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  );
}

/** Shows the drafts of this browser that are not applied. */
export function OpenDrafts() {
  const { drafts } = useDrafts();
  const projects = Map.groupBy(drafts.values(), ({ projectName }) => projectName);
  return (
    <OwnPart title="Open drafts">
      {drafts.size === 0 ? (
        <p className={page.note}>No drafts. Values that you edit stay in this browser until you apply them.</p>
      ) : (
        <>
          <ul className={styles.shortcuts}>
            {[...projects].map(([name, edits]) => (
              <li key={name}>
                <Link to="/projects/$name" params={{ name }} className={page.link}>
                  <UserText>{name}</UserText>
                </Link>{' '}
                <span className={page.under}>{formatCount(edits.length, 'change')}</span>
              </li>
            ))}
          </ul>
          <Link to="/review" className={button.plain}>
            Review {formatCount(drafts.size, 'change')}
          </Link>
        </>
      )}
    </OwnPart>
  );
}

/** Lists the favourites and the recents of the user. A favourite is not repeated among the recents. */
export function OwnShortcuts() {
  const { data: preferences } = useQuery(preferencesQuery);
  if (!preferences) return null;
  const favouriteIds = new Set(preferences.favourites.map(({ id }) => id));
  return (
    <>
      <Shortcuts
        title="Favourites"
        shortcuts={preferences.favourites}
        none="Mark projects, environments and parameters with the star beside their names."
      />
      <Shortcuts
        title="Recently opened"
        shortcuts={preferences.recents.filter(({ id }) => !favouriteIds.has(id))}
        none="The projects, environments and parameters that you open are listed here."
        isDated
      />
    </>
  );
}

interface ShortcutsProps {
  readonly title: string;
  readonly shortcuts: readonly OwnShortcut[];
  /** The text if there are none. */
  readonly none: string;
  /** Whether each one shows its time. */
  readonly isDated?: boolean;
}

function Shortcuts({ title, shortcuts, none, isDated = false }: ShortcutsProps) {
  return (
    <OwnPart title={title}>
      {shortcuts.length === 0 ? (
        <p className={page.note}>{none}</p>
      ) : (
        <ul className={styles.shortcuts}>
          {shortcuts.slice(0, SHORTCUTS_MAX).map((shortcut) => (
            <li key={shortcut.id}>
              <ShortcutLink shortcut={shortcut} className={styles.shortcut} ofClassName={page.under} />
              {isDated && (
                <span className={page.under}>
                  <When at={shortcut.at} />
                </span>
              )}
            </li>
          ))}
        </ul>
      )}
    </OwnPart>
  );
}
