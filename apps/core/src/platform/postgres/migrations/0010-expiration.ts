import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the expiration of values to parameters. */
export class Expiration1700000000010 implements MigrationInterface {
  readonly name = 'Expiration1700000000010';

  async up(db: QueryRunner): Promise<void> {
    for (const table of ['parameter', 'parameter_history']) {
      await db.query(`alter table ${table} add column expires text, add column expiration_action jsonb`);
    }
    await db.query(EXPIRATION);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('drop table parameter_expiration');
    await db.query('drop index parameter_expires');
    for (const table of ['parameter', 'parameter_history']) {
      await db.query(`alter table ${table} drop column expires, drop column expiration_action`);
    }
  }
}

const EXPIRATION = `
create index parameter_expires on parameter (organization_id) where expires is not null;

-- The latest expiration of each parameter. Not recorded in the ledger, because an expiration is not a change.
create table parameter_expiration (
  organization_id uuid not null,
  parameter_id    uuid not null,
  state           text not null check (state in ('expired', 'rotated', 'failed')),
  at              timestamptz not null,
  detail          text not null,
  primary key (organization_id, parameter_id),
  constraint parameter_expiration_parameter foreign key (organization_id, parameter_id)
    references parameter (organization_id, id) on delete cascade
);
grant select, insert, update, delete on parameter_expiration to strata_app;`;
