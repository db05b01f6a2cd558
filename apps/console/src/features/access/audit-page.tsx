import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import {
  type AuditRecord,
  auditQuery,
  auditSummaryQuery,
  auditVerb,
  describeDeniedRequest,
  isAccess,
  isAccountAction,
  parseAuditedAction,
} from '../../data/audit.ts';
import { environmentsQuery } from '../../data/environments.ts';
import { displayName } from '../../data/people.ts';
import { projectsQuery } from '../../data/projects.ts';
import { describeObjectType } from '../../kit/history/changeset-descriptions.ts';
import { ErrorMessage } from '../../ui/error-message.tsx';
import page from '../../ui/page.module.css';
import { nextCursor, Pages } from '../../ui/pages.tsx';
import { UserText } from '../../ui/user-text.tsx';
import { When } from '../../ui/when.tsx';
import { AccessPage } from './access-page.tsx';
import { AuditExport } from './audit-export.tsx';
import { locationOfRecord } from './audit-file.ts';
import { AuditFilterBar } from './audit-filter.tsx';
import styles from './audit-page.module.css';

const route = getRouteApi('/inside/access/audit');

/** Lists the changes and the revealed secrets with their authors, newest first. */
export function AuditPage() {
  const { after, action, type, object, actor, project, environment, since, until } = route.useSearch();
  const projects = useQuery(projectsQuery());
  const environments = useQuery(environmentsQuery());
  const idIn = (rows: readonly { readonly id: string; readonly name: string }[] | undefined, name?: string) =>
    name === undefined ? undefined : rows?.find((row) => row.name === name)?.id;
  const ids = { projectId: idIn(projects.data, project), environmentId: idIn(environments.data, environment) };
  const isUnknown =
    (project !== undefined && projects.data !== undefined && ids.projectId === undefined) ||
    (environment !== undefined && environments.data !== undefined && ids.environmentId === undefined);
  const filter = {
    action: parseAuditedAction(action) ?? null,
    objectType: type ?? null,
    objectId: object ?? null,
    userId: actor ?? null,
    projectId: ids.projectId ?? null,
    environmentId: ids.environmentId ?? null,
    // The filter's days are in the time zone of the user.
    earliest: since === undefined ? null : new Date(`${since}T00:00`).toISOString(),
    latest: until === undefined ? null : new Date(`${until}T23:59:59.999`).toISOString(),
  };
  const query = useQuery({
    ...auditQuery({ ...filter, after: after ?? null }),
    enabled:
      (project === undefined || projects.isSuccess) &&
      (environment === undefined || environments.isSuccess) &&
      !isUnknown,
  });
  if (query.error) return <ErrorMessage error={query.error} reset={() => void query.refetch()} />;
  const records = isUnknown ? [] : (query.data?.edges.map(({ node }) => node) ?? []);
  const isFiltered = [action, type, object, actor, project, environment, since, until].some(
    (condition) => condition !== undefined,
  );
  return (
    <AccessPage>
      <section className={page.part} aria-label="Audit">
        <Reach />
        <AuditFilterBar
          total={isUnknown ? 0 : query.data?.totalCount}
          isOld={!isUnknown && query.isPlaceholderData}
          isFiltered={isFiltered}
        />
        {!query.data && !isUnknown && <p className={page.note}>Loading …</p>}
        {((query.data && !query.isPlaceholderData) || isUnknown) && records.length === 0 && (
          <p className={page.note}>
            {isFiltered
              ? 'No records match this filter, or you don’t have access to them.'
              : 'No records yet. This page lists each change with its author, revealed secrets, denied requests and failed sign-ins.'}
          </p>
        )}
        {query.data && records.length > 0 && (
          <>
            <Records records={records} isOld={query.isPlaceholderData} />
            <AuditExport filter={filter} total={query.data.totalCount} />
          </>
        )}
        {query.data && !isUnknown && (
          <Pages here={after} next={nextCursor(query.data.pageInfo)} first="Newest" more="Older" />
        )}
      </section>
    </AccessPage>
  );
}

function Reach() {
  const { data: reach } = useQuery(auditSummaryQuery);
  return (
    <p className={page.note}>
      Lists every change of an object, revealed secrets, denied requests, failed sign-ins, password changes and
      sign-outs from all sessions. Changes of groups and webhooks are only in the{' '}
      <Link to="/history" className={page.link}>
        history
      </Link>
      .
      {reach?.earliest && (
        <>
          {' '}
          It shows at most {reach.maxDays.toLocaleString()} days and {reach.maxRecords.toLocaleString()} records. The
          oldest is from <When at={reach.earliest} as="date" />.
        </>
      )}
    </p>
  );
}

function Records({ records, isOld }: { readonly records: readonly AuditRecord[]; readonly isOld: boolean }) {
  return (
    <div className={page.scroll} aria-busy={isOld}>
      <table className={page.table}>
        <thead>
          <tr>
            <th scope="col" className={page.wide}>
              Time
            </th>
            <th scope="col" className={page.wide}>
              Author
            </th>
            <th scope="col">Action</th>
            <th scope="col">Object</th>
            <th scope="col" className={page.wide}>
              Revision
            </th>
          </tr>
        </thead>
        <tbody>
          {records.map((record) => (
            <tr key={record.id}>
              <td className={`${styles.when} ${page.wide}`}>
                <When at={record.timestamp} as="date" />
              </td>
              <td className={page.wide}>
                <Who record={record} />
              </td>
              <td className={record.action === 'reveal' ? styles.reveal : undefined}>{auditVerb(record.action)}</td>
              <td className={styles.what}>
                {!isAccountAction(record.action) && <What record={record} />}
                {record.refusal && <p className={styles.deniedRequest}>{describeDeniedRequest(record)}</p>}
                <p className={page.narrow}>
                  <Who record={record} /> · <When at={record.timestamp} as="date" />
                  {hasRevision(record) && (
                    <>
                      {' · revision '}
                      <Revision of={record} />
                    </>
                  )}
                </p>
              </td>
              <td className={page.wide}>{hasRevision(record) && <Revision of={record} />}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Who({ record: { user } }: { readonly record: AuditRecord }) {
  return (
    <Link
      to="/access/audit"
      search={(search) => ({ ...search, actor: user.id, after: undefined })}
      className={styles.narrow}
      title="Only this author"
    >
      <UserText>{displayName(user)}</UserText>
    </Link>
  );
}

const hasRevision = ({ changeset, action }: AuditRecord): boolean => changeset > 0 && !isAccess(action);

function Revision({ of: { changeset } }: { readonly of: AuditRecord }) {
  return (
    <Link
      to="/history/$revision"
      params={{ revision: String(changeset) }}
      search={{ after: undefined }}
      className={page.link}
    >
      {changeset}
    </Link>
  );
}

function What({ record }: { readonly record: AuditRecord }) {
  const { objectId, objectName, objectType } = record;
  const location = locationOfRecord(record);
  return (
    <>
      <span className={styles.noun}>{describeObjectType(objectType)}</span>{' '}
      <Link
        to="/access/audit"
        search={(search) => ({ ...search, object: objectId, after: undefined })}
        className={styles.narrow}
        title="Only this object"
      >
        <UserText>{objectName}</UserText>
      </Link>
      {location !== '' && (
        <span className={styles.place}>
          {' '}
          in <UserText>{location}</UserText>
        </span>
      )}
    </>
  );
}
