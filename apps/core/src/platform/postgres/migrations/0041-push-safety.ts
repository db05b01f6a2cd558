import type { MigrationInterface, QueryRunner } from 'typeorm';

const SYNC_KEY = `
-- An integration can change its account. The records of both stores stay.
alter table sync_key
  drop constraint sync_key_pkey,
  add primary key (organization_id, exchange_id, store, key),
  -- The tag whose value was written. Null in records of earlier releases.
  add column tag_id uuid;`;

/** Stores the store and the tag of each record of a key. */
export class PushSafety1700000000041 implements MigrationInterface {
  readonly name = 'PushSafety1700000000041';
  readonly servesCoresFrom = 16;

  async up(db: QueryRunner): Promise<void> {
    await db.query(SYNC_KEY);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`delete from sync_key record using sync_key other
       where other.organization_id = record.organization_id and other.exchange_id = record.exchange_id
         and other.key = record.key and other.store > record.store;
      alter table sync_key drop column tag_id, drop constraint sync_key_pkey,
        add primary key (organization_id, exchange_id, key);`);
  }
}
