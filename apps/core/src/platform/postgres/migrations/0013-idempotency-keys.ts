import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Stores the results of writes with an `Idempotency-Key`. */
export class IdempotencyKeys1700000000013 implements MigrationInterface {
  readonly name = 'IdempotencyKeys1700000000013';

  async up(db: QueryRunner): Promise<void> {
    await db.query(IDEMPOTENCY_KEY);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('drop table idempotency_key');
  }
}

const IDEMPOTENCY_KEY = `
create table idempotency_key (
  organization_id uuid not null references organization on delete cascade,
  person_id       text not null,
  key             text not null,
  digest          bytea not null,
  revision        bigint not null,
  sealed_result   bytea,
  shown_once      boolean not null,
  at              timestamptz not null,
  primary key (organization_id, person_id, key)
);
create index idempotency_key_at on idempotency_key (organization_id, at);
grant select, insert, update, delete on idempotency_key to strata_app;`;
