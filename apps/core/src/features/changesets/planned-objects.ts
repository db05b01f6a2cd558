import type { OrganizationId, Revision } from '@strata/domain';
import { isUuid } from '@strata/domain';
import type { PlannedWrite } from '../../platform/ledger/planned-write.ts';
import type { SnapshotReader } from '../../platform/postgres/snapshot-reader.ts';
import type { RunOutcome } from './changeset-run.ts';
import { ledgerIdsAt } from './expected-version.ts';

/** What a plan rests on, each with what it was: its `ledger_id`, its last change where it has none, null where nothing was. */
export type PlannedObjects = readonly (readonly [what: string, version: string | null])[];

/** $3 objects, $4 what was looked at with all that is in it: the revision of the last change, as of $2. */
const LAST_CHANGES = `
select i.id::text as id, (
  select max(c.revision) from change c where c.organization_id = $1 and c.object_id = i.id::text and c.revision <= $2)::text as version
  from unnest($3::text[]) i(id)
union all
select 'in ' || i.id, greatest(
  (select max(c.revision) from change c where c.organization_id = $1 and c.project_id = i.id::uuid and c.revision <= $2),
  (select max(c.revision) from change c where c.organization_id = $1 and c.environment_id = i.id::uuid and c.revision <= $2),
  (select max(c.revision) from change c where c.organization_id = $1 and c.parameter_id = i.id::uuid and c.revision <= $2))::text
  from unnest($4::text[]) i(id)`;

/** As they are before the write, in a fixed number of statements. What it makes itself is no object yet. */
export async function plannedObjects(
  reader: SnapshotReader,
  organizationId: OrganizationId,
  base: Revision,
  { objects, contents, absent }: PlannedWrite,
  { changes, made }: Pick<RunOutcome, 'changes' | 'made'>,
): Promise<PlannedObjects> {
  const written = changes.filter(({ action }) => action !== 'create').map(({ object }) => object.id);
  const ids = [...new Set([...objects, ...written])].filter((id) => !made.has(id)).sort();
  const versions = await ledgerIdsAt(reader, organizationId, base, ids);
  const others = ids.filter((id) => !versions.has(id));
  const within = [...contents].filter((id) => isUuid(id) && !made.has(id)).sort();
  const rows =
    others.length + within.length === 0
      ? []
      : await reader.query<{ id: string; version: string | null }>(LAST_CHANGES, [
          organizationId,
          base,
          others,
          within,
        ]);
  return [
    ...ids.flatMap((id) => (versions.has(id) ? [[id, versions.get(id) ?? null] as const] : [])),
    ...rows.map(({ id, version }) => [id, version] as const),
    ...[...absent].sort().map((place) => [place, null] as const),
  ];
}
