import { useQuery } from '@tanstack/react-query';
import { Bookmark } from 'lucide-react';
import { preferencesQuery } from '../../data/preferences.ts';
import type { EnvironmentColumn } from '../../lib/environment-tree.ts';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { Popover } from '../../ui/popover.tsx';
import { UserText } from '../../ui/user-text.tsx';
import type { MatrixSearch } from './matrix-search.ts';
import { isShown } from './matrix-views.ts';
import styles from './toolbar.module.css';

const ViewsMenu = lazyPart(async () => (await import('./views-menu.tsx')).ViewsMenu);

interface ViewsChoiceProps {
  readonly projectId: string;
  readonly environments: readonly EnvironmentColumn[];
  readonly search: MatrixSearch;
  onSearch(next: Partial<MatrixSearch>): void;
}

/** Renders the choice of a view that the user has saved. The URL describes the page, so that links can be shared. */
export function ViewsChoice({ projectId, environments, search, onSearch }: ViewsChoiceProps) {
  const { data: preferences } = useQuery(preferencesQuery);
  if (!preferences) return null;
  const views = preferences.views.filter((view) => view.projectId === projectId);
  const shownView = views.find((view) => isShown(view, search, environments));
  return (
    <Popover
      summary={
        <>
          <Bookmark size={14} aria-hidden />
          {shownView ? (
            <span className={styles.view}>
              <span className="heard">View: </span>
              <UserText>{shownView.name}</UserText>
            </span>
          ) : (
            'Views'
          )}
        </>
      }
    >
      <ViewsMenu {...{ projectId, environments, search, onSearch, views, shown: shownView }} />
    </Popover>
  );
}
