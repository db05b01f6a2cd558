import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { changesetsQuery } from '../../data/history.ts';
import { ErrorMessage } from '../../ui/error-message.tsx';
import { nextCursor, Pages } from '../../ui/pages.tsx';
import { ChangesetDays } from './changeset-days.tsx';
import { HistoryFilter } from './history-filter.tsx';
import styles from './history-page.module.css';

const route = getRouteApi('/inside/history');

/** Lists the changesets, newest first. */
export function HistoryPage() {
  const { after, since, ...filter } = route.useSearch();
  const query = useQuery(
    changesetsQuery({
      ...filter,
      after: after ?? null,
      // The filter's days are in the time zone of the user.
      ...(since && { since: new Date(`${since}T00:00`).toISOString() }),
    }),
  );
  if (query.error) return <ErrorMessage error={query.error} reset={() => void query.refetch()} />;
  const isFiltered = Object.values({ ...filter, since }).some((value) => value !== undefined);
  return (
    <div className={styles.page}>
      <HistoryFilter total={query.data?.totalCount} isOld={query.isPlaceholderData} />
      {!query.data && <p className={styles.note}>Loading …</p>}
      {query.data?.edges.length === 0 && !query.isPlaceholderData && <EmptyHistory isFiltered={isFiltered} />}
      {query.data && (
        <ChangesetDays changesets={query.data.edges.map(({ node }) => node)} isOld={query.isPlaceholderData} />
      )}
      {query.data && (
        <div className={styles.pages}>
          <Pages here={after} next={nextCursor(query.data.pageInfo)} first="Newest" more="Older" />
        </div>
      )}
    </div>
  );
}

function EmptyHistory({ isFiltered }: { readonly isFiltered: boolean }) {
  return isFiltered ? (
    <p className={styles.note}>
      No changes match this filter.{' '}
      <Link to="/history" className={styles.link}>
        Show all changes
      </Link>
    </p>
  ) : (
    <p className={styles.note}>
      No changes yet. Each changeset appears here with its author and reason, whether it changes one value or many.
    </p>
  );
}
