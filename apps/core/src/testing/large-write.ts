import type { RunningCore, TestOrganization } from '@strata/testkit';
import { query } from './query.ts';

/** Inserts events as one very large write would. Their object ids count from 1. */
export async function insertHistory(
  core: RunningCore,
  { id }: TestOrganization,
  count: number,
  name: string,
): Promise<void> {
  await query(
    core,
    `with head as (update organization_head set revision = revision + 1, at = clock_timestamp()
                    where organization_id = $1 returning revision, at),
          changeset as (
            insert into changeset (organization_id, revision, at, actor_id, actor_name, actor_type, surface, request_id)
            select $1, revision, at, 'someone', 'someone', 'interactive', 'rest', '' from head)
     insert into change (organization_id, revision, ordinal, event_type, action, object_type, object_id, object_name)
     select $1, revision, number, 'value_updated', 'update', 'Value', number::text, $3 from head, generate_series(1, $2::int) number`,
    [id, count, name],
  );
}

/** Inserts changesets as an earlier release wrote them. */
export const insertUnlinked = (core: RunningCore, { id }: TestOrganization, count: number): Promise<unknown> =>
  query(
    core,
    `with head as (
       update organization_head set revision = revision + $2, at = at + $2 * interval '1 microsecond' where organization_id = $1
       returning revision, at)
     insert into changeset (organization_id, revision, at, actor_id, actor_name, actor_type, surface, request_id, changes)
     select $1, head.revision - position, head.at - position * interval '1 microsecond', 'someone', 'someone', 'interactive', 'rest', '',
            (select max(changes) from changeset where organization_id = $1)
       from head, generate_series(0, $2 - 1) position`,
    [id, count],
  );
