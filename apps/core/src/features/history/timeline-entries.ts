import type { AuditAction, EnvironmentId, Instant, ParameterId, Revision } from '@strata/domain';
import { wireTime } from '../../platform/postgres/versioned-table.ts';

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
export function entryQueries(matching: string, size: string) {
  const changes = `change c where c.organization_id = $1 and ($2::bigint is null or c.revision <= $2) and ${matching}`;
  const floor = `coalesce((select c.revision from ${changes}
                            order by c.revision desc, c.ordinal desc offset ${size}::int - 1 limit 1), 0)`;
  const page = `select * from ${changes} and c.revision >= ${floor}`;
  return {
    /** Selects the same changes, so that other queries can join them. */
    page,
    entries: `
      select c.revision, c.action, c.object_type, c.object_id, c.object_name, c.environment_id, c.environment_name,
             c.parameter_id, c.parameter_name, ${wireTime('s.at')} as at, s.actor_name, s.actor_type
        from (${page}) c
        join changeset s on s.organization_id = c.organization_id and s.revision = c.revision
       order by c.revision desc, c.ordinal desc`,
    older: `
      select ${wireTime('s.at')} as at from changeset s
       where s.organization_id = $1
         and s.revision = (select max(c.revision) from ${changes} and c.revision < ${floor})`,
  };
}

/** Returns the author in the format that existing clients expect. */
export function actorIn({ actor_name: name, actor_type: type }: EntryRow): string {
  return type === 'service' ? `Service Account (${name})` : name;
}

export function historyType({ action }: EntryRow): 'create' | 'update' | 'delete' | 'nothing' {
  return action === 'create' || action === 'update' || action === 'delete' ? action : 'nothing';
}

export function createTimeline<Entry>(results: Entry[], older: readonly { readonly at: Instant }[]): Timeline<Entry> {
  const [next] = older;
  return { count: results.length, ...(next && { next_as_of: next.at }), results };
}
