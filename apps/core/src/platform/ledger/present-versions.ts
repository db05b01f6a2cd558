import {
  type ChangeAction,
  canOnScope,
  isUuid,
  type OrganizationId,
  type PresentVersion,
  type Revision,
} from '@strata/domain';
import type { EntityManager } from 'typeorm';
import type { Caller } from '../caller.ts';
import { SnapshotReader } from '../postgres/snapshot-reader.ts';
import {
  type PointInTime,
  rowsAt,
  VERSIONED_TABLES,
  versionParameters,
  wireTimeSql,
} from '../postgres/versioned-table.ts';

/** References are parts of other objects. */
const OBJECT_TABLES = VERSIONED_TABLES.filter((table) => table !== 'reference');

/** A longer list would not make the error more useful. */
const VERSIONS_MAX = 1_000;

interface ChangeRow {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly action: ChangeAction;
  readonly projectId: string | null;
  readonly environmentId: string | null;
  readonly revision: Revision;
  readonly at: string;
  readonly actorId: string;
  readonly actorName: string;
  readonly actorType: string;
}

const LATEST = `
select requested.id, change.object_name as name, change.object_type as type, change.action, change.project_id as "projectId",
       change.environment_id as "environmentId", changeset.revision, ${wireTimeSql('changeset.at')} as at,
       changeset.actor_id as "actorId", changeset.actor_name as "actorName", changeset.actor_type as "actorType"
  from unnest($2::text[]) requested(id)
 cross join lateral (
   select * from change where organization_id = $1 and object_id = requested.id and ($3::bigint is null or revision < $3)
    order by revision desc, ordinal desc limit 1) change
  join changeset on changeset.organization_id = $1 and changeset.revision = change.revision`;

/**
 * Returns the version of each object before the write of `revision`, and who changed it, as far as the caller may see
 * such changes. Objects without history have no `ledger_id`.
 */
export async function presentVersions(
  em: EntityManager,
  caller: Caller,
  ids: readonly string[],
  revision?: Revision,
): Promise<readonly PresentVersion[]> {
  const { organizationId } = caller;
  const requestedIds = [...new Set(ids)].slice(0, VERSIONS_MAX);
  const rows = await em.query<ChangeRow[]>(LATEST, [organizationId, requestedIds, revision ?? null]);
  const visibleRows = rows.filter(({ projectId, environmentId }) =>
    [projectId, environmentId].every((scope) => scope === null || canOnScope(caller, 'read', scope)),
  );
  const ledgerIds = await ledgerIdsAt(
    SnapshotReader.within(em),
    organizationId,
    pointInTimeBefore(revision),
    visibleRows.map(({ id }) => id),
  );
  return visibleRows.map(
    ({ id, name, type, action, revision: versionRevision, at, actorId, actorName, actorType }) => ({
      object: { type, id, name },
      ledger_id: ledgerIds.get(id) ?? null,
      action,
      revision: versionRevision,
      at,
      actor: { id: actorId, name: actorName, type: actorType },
    }),
  );
}

/** Returns the `ledger_id` of each object that exists at a point in time and has one. */
export async function ledgerIdsAt(
  reader: SnapshotReader,
  organizationId: OrganizationId,
  at: PointInTime,
  requestedIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const ids = requestedIds.filter(isUuid);
  if (ids.length === 0) return new Map();
  const selects = OBJECT_TABLES.map(
    (table) => `select id::text, ledger_id::text from ${rowsAt(table, at)} object where id = any(requested.ids)`,
  );
  const rows = await reader.query<{ id: string; ledger_id: string }>(
    `select version.* from (select $3::uuid[] as ids where $2::bigint is not distinct from $2) requested
      cross join lateral (${selects.join(' union all ')}) version`,
    [...versionParameters(organizationId, at), ids],
  );
  return new Map(rows.map(({ id, ledger_id: ledgerId }) => [id, ledgerId]));
}

/** Tables of objects that changesets write and that have no history. Their version is the time of their last change. */
const WITHOUT_HISTORY = ['access_grant', 'temporary_grant', 'member_group', 'membership', 'tag', 'webhook'];
const LAST_CHANGED = WITHOUT_HISTORY.map(
  (table) =>
    `select id::text, ${wireTimeSql('modified_at')} as version from ${table} where organization_id = $1 and id = any($2::uuid[])`,
).join(' union all ');

/** Returns the present version of each existing object that a changeset may write: see `versionOf`. */
export async function readPresentVersions(
  reader: SnapshotReader,
  organizationId: OrganizationId,
  requestedIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const versions = new Map(await ledgerIdsAt(reader, organizationId, 'now', requestedIds));
  const otherIds = requestedIds.filter((id) => !versions.has(id));
  if (otherIds.length === 0) return versions;
  const parameters = [organizationId, otherIds.filter(isUuid)];
  const rows = await reader.query<{ id: string; version: string }>(LAST_CHANGED, parameters);
  for (const { id, version } of rows) versions.set(id, version);
  return versions;
}

/** Returns the point in time before the write of a revision; without a revision, the present. */
export function pointInTimeBefore(revision: Revision | undefined): PointInTime {
  return revision === undefined ? 'now' : revision - 1;
}
