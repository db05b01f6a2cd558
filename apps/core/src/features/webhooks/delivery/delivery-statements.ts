import { addJob, type TargetTable } from './jobs.ts';

const OWN_LEASE = 'organization_id = $1 and id = $2 and lease_token = $3';
const OPEN_STATUSES = `('queued', 'sending', 'retrying')`;
const inMilliseconds = (parameter: string) => `clock_timestamp() + ${parameter}::float8 * interval '1 ms'`;

const WIRE_TIME = `'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'`;

/** The differences between the two tables. */
interface TargetDialect {
  /** The column of a delivery that contains the id. */
  readonly column: string;
  /** An expression that changes if a member changes where messages go. */
  readonly fingerprint: (alias: string) => string;
  readonly failingMs: string;
  /** The kinds of deliveries that wait for a worker. */
  readonly queuedKinds: string;
  /** The columns of the table that only destinations have, when a message is completed. */
  readonly completed: string;
}

const DIALECTS: Readonly<Record<TargetTable, TargetDialect>> = {
  webhook: {
    column: 'webhook_id',
    fingerprint: (alias) => `encode(${alias}.sealed_token, 'hex') || ${alias}.channel`,
    failingMs: 'null::float8',
    queuedKinds: `'change'`,
    completed: '',
  },
  destination: {
    column: 'destination_id',
    fingerprint: (alias) => `${alias}.modified_at::text`,
    failingMs: 'extract(epoch from clock_timestamp() - target.failing_since)::float8 * 1000',
    queuedKinds: `'change', 'redelivery', 'reminder'`,
    completed: `,
         failing_since = case when $11 in ('retrying', 'queued') and not is_changed then coalesce(target.failing_since, clock_timestamp()) end,
         notice_due = target.notice_due or ($9::text is not null and not is_changed)`,
  },
};

/** The statements that store the progress of the rows of a table. $1 is the organization, $2 the id, $3 the lease. */
export const deliveryStatements = {
  webhook: createStatements('webhook'),
  destination: createStatements('destination'),
} as const;

function createStatements(table: TargetTable) {
  const dialect = DIALECTS[table];
  return {
    claim: claimStatement(table, dialect),
    renew: `update ${table} set lease_until = ${inMilliseconds('$4')} where ${OWN_LEASE}`,
    move: `
update ${table} set lease_token = null, lease_until = null, cursor_epoch = $4, cursor_revision = $5, cursor_ordinal = $6
 where ${OWN_LEASE}`,
    postpone: `
with updated as (
  update ${table} set lease_token = null, lease_until = null, next_attempt_at = ${inMilliseconds('$4')}
   where ${OWN_LEASE} returning organization_id, id, next_attempt_at)
select ${addJob(table, 'replace', { runAt: 'target.next_attempt_at', trace: '$5::text' })} from updated target`,
    ...recordStatements(table, dialect),
    complete: completeStatement(table, dialect),
  };
}

/**
 * The caller chooses the lease token, so that it can repeat the statement if the response was lost. A message with changes
 * that was started comes before requested messages, so that its order stays the same.
 */
function claimStatement(table: TargetTable, { column, fingerprint, failingMs, queuedKinds }: TargetDialect): string {
  return `
with updated as (
  update ${table} set lease_token = $4, lease_until = ${inMilliseconds('$3')}
   where organization_id = $1 and id = $2 and state = 'active' and next_attempt_at <= clock_timestamp()
     and (lease_until is null or lease_until < clock_timestamp() or lease_token = $4)
  returning *)
select target.*, ${fingerprint('target')} as fingerprint, ${failingMs} as failing_ms,
       (select to_jsonb(delivery) from delivery
         where delivery.organization_id = target.organization_id and delivery.${column} = target.id
           and kind in (${queuedKinds}) and status in ${OPEN_STATUSES}
         order by kind <> 'change', created_at, delivery.id limit 1) as delivery
  from updated target`;
}

function recordStatements(table: TargetTable, { column }: TargetDialect) {
  const columns = `organization_id, ${column}, id, kind, status, event_types, events, epoch, from_revision, from_ordinal,
  to_revision, to_ordinal, revision, text, message_id, filter`;
  return {
    begin: `
with updated as (update ${table} set lease_until = ${inMilliseconds('$4')} where ${OWN_LEASE} returning organization_id, id)
insert into delivery (${columns})
select target.organization_id, target.id, $5, $6, 'sending', $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17 from updated target
on conflict (organization_id, id) do update set status = 'sending', text = excluded.text, modified_at = clock_timestamp()
returning id`,
    beginAlone: `insert into delivery (${columns})
values ($1, $2, $3, $4, 'sending', $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)`,
    /** Queues a message that a worker sends later. */
    enqueue: `insert into delivery (${columns})
values ($1, $2, $3, $4, 'queued', $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)`,
  };
}

/** If the address was changed while the message was being sent, a failure neither suspends the row nor delays the next attempt. */
function completeStatement(table: TargetTable, { fingerprint, completed }: TargetDialect): string {
  return `
with updated as (
  update ${table} target set lease_token = null, lease_until = null,
         cursor_epoch = coalesce($4, cursor_epoch), cursor_revision = coalesce($5, cursor_revision),
         cursor_ordinal = coalesce($6, cursor_ordinal),
         failures = case when is_changed then 0 else $7 end,
         next_attempt_at = ${inMilliseconds('case when is_changed then 0 else coalesce($8::float8, 0) end')},
         state = case when $9::text is null or is_changed then state else 'suspended' end,
         state_reason = case when $9::text is null or is_changed then state_reason else $9 end${completed}
    from (select $10::text <> ${fingerprint('current')} as is_changed
            from ${table} current where organization_id = $1 and id = $2) as seen
   where target.organization_id = $1 and target.id = $2 and target.lease_token = $3
  returning target.organization_id, target.id, target.next_attempt_at),
told as (
  update delivery set status = $11::text, modified_at = clock_timestamp(),
         attempts = attempts || case when $8::float8 is null then $12::jsonb else
           jsonb_set($12::jsonb, '{-1,retry_at}',
             to_jsonb(to_char(target.next_attempt_at at time zone 'UTC', ${WIRE_TIME}))) end
    from updated target where delivery.organization_id = target.organization_id and delivery.id = $13)
select case when $8::float8 is not null
       then ${addJob(table, 'replace', { runAt: 'target.next_attempt_at', trace: '$14::text' })} end from updated target`;
}
