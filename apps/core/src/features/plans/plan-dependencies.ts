import { forbiddenScopes, isUuid, type OrganizationId, type Permissions, type Revision } from '@strata/domain';
import type { PlanRecorder } from '../../platform/ledger/plan-recorder.ts';
import { ledgerIdsAt } from '../../platform/ledger/present-versions.ts';
import type { SnapshotReader } from '../../platform/postgres/snapshot-reader.ts';
import { rowsAt } from '../../platform/postgres/versioned-table.ts';
import type { RunOutcome } from '../changesets/changeset-run.ts';

/**
 * The objects that a plan is based on, with their versions: the `ledger_id`, the revision of the last change if there
 * is no `ledger_id`, or null if the object did not exist.
 */
export type PlanDependencies = readonly (readonly [what: string, version: string | null])[];

const lastWithin = (noun: string) => `
  (select max(change.revision) from change
    where change.organization_id = $1 and change.${noun}_id = inside.id and change.revision <= $2
      and (change.project_id is null or change.project_id <> all($5::uuid[]))
      and (change.environment_id is null or change.environment_id <> all($5::uuid[])))`;

/**
 * Selects the revision of each object's last change. $2 is the revision, $3 contains objects, $4 objects that were read
 * with their contents, $5 scopes to leave out, and $6 objects that were read with all of their descendants.
 */
const LAST_CHANGES = `
with recursive inside (root, id) as (
  select id::uuid, id::uuid from unnest($4::text[]) id
  union
  select inside.root, child.id from inside cross join lateral (
    select project.id from ${rowsAt('project', 0)} project where project.depends_on_id = inside.id
    union all
    select environment.id from ${rowsAt('environment', 0)} environment where environment.parent_id = inside.id) child
   where inside.root = any($6::uuid[]))
select requested.id::text as id, (
  select max(change.revision) from change where change.organization_id = $1 and change.object_id = requested.id::text and change.revision <= $2)::text as version
  from unnest($3::text[]) requested(id)
union all
select 'in ' || inside.root, max(greatest(${['project', 'environment', 'parameter'].map(lastWithin).join(', ')}))::text
  from inside group by inside.root`;

/**
 * Returns the objects and their versions before the write. Leaves out objects that the write creates, and forbidden
 * objects. The number of statements is fixed.
 */
export async function readPlanDependencies(
  reader: SnapshotReader,
  organizationId: OrganizationId,
  base: Revision,
  { objects, contents, below, absent }: PlanRecorder,
  { changes, createdIds }: Pick<RunOutcome, 'changes' | 'createdIds'>,
  permissions: Permissions,
): Promise<PlanDependencies> {
  const writtenIds = changes.filter(({ action }) => action !== 'create').map(({ object }) => object.id);
  const ids = [...new Set([...objects, ...writtenIds])].filter((id) => !createdIds.has(id)).sort();
  const versions = await ledgerIdsAt(reader, organizationId, base, ids);
  const otherIds = ids.filter((id) => !versions.has(id));
  const contentIds = [...contents].filter((id) => isUuid(id) && !createdIds.has(id)).sort();
  const rows =
    otherIds.length + contentIds.length === 0
      ? []
      : await reader.query<{ id: string; version: string | null }>(LAST_CHANGES, [
          organizationId,
          base,
          otherIds,
          contentIds,
          forbiddenScopes(permissions),
          contentIds.filter((id) => below.has(id)),
        ]);
  return [
    ...ids.flatMap((id) => (versions.has(id) ? [[id, versions.get(id) ?? null] as const] : [])),
    ...rows.map(({ id, version }) => [id, version] as const),
    ...[...absent].sort().map((cell) => [cell, null] as const),
  ];
}
