import type { MigrationInterface, QueryRunner } from 'typeorm';

const INTEGRATION = `
alter table integration
  -- One process at a time runs the tasks of an integration.
  add column lease_token uuid,
  add column lease_until timestamptz,
  -- Why no task runs until an operator continues; null if tasks run.
  add column held_because text;`;

const EXCHANGE = `
alter table exchange
  -- What happens to keys whose text another program has changed.
  add column drift text not null default 'report' check (drift in ('report', 'overwrite', 'import')),
  -- Whether runs that no person starts are dry runs.
  add column plan_first boolean not null default false;`;

const TASK = `
alter table task
  -- The decisions about single keys, by key: {action, version}.
  add column decisions jsonb not null default '{}',
  add column failures integer not null default 0,
  -- When a queued or running task continues. Null for a task that has ended.
  add column next_attempt_at timestamptz;
create index task_waiting on task (next_attempt_at) where state in ('queued', 'running');`;

const SYNC_KEY = `
-- A key of a store outside that a push writes: what Strata wrote there, and its state.
create table sync_key (
  organization_id uuid not null,
  exchange_id     uuid not null,
  key             text not null,
  -- identifies the store across integrations
  store           text not null,
  -- whether Strata wrote the key, or has started to
  is_owned        boolean not null,
  -- a keyed hash of the text that Strata wrote last, and the version that the write created
  written_hash    text,
  version         text,
  -- a write whose end is not known; 'removed' is a deletion that has succeeded
  started_action  text check (started_action in ('write', 'remove', 'removed')),
  started_hash    text,
  state           text not null check (state in ('in_sync', 'drifted', 'foreign', 'missing', 'pending', 'failed')),
  action          text not null,
  reason          text not null,
  -- the reason of a failure, without a value
  detail          text,
  -- the version in the store when it was last listed
  seen_version    text,
  project_id      uuid,
  environment_id  uuid,
  parameter_id    uuid,
  changed_at      timestamptz not null,
  primary key (organization_id, exchange_id, key),
  constraint sync_key_exchange foreign key (organization_id, exchange_id)
    references exchange (organization_id, id) on delete cascade,
  constraint sync_key_started check ((started_action = 'write') = (started_hash is not null))
);
-- Two pushes never own the same key.
create unique index sync_key_owner on sync_key (organization_id, store, key) where is_owned;

grant select, insert, update, delete on sync_key to strata_app;`;

/** Lets pushes write to stores outside, and records per key what they wrote. */
export class SyncKeys1700000000037 implements MigrationInterface {
  readonly name = 'SyncKeys1700000000037';
  readonly servesCoresFrom = 16;

  async up(db: QueryRunner): Promise<void> {
    for (const statements of [INTEGRATION, EXCHANGE, TASK, SYNC_KEY]) await db.query(statements);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`drop table sync_key;
      alter table task drop column decisions, drop column failures, drop column next_attempt_at;
      alter table exchange drop column drift, drop column plan_first;
      alter table integration drop column lease_token, drop column lease_until, drop column held_because;`);
  }
}
