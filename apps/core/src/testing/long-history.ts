import type { RunningCore, TestOrganization } from '@strata/testkit';
import { query } from './query.ts';

/**
 * Writes a row, and inserts earlier versions as if it had been written this many times without a difference. This is
 * faster than sending as many requests.
 */
export async function insertEarlierVersions(
  core: RunningCore,
  { id: organizationId }: TestOrganization,
  {
    table,
    id,
    times,
  }: { readonly table: 'project' | 'value' | 'environment'; readonly id: string; readonly times: number },
  write: () => Promise<{ readonly status: number }>,
): Promise<void> {
  await query(
    core,
    `with head as (update organization_head set revision = revision + $2::int, at = at + $2::int * interval '1 microsecond'
                    where organization_id = $1 returning revision, at)
     insert into changeset (organization_id, revision, at, actor_id, actor_name, actor_type, surface, request_id)
     select $1, head.revision - round, head.at - round * interval '1 microsecond', 'someone', 'someone', 'interactive', 'rest', ''
       from head, generate_series(0, $2::int - 1) round`,
    [organizationId, times],
  );
  expect((await write()).status).toBe(200);
  await query(
    core,
    `with last as (
       select * from ${table}_history where organization_id = $1 and id = $2 order by revision desc limit 1)
     insert into ${table}_history
     select earlier_version.* from last, generate_series(last.revision_to - $3::int, last.revision_to - 1) round,
            jsonb_populate_record(last::${table}_history,
              to_jsonb(last) || jsonb_build_object('revision', round, 'revision_to', round + 1)) earlier_version`,
    [organizationId, id, times],
  );
  await query(
    core,
    `update ${table}_history set revision_to = revision_to - $3::int
      where organization_id = $1 and id = $2 and revision = (
        select max(revision) from ${table}_history where organization_id = $1 and id = $2 and revision_to - revision > 1)`,
    [organizationId, id, times],
  );
}
