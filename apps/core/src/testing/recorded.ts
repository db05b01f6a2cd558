import type { RunningCore, TestOrganization } from '@strata/testkit';
import { query } from './query.ts';

interface RecordedChange {
  /** `-` if the change raises no event. */
  readonly event: string;
  readonly action: string;
  readonly type: string;
  readonly name: string;
}

const CHANGES = `
  select coalesce(event_type, '-') as event, action, object_type as type, object_name as name from change
   where organization_id = $1`;

/** Returns the changes of an organization's writes, oldest first. */
export function readRecordedChanges(core: RunningCore, { id }: TestOrganization): Promise<RecordedChange[]> {
  return query(core, `${CHANGES} order by revision, ordinal`, [id]);
}

/** Returns the changes of an organization's last write. */
export function lastRecorded(core: RunningCore, { id }: TestOrganization): Promise<RecordedChange[]> {
  const isLast = 'revision = (select max(revision) from change where organization_id = $1)';
  return query(core, `${CHANGES} and ${isLast} order by ordinal`, [id]);
}

export const describeRecordedChange = ({ event, action, type, name }: RecordedChange) =>
  `${event} ${action} ${type} ${name}`;
