import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLE = `
-- A running program, and what it reported last about the configuration of a project in an environment.
create table instance (
  organization_id    uuid not null,
  person_id          text not null,
  -- identifies the credential without its secret
  credential         text not null,
  project_id         uuid not null,
  environment_id     uuid not null,
  name               text not null,
  -- the names that it follows; null for all
  names              text[],
  reveal             boolean not null,
  confirmed_revision bigint,
  -- keyed hashes of the digests that it confirmed and refused
  digest             text,
  refused_revision   bigint,
  refused_digest     text,
  reason             text,
  since              timestamptz not null,
  seen_at            timestamptz not null,
  primary key (organization_id, person_id, credential, project_id, environment_id, name),
  constraint instance_reported check (coalesce(confirmed_revision, refused_revision) is not null),
  constraint instance_member foreign key (organization_id, person_id)
    references membership (organization_id, person_id) on delete cascade,
  constraint instance_project foreign key (organization_id, project_id)
    references project (organization_id, id) on delete cascade,
  constraint instance_environment foreign key (organization_id, environment_id)
    references environment (organization_id, id) on delete cascade
);
create index instance_scope on instance (organization_id, project_id, environment_id);

grant select, insert, update, delete on instance to strata_app;`;

/** Adds the instances of programs, which report the configuration that they run. */
export class Instances1700000000028 implements MigrationInterface {
  readonly name = 'Instances1700000000028';
  readonly servesCoresFrom = 16;

  async up(db: QueryRunner): Promise<void> {
    await db.query(TABLE);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('drop table instance');
  }
}
