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

/** Lets rotations wait for pushes. */
export class RotationPushes1700000000050 implements MigrationInterface {
  readonly name = 'RotationPushes1700000000050';
  readonly servesCoresFrom = 16;

  async up(db: QueryRunner): Promise<void> {
    await db.query(ROTATION_PUSH);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('drop index sync_key_parameter; drop table rotation_push;');
  }
}
