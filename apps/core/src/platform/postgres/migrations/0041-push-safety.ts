import type { MigrationInterface, QueryRunner } from 'typeorm';

const SYNC_KEY = `
-- An integration can change its account. The records of both stores stay.
alter table sync_key
  drop constraint sync_key_pkey,
  add primary key (organization_id, exchange_id, store, key),
  -- The tag whose value was written. Null in records of earlier releases.
  add column tag_id uuid;`;

const EXCHANGE_TAG = `
-- The instant of the tag for which a run was queued. Cores of earlier releases set only "pushed", and run nothing.
alter table exchange_tag add column queued timestamptz;
update exchange_tag set queued = pushed;`;

const INTEGRATION = `
alter table integration
  -- The result of the last test of the connection.
  add column status text not null default 'unknown' check (status in ('unknown', 'connected', 'errored')),
  add column status_detail text,
  add column status_checked_at timestamptz;`;

const PROVIDER_TENANT = `
-- The external id that proves to a provider that a request is for this organization. It never changes, whatever happens to its keys.
create table provider_tenant (
  organization_id uuid primary key references organization on delete cascade,
  external_id     text not null
);
grant select, insert, update, delete on provider_tenant to strata_app;`;

/** Stores what makes pushes safe: the store and tag of each record, the queued instant of a tag, the tested connection, the external id. */
export class PushSafety1700000000041 implements MigrationInterface {
  readonly name = 'PushSafety1700000000041';
  readonly servesCoresFrom = 16;

  async up(db: QueryRunner): Promise<void> {
    for (const statements of [SYNC_KEY, EXCHANGE_TAG, INTEGRATION, PROVIDER_TENANT]) await db.query(statements);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`drop table provider_tenant;
      alter table integration drop column status, drop column status_detail, drop column status_checked_at;
      alter table exchange_tag drop column queued;
      delete from sync_key record using sync_key other
       where other.organization_id = record.organization_id and other.exchange_id = record.exchange_id
         and other.key = record.key and other.store > record.store;
      alter table sync_key drop column tag_id, drop constraint sync_key_pkey,
        add primary key (organization_id, exchange_id, key);`);
  }
}
