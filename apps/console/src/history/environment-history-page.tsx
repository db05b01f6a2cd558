import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Trouble } from '../app/trouble.tsx';
import { environmentsQuery } from '../environments/environments.ts';
import { useMayWriteSomewhere } from '../session/abilities.ts';
import { nextOf, Pages } from '../ui/pages.tsx';
import { When } from '../ui/when.tsx';
import { nounOf, verbOf } from './changeset-words.ts';
import styles from './environment-history-page.module.css';
import type { AuditOfEnvironmentQuery } from './history.graphql.ts';
import { environmentRecordsQuery } from './history.ts';

const route = getRouteApi('/inside/history/environments/$environment');

type AuditRow = AuditOfEnvironmentQuery['audit']['edges'][number]['node'];

/** What was done to one environment and set in it, changeset by changeset. */
export function EnvironmentHistoryPage() {
  const { environment } = route.useParams();
  const { data: environments } = useQuery(environmentsQuery());
  const found = environments?.find(({ name }) => name === environment);
  if (!environments) return null;
  if (found) return <Records environmentId={found.id} environment={environment} />;
  return (
    <p className={styles.note}>
      There is no environment called <strong>{environment}</strong> now. What was set in it stands in the{' '}
      <Link to="/history" className={styles.link}>
        history
      </Link>
      .
    </p>
  );
}

function Records({ environmentId, environment }: { readonly environmentId: string; readonly environment: string }) {
  const { after } = route.useSearch();
  const found = useQuery(environmentRecordsQuery(environmentId, after ?? null));
  if (found.error) return <Trouble error={found.error} reset={() => void found.refetch()} />;
  if (!found.data) return <p className={styles.note}>Reading …</p>;
  const { edges, totalCount, pageInfo } = found.data;
  const changesets = Map.groupBy(
    edges.map(({ node }) => node),
    ({ changeset }) => changeset,
  );
  return (
    <div className={styles.page} aria-busy={found.isPlaceholderData}>
      <p role="status" className={styles.count}>
        {totalCount === 0
          ? 'Nothing was changed in this environment yet.'
          : `${totalCount.toLocaleString()} changes in this environment`}
      </p>
      <ol className={styles.list}>
        {[...changesets].map(([revision, records]) => (
          <Changed key={revision} revision={revision} records={records} environment={environment} />
        ))}
      </ol>
      <Pages here={after} next={nextOf(pageInfo)} first="Newest" more="Older" />
    </div>
  );
}

interface ChangedProps {
  readonly revision: number;
  readonly records: readonly AuditRow[];
  readonly environment: string;
}

function Changed({ revision, records, environment }: ChangedProps) {
  const [first] = records;
  const mayReturn = useMayWriteSomewhere();
  if (!first) return null;
  const kinds = Map.groupBy(records, ({ action, objectType }) => `${verbOf(action)} ${nounOf(objectType)}`);
  return (
    <li className={styles.changeset}>
      <p className={styles.when}>
        <When at={first.timestamp} />
        <span>{first.user.name || first.user.email}</span>
        <Link to="/history/$revision" params={{ revision: String(revision) }} className={styles.link}>
          revision {revision}
        </Link>
        {mayReturn && (
          <Link to="/history/return" search={{ to: revision, environment }} className={styles.link}>
            Return to this
          </Link>
        )}
      </p>
      <ul>
        {[...kinds].map(([words, some]) => (
          <li key={words} className={styles.kind}>
            <span className={styles.verb}>{words}</span>
            <span className={styles.names}>{some.map(({ objectName }) => objectName).join(', ')}</span>
          </li>
        ))}
      </ul>
    </li>
  );
}
