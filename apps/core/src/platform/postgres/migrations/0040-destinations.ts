import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds destinations of changes beside the webhooks of the contract. Both share one log of deliveries. */
export class Destinations1700000000040 implements MigrationInterface {
  readonly name = 'Destinations1700000000040';
  readonly servesCoresFrom = 16;

  async up(db: QueryRunner): Promise<void> {
    await db.query(DESTINATION);
    await db.query(DELIVERY);
    await db.query(REMINDER);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('drop table expiry_reminder');
    await db.query('delete from delivery where destination_id is not null');
    await db.query(DELIVERY_BEFORE);
    await db.query('drop table destination');
  }
}

const DESTINATION = `
create table destination (
  organization_id uuid not null references organization on delete cascade,
  id              uuid not null,
  name            text not null check (name <> ''),
  type            text not null check (type in ('http', 'teams', 'discord', 'email')),
  -- The filter. An empty list selects everything.
  event_types     text[] not null,
  project_ids     uuid[] not null,
  environment_ids uuid[] not null,
  parameter_names text[] not null,
  -- The address is a credential, because no other one is needed to post to it. E-mail has recipients instead.
  sealed_address  bytea,
  masked_address  text,
  recipients      text[] not null,
  envelope        text,
  signing         text,
  sealed_secret   bytea,
  public_key      text,
  sealed_previous_secret bytea,
  previous_public_key    text,
  previous_secret_until  timestamptz,
  expiry_days     integer[] not null,
  -- The user who is notified if the destination fails; a text like the actors of the ledger.
  owner_id        text,
  state           text not null default 'active' check (state in ('active', 'suspended')),
  state_reason    text,
  failing_since   timestamptz,
  -- The destination was suspended, and its owner was not yet notified.
  notice_due      boolean not null default false,
  created_at      timestamptz not null,
  modified_at     timestamptz not null,
  -- The progress, as in the table webhook.
  cursor_epoch    uuid not null,
  cursor_revision bigint not null,
  cursor_ordinal  integer not null,
  lease_token     uuid,
  lease_until     timestamptz,
  failures        integer not null default 0,
  next_attempt_at timestamptz not null default clock_timestamp(),
  primary key (organization_id, id)
);
create index destination_notice on destination (organization_id) where notice_due;
grant select, insert, update, delete on destination to strata_app;`;

const DELIVERY = `
alter table delivery
  alter column webhook_id drop not null,
  add column destination_id uuid,
  -- Stays the same if a message is sent again. Null for webhooks.
  add column message_id uuid,
  -- The filter at the first attempt, so that later attempts send the same events.
  add column filter jsonb,
  -- The names of expiring values, for reminders only.
  add column content jsonb,
  drop constraint delivery_kind_check,
  add constraint delivery_kind_check check (kind in ('change', 'test', 'redelivery', 'reminder')),
  add constraint delivery_target check (num_nonnulls(webhook_id, destination_id) = 1),
  add constraint delivery_destination foreign key (organization_id, destination_id)
    references destination (organization_id, id) on delete cascade;
create index delivery_of_destination on delivery (organization_id, destination_id, created_at desc)
  where destination_id is not null;
create unique index delivery_open_to_destination on delivery (organization_id, destination_id)
  where kind = 'change' and status in ('queued', 'sending', 'retrying');
create index delivery_waiting on delivery (organization_id, destination_id, created_at)
  where destination_id is not null and status in ('queued', 'sending', 'retrying');`;

const DELIVERY_BEFORE = `
alter table delivery
  drop column destination_id,
  drop column message_id,
  drop column filter,
  drop column content,
  drop constraint delivery_kind_check,
  add constraint delivery_kind_check check (kind in ('change', 'test', 'redelivery')),
  alter column webhook_id set not null;`;

const REMINDER = `
-- The reminders that were queued. A value with a new text expires at another time, and has reminders of its own.
create table expiry_reminder (
  organization_id uuid not null,
  destination_id  uuid not null,
  value_id        uuid not null,
  expires_at      timestamptz not null,
  days            integer not null,
  primary key (organization_id, destination_id, value_id, expires_at, days),
  constraint expiry_reminder_destination foreign key (organization_id, destination_id)
    references destination (organization_id, id) on delete cascade
);
create index expiry_reminder_expires on expiry_reminder (expires_at);
grant select, insert, update, delete on expiry_reminder to strata_app;`;
