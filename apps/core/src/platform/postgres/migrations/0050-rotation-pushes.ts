import type { MigrationInterface, QueryRunner } from 'typeorm';

const ROTATION_PUSH = `
-- The pushes whose keys may contain the previous credential of a rotation.
create table rotation_push (
  organization_id  uuid not null,
  rotation_id      uuid not null,
  -- no foreign key: the keys of a deleted push stay at the store
  push_id          uuid not null,
  name             text not null,
  integration_name text not null,
  is_blocking      boolean not null,
  reason           text not null
    check (reason in ('deleted', 'read_only', 'older_tag', 'undecided', 'running', 'failed', 'not_written')),
  dismissed_at     timestamptz,
  primary key (organization_id, rotation_id, push_id),
  constraint rotation_push_rotation foreign key (organization_id, rotation_id)
    references rotation (organization_id, id) on delete cascade
);
grant select, insert, update, delete on rotation_push to strata_app;
create index sync_key_parameter on sync_key (organization_id, parameter_id);`;

const COPIES = `
-- The values whose text a key may have at its store: the one that was written last, and those of writes whose result is unknown.
create table sync_key_origin (
  organization_id uuid not null,
  exchange_id     uuid not null,
  store           text not null,
  key             text not null,
  project_id      uuid not null,
  environment_id  uuid not null,
  parameter_id    uuid not null,
  primary key (organization_id, exchange_id, store, key, project_id, environment_id, parameter_id),
  constraint sync_key_origin_key foreign key (organization_id, exchange_id, store, key)
    references sync_key (organization_id, exchange_id, store, key) on delete cascade
);
grant select, insert, update, delete on sync_key_origin to strata_app;
create index sync_key_origin_parameter on sync_key_origin (organization_id, parameter_id);
insert into sync_key_origin
select organization_id, exchange_id, store, key, project_id, environment_id, parameter_id
  from sync_key
 where is_owned and project_id is not null and environment_id is not null and parameter_id is not null;

-- when the write began whose end is not known
alter table sync_key add column started_at timestamptz;

-- The texts of keys that may contain the previous credential of a rotation. They stay if the records of the keys are deleted.
create table rotation_push_key (
  organization_id uuid not null,
  rotation_id     uuid not null,
  push_id         uuid not null,
  store           text not null,
  key             text not null,
  -- the keyed hash of the text; empty if no text is known
  hash            text not null,
  project_id      uuid,
  environment_id  uuid,
  -- whether the latest check found another text at the store
  is_replaced     boolean not null,
  primary key (organization_id, rotation_id, push_id, store, key, hash),
  constraint rotation_push_key_push foreign key (organization_id, rotation_id, push_id)
    references rotation_push (organization_id, rotation_id, push_id) on delete cascade
);
grant select, insert, update, delete on rotation_push_key to strata_app;
create index rotation_push_key_key on rotation_push_key (organization_id, push_id, store, key);`;

/** Lets rotations wait for pushes. */
export class RotationPushes1700000000050 implements MigrationInterface {
  readonly name = 'RotationPushes1700000000050';
  readonly servesCoresFrom = 16;

  async up(db: QueryRunner): Promise<void> {
    await db.query(ROTATION_PUSH);
    await db.query(COPIES);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`
      drop table rotation_push_key;
      alter table sync_key drop column started_at;
      drop table sync_key_origin;
      drop index sync_key_parameter;
      drop table rotation_push;`);
  }
}
