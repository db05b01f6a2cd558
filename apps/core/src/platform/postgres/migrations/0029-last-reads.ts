import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLES = `
-- When service accounts last read the configuration of a project in an environment, to the minute. The row with an empty
-- name covers all reads; the others cover reads that named a parameter. Ids of deleted objects may remain for a while.
create table last_read (
  organization_id uuid not null,
  project_id      uuid not null,
  environment_id  uuid not null,
  name            text not null,
  account_id      text not null,
  read_at         timestamptz not null,
  primary key (organization_id, project_id, environment_id, name, account_id),
  constraint last_read_service_account foreign key (organization_id, account_id)
    references service_account (organization_id, person_id) on delete cascade
);
create index last_read_account on last_read (organization_id, account_id);

-- For how many minutes after a read an object can only be deleted with force; null for no protection.
alter table organization add column read_protection_minutes integer
  constraint organization_read_protection check (read_protection_minutes between 1 and 10080);

grant select, insert, update, delete on last_read to strata_app;`;

/** Adds the last reads of configuration, and the protection of what was read recently. */
export class LastReads1700000000029 implements MigrationInterface {
  readonly name = 'LastReads1700000000029';
  readonly servesCoresFrom = 16;

  async up(db: QueryRunner): Promise<void> {
    await db.query(TABLES);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('alter table organization drop column read_protection_minutes; drop table last_read;');
  }
}
