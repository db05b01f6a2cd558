import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Undo2 } from 'lucide-react';
import { useCanWriteAnyScope } from '../../data/abilities.ts';
import { environmentsQuery } from '../../data/environments.ts';
import { changesetsQuery } from '../../data/history.ts';
import button from '../../ui/button.module.css';
import { ErrorMessage } from '../../ui/error-message.tsx';
import { ListStatus } from '../../ui/list-status.tsx';
import page from '../../ui/page.module.css';
import { PageNote } from '../../ui/page-note.tsx';
import { nextCursor, Pages } from '../../ui/pages.tsx';
import { UserText } from '../../ui/user-text.tsx';
import { withVisibleCharacters } from '../../ui/visible-characters.ts';
import { ChangesetDays } from './changeset-days.tsx';
import styles from './history-page.module.css';

const route = getRouteApi('/inside/history/environments/$environment');

/** Lists the changesets that changed an environment or its values. */
export function EnvironmentHistoryPage() {
  const { environment } = route.useParams();
  const { data: environments } = useQuery(environmentsQuery());
  const listedEnvironment = environments?.find(({ name }) => name === environment);
  if (!environments) return null;
  if (listedEnvironment) return <Told environmentId={listedEnvironment.id} environment={environment} />;
  return (
    <PageNote>
      There is no environment named{' '}
      <strong>
        <UserText>{environment}</UserText>
      </strong>{' '}
      now. Its values are in the{' '}
      <Link to="/history" className={page.link}>
        history
      </Link>
      .
    </PageNote>
  );
}

interface ToldProps {
  readonly environmentId: string;
  readonly environment: string;
}

function Told({ environmentId, environment }: ToldProps) {
  const { after } = route.useSearch();
  const query = useQuery(changesetsQuery({ environment: environmentId, after: after ?? null }));
  const mayReturn = useCanWriteAnyScope();
  if (query.error) return <ErrorMessage error={query.error} reset={() => void query.refetch()} />;
  if (!query.data) return <p className={styles.note}>Loading …</p>;
  const { edges, totalCount, pageInfo } = query.data;
  // Nothing can be restored from the newest one: it is the current state.
  const newest = after === undefined ? edges[0]?.node.revision : null;
  const returnLink = (revision: number) =>
    revision !== newest && (
      <Link
        to="/history/return"
        search={{ to: revision, environment }}
        className={button.quiet}
        title={withVisibleCharacters(`Restore ${environment} to revision ${revision}`)}
      >
        <Undo2 size={14} aria-hidden /> Restore to this revision
      </Link>
    );
  return (
    <div className={styles.page}>
      <ListStatus isOld={query.isPlaceholderData} className={styles.note}>
        {totalCount === 0
          ? 'No changes in this environment yet.'
          : `${totalCount.toLocaleString()} ${totalCount === 1 ? 'changeset' : 'changesets'} in this environment`}
      </ListStatus>
      <ChangesetDays
        changesets={edges.map(({ node }) => node)}
        isOld={query.isPlaceholderData}
        {...(mayReturn && { asideOf: returnLink })}
      />
      <div className={styles.pages}>
        <Pages here={after} next={nextCursor(pageInfo)} first="Newest" more="Older" />
      </div>
    </div>
  );
}
