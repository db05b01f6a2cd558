import type { AuditAction, EnvironmentId, Instant, ParameterId, Revision } from '@strata/domain';
import { wireTimeSql } from '../../platform/postgres/versioned-table.ts';

/** A change in a timeline. */
export interface EntryRow {
  readonly revision: Revision;
  readonly action: AuditAction;
  readonly object_type: string;
  readonly object_id: string;
  readonly object_name: string;
  readonly environment_id: EnvironmentId | null;
  readonly environment_name: string | null;
  readonly parameter_id: ParameterId;
  readonly parameter_name: string;
  readonly at: Instant;
  readonly actor_name: string;
  readonly actor_type: string;
}

export interface Timeline<Entry> {
  readonly count: number;
  readonly next_as_of?: Instant;
  readonly results: Entry[];
}

/**
 * Returns SQL that selects the newest matching changes up to revision $2 (null selects all), and the instant of the
 * next older change. `size` is the placeholder of the minimum number of rows. All changes of one revision are on the
 * same page, so that a client can continue by instant without missing any.
 */
export function entryQueries(matchingSql: string, size: string) {
  const changes = `change where change.organization_id = $1 and ($2::bigint is null or change.revision <= $2) and ${matchingSql}`;
  const floor = `coalesce((select change.revision from ${changes}
                            order by change.revision desc, change.ordinal desc offset ${size}::int - 1 limit 1), 0)`;
  const page = `select * from ${changes} and change.revision >= ${floor}`;
  return {
    /** Selects the same changes, so that other queries can join them. */
    page,
    entries: `
      select change.revision, change.action, change.object_type, change.object_id, change.object_name, change.environment_id, change.environment_name,
             change.parameter_id, change.parameter_name, ${wireTimeSql('changeset.at')} as at, changeset.actor_name, changeset.actor_type
        from (${page}) change
        join changeset on changeset.organization_id = change.organization_id and changeset.revision = change.revision
       order by change.revision desc, change.ordinal desc`,
    older: `
      select ${wireTimeSql('changeset.at')} as at from changeset
       where changeset.organization_id = $1
         and changeset.revision = (select max(change.revision) from ${changes} and change.revision < ${floor})`,
  };
}

/** Returns the author in the format that existing clients expect. */
export function describeActor({ actor_name: name, actor_type: type }: EntryRow): string {
  return type === 'service' ? `Service Account (${name})` : name;
}

export function historyType({ action }: EntryRow): 'create' | 'update' | 'delete' | 'nothing' {
  return action === 'create' || action === 'update' || action === 'delete' ? action : 'nothing';
}

export function createTimeline<Entry>(
  results: Entry[],
  olderVersions: readonly { readonly at: Instant }[],
): Timeline<Entry> {
  const [next] = olderVersions;
  return { count: results.length, ...(next && { next_as_of: next.at }), results };
}
