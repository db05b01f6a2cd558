import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Creates webhooks, their deliveries, and the progress of each webhook. */
export class Webhooks1700000000004 implements MigrationInterface {
  readonly name = 'Webhooks1700000000004';

  async up(db: QueryRunner): Promise<void> {
    await db.query(WEBHOOK);
    await db.query(DELIVERY);
    await db.query(RATE_LIMIT);
    await db.query('grant select, insert, update, delete on webhook, delivery, chat_lane to strata_app');
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('drop table chat_lane, delivery, webhook');
  }
}

const WEBHOOK = `
create table webhook (
  organization_id uuid not null references organization on delete cascade,
  id              uuid not null,
  name            text not null check (name <> ''),
  event_types     text[] not null,
  channel         text not null,
  username        text not null,
  sealed_token    bytea not null,
  masked_token    text not null,
  state           text not null default 'active' check (state in ('active', 'suspended')),
  state_reason    text,
  created_at      timestamptz not null,
  modified_at     timestamptz not null,
  -- All events up to this position were delivered or have failed for good.
  cursor_epoch    uuid not null,
  cursor_revision bigint not null,
  cursor_ordinal  integer not null,
  -- The worker that delivers now. A worker that lost its lease cannot record its result any more.
  lease_token     uuid,
  lease_until     timestamptz,
  failures        integer not null default 0,
  next_attempt_at timestamptz not null default clock_timestamp(),
  primary key (organization_id, id)
);`;

const DELIVERY = `
create table delivery (
  organization_id uuid not null,
  webhook_id      uuid not null,
  id              uuid not null,
  kind            text not null check (kind in ('change', 'test', 'redelivery')),
  status          text not null,
  event_types     text[] not null,
  events          integer not null,
  -- The events of the message: after the first position, up to and including the second. A test has none.
  epoch           uuid,
  from_revision   bigint,
  from_ordinal    integer,
  to_revision     bigint,
  to_ordinal      integer,
  revision        bigint,
  text            text not null,
  -- Contains only codes, neither response bodies nor tokens.
  attempts        jsonb not null default '[]',
  created_at      timestamptz not null default clock_timestamp(),
  modified_at     timestamptz not null default clock_timestamp(),
  primary key (organization_id, id),
  constraint delivery_webhook foreign key (organization_id, webhook_id)
    references webhook (organization_id, id) on delete cascade
);
create index delivery_latest on delivery (organization_id, webhook_id, created_at desc);
-- Allows one open delivery per webhook, so that messages arrive in order.
create unique index delivery_open on delivery (organization_id, webhook_id)
  where kind = 'change' and status in ('queued', 'sending', 'retrying');`;

const RATE_LIMIT = `
-- The time from which the chat service accepts the next message with a token, or into a channel. A row belongs to a
-- workspace of the chat service and not to an organization, because two organizations may share a channel. The key is
-- a hash, which does not reveal the token.
create table chat_lane (
  key             bytea primary key,
  next_allowed_at timestamptz not null
);`;
