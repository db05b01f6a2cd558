import type { RunningCore, TestOrganization } from '@strata/testkit';
import { query } from './query.ts';

/** What the last write of an organization recorded, in its order; `-` where nobody hears of it. */
export function lastRecorded(core: RunningCore, { id }: TestOrganization) {
  return query<{ event: string; action: string; type: string; name: string }>(
    core,
    `select coalesce(event_type, '-') as event, action, object_type as type, object_name as name from change
      where organization_id = $1 and revision = (select max(revision) from change where organization_id = $1)
      order by ordinal`,
    [id],
  );
}
