import type { AuditAction, EventType, Named, ObjectType, OrganizationId, Revision } from '@strata/domain';
import type { Caller } from '../caller.ts';
import type { Statement } from './prepared-client.ts';

/** What happened to one object, and where. There is no field for a value, so no value can get into the ledger. */
export interface Change {
  /** One of the twelve events, or null for a change that nobody subscribes to. */
  readonly eventType: EventType | null;
  readonly action: AuditAction;
  readonly objectType: ObjectType;
  readonly object: Named;
  readonly project?: Named;
  readonly environment?: Named;
  readonly parameter?: Named;
}

/** Takes the head row, and with it the right to decide; tells the triggers what to stamp. */
export function advance(organizationId: OrganizationId): Statement {
  return {
    text: `with head as (
       update organization_head
          set revision = revision + 1, at = greatest(clock_timestamp(), at + interval '1 microsecond')
        where organization_id = $1
       returning revision, at)
     select revision, at, set_config('strata.revision', revision::text, true), set_config('strata.at', at::text, true),
            (select maintenance from organization where id = $1) as maintenance
       from head`,
    values: [organizationId],
  };
}

/** The same, if the organization is at this very revision of this history and may be written; fails with HEAD_MOVED otherwise. */
export function advanceFrom(organizationId: OrganizationId, { epoch, revision }: At): Statement {
  return {
    text: `with head as (
       update organization_head
          set revision = revision + 1, at = greatest(clock_timestamp(), at + interval '1 microsecond')
        where organization_id = $1 and epoch = $2 and revision = $3
          and not exists (select from organization where id = $1 and maintenance)
       returning revision, at)
     select set_config('strata.revision', revision::text, true), set_config('strata.at', at::text, true)
            ${orElseFail('revision', 'head')}`,
    values: [organizationId, epoch, revision],
  };
}

/** The revision of a history; another history may have a revision of the same number. */
export interface At {
  readonly epoch: string;
  readonly revision: Revision;
}

/** The end of a selection from something that has one row, or none: then it fails with HEAD_MOVED. */
export const orElseFail = (column: string, from: string): string =>
  `, 1 / (${column} is not null)::int from (values (1)) as always left join ${from} on true`;

/** division_by_zero: in SQL, nothing shorter fails where there is no row. */
const HEAD_MOVED = '22012';
export const isHeadMoved = (error: unknown): boolean => (error as { code?: unknown } | null)?.code === HEAD_MOVED;

/** The head row as it is, told like `advance` tells of the next one. */
export function present(organizationId: OrganizationId): Statement {
  return {
    text: `select revision, at, set_config('strata.revision', revision::text, true), set_config('strata.at', at::text, true)
             from organization_head where organization_id = $1`,
    values: [organizationId],
  };
}

const CHANGE_COLUMNS = [
  'event_type',
  'action',
  'object_type',
  'object_id',
  'object_name',
  'project_id',
  'project_name',
  'environment_id',
  'environment_name',
  'parameter_id',
  'parameter_name',
] as const;

/** Changeset and changes in one statement; a thousand changes travel as eleven arrays. */
export function appended(caller: Caller, revision: Revision, changes: readonly Change[]): Statement {
  const rows = changes.map(({ eventType, action, objectType, object, project, environment, parameter }) => [
    eventType,
    action,
    objectType,
    object.id,
    object.name,
    project?.id,
    project?.name,
    environment?.id,
    environment?.name,
    parameter?.id,
    parameter?.name,
  ]);
  const columns = CHANGE_COLUMNS.map((_, column) => rows.map((row) => row[column] ?? null));
  return {
    text: `with changeset as (
       insert into changeset (organization_id, revision, at, actor_id, actor_name, actor_type, surface, request_id, changes)
       values ($1, $2, current_setting('strata.at')::timestamptz, $3, $4, $5, $6, $7, cardinality($8::text[]) + coalesce(
         (select changes from changeset where organization_id = $1 and revision = $2::bigint - 1), 0)))
     insert into change (organization_id, revision, ordinal, ${CHANGE_COLUMNS.join(', ')})
     select $1, $2, ordinality, ${CHANGE_COLUMNS.join(', ')}
       from unnest($8::text[], $9::text[], $10::text[], $11::text[], $12::text[], $13::uuid[], $14::text[],
                   $15::uuid[], $16::text[], $17::uuid[], $18::text[])
            with ordinality as row(${CHANGE_COLUMNS.join(', ')}, ordinality)`,
    values: [
      caller.organizationId,
      revision,
      caller.id,
      caller.name,
      caller.type,
      caller.surface,
      caller.requestId,
      ...columns,
    ],
  };
}
