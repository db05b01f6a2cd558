import type { MigrationInterface, QueryRunner } from 'typeorm';

const ROTATION = `
-- A rotation of the credential in a secret: its settings, and the progress of the rotation that runs.
create table rotation (
  organization_id      uuid not null,
  id                   uuid not null,
  name                 text not null check (name <> ''),
  parameter_id         uuid not null,
  environment_id       uuid not null,
  rotator              text not null check (rotator in ('postgresql', 'aws_iam', 'command')),
  settings             jsonb not null,
  -- the password that Strata connects with
  sealed_credential    bytea,
  interval_days        integer,
  grace_seconds        integer not null,
  silent               text not null check (silent in ('wait', 'decide', 'revoke_after')),
  silent_after_seconds integer not null,
  stage                text not null default 'idle'
    check (stage in ('idle', 'creating', 'publishing', 'acknowledging', 'draining', 'revoking')),
  stage_since          timestamptz not null,
  -- identifies the rotation that runs, so that a command can recognize a repeated request
  run_id               uuid,
  is_requested         boolean not null default false,
  is_aborted           boolean not null default false,
  -- the version of the value that the rotation has seen or written
  value_ledger_id      uuid,
  published_credential text,
  published_revision   bigint,
  published_at         timestamptz,
  -- what will be published: its name, and its text or the password that it will have
  new_credential       text,
  sealed_new           bytea,
  -- what will be revoked, and since when it has been unused
  old_credential       text,
  unused_since         timestamptz,
  -- the credential that was revoked last, and those that this rotation created
  retired_credential   text,
  own_credentials      text[] not null default '{}',
  -- why the rotation waits, or needs a person
  wait_code            text,
  wait_detail          text,
  stop_code            text,
  stop_detail          text,
  -- why nothing is done until an operator continues
  held_because         text,
  failures             integer not null default 0,
  next_attempt_at      timestamptz,
  lease_token          uuid,
  lease_until          timestamptz,
  last_rotated_at      timestamptz,
  created_at           timestamptz not null,
  modified_at          timestamptz not null,
  primary key (organization_id, id),
  -- Two rotations never publish to the same value.
  constraint rotation_of_value unique (organization_id, parameter_id, environment_id),
  constraint rotation_parameter foreign key (organization_id, parameter_id)
    references parameter (organization_id, id) on delete cascade,
  constraint rotation_environment foreign key (organization_id, environment_id)
    references environment (organization_id, id) on delete cascade
);
create index rotation_environment_id on rotation (organization_id, environment_id);
create index rotation_due on rotation (next_attempt_at) where stop_code is null and held_because is null;

-- The instances that a rotation waits for, also if they do not report any more.
create table rotation_instance (
  organization_id uuid not null,
  rotation_id     uuid not null,
  id              uuid not null,
  person_id       text not null,
  credential      text not null,
  project_id      uuid not null,
  environment_id  uuid not null,
  name            text not null,
  account         text not null,
  has_acknowledged boolean not null,
  is_dismissed    boolean not null default false,
  is_blocking     boolean not null,
  reason          text,
  seen_at         timestamptz not null,
  primary key (organization_id, rotation_id, id),
  constraint rotation_instance_key unique (organization_id, rotation_id, person_id, credential, project_id, environment_id, name),
  constraint rotation_instance_rotation foreign key (organization_id, rotation_id)
    references rotation (organization_id, id) on delete cascade
);
grant select, insert, update, delete on rotation, rotation_instance to strata_app;`;

/** Adds rotations of secrets. */
export class Rotations1700000000045 implements MigrationInterface {
  readonly name = 'Rotations1700000000045';
  readonly servesCoresFrom = 16;

  async up(db: QueryRunner): Promise<void> {
    await db.query(ROTATION);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('drop table rotation_instance; drop table rotation;');
  }
}
