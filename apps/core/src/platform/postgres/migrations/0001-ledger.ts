import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Creates organizations, the head of each ledger, changesets and changes, and the triggers that record history. */
export class Ledger1700000000001 implements MigrationInterface {
  readonly name = 'Ledger1700000000001';

  async up(db: QueryRunner): Promise<void> {
    await db.query(ROLE);
    await db.query(TABLES);
    await db.query(TRIGGERS);
    await db.query(RIGHTS);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('drop function strata_stamp, strata_keep, strata_revision, strata_revision_at');
    await db.query('drop table change, changeset, organization_head, organization');
    await db.query('drop collation human');
    await db.query('revoke all on schema public from strata_app');
  }
}

const ROLE = `
do $$ begin
  if not exists (select from pg_roles where rolname = 'strata_app') then
    begin
      create role strata_app nologin;
    exception when duplicate_object or unique_violation then null; -- another migrator of this cluster was first
    end;
  end if;
  if not pg_has_role(current_user, 'strata_app', 'member') then
    execute format('grant strata_app to %I', current_user);
  end if;
end $$;
grant usage on schema public to strata_app;
create collation human (provider = icu, locale = 'en-u-ka-shifted');`;

const TABLES = `
create table organization (
  id                   uuid primary key,
  name                 text not null,
  project_name_pattern text not null default '',
  created_at           timestamptz not null default now(),
  modified_at          timestamptz not null default now()
);

-- Locked by every write of an organization; stores its latest revision and instant. Rows are updated often, so pages
-- are filled only in part to leave room for new row versions.
create table organization_head (
  organization_id uuid primary key references organization on delete cascade,
  epoch           uuid not null default gen_random_uuid(),
  revision        bigint not null default 0,
  at              timestamptz not null default clock_timestamp()
) with (fillfactor = 20);

create table changeset (
  organization_id uuid not null,
  revision        bigint not null,
  at              timestamptz not null,
  actor_id        text not null,
  actor_name      text not null,
  actor_type      text not null,
  surface         text not null,
  request_id      text not null,
  primary key (organization_id, revision)
);
create unique index changeset_at on changeset (organization_id, at);

-- No foreign keys, because changes outlive their objects. Names are stored as they were; values are not stored.
create table change (
  organization_id  uuid not null,
  revision         bigint not null,
  ordinal          integer not null,
  event_type       text,
  action           text not null check (action in ('create', 'update', 'delete')),
  object_type      text not null,
  object_id        text not null,
  object_name      text not null,
  project_id       uuid,
  project_name     text,
  environment_id   uuid,
  environment_name text,
  parameter_id     uuid,
  parameter_name   text,
  primary key (organization_id, revision, ordinal)
);
create index change_object on change (organization_id, object_type, object_id);`;

const TRIGGERS = `
create function strata_revision() returns bigint stable language sql
  as $$ select nullif(current_setting('strata.revision', true), '')::bigint $$;

create function strata_stamp() returns trigger language plpgsql as $$
begin
  if strata_revision() is null then
    raise exception 'A row of % can only be written inside a changeset.', tg_table_name;
  end if;
  new.revision    := strata_revision();
  new.modified_at := current_setting('strata.at')::timestamptz;
  new.ledger_id   := gen_random_uuid();
  new.created_at  := case when tg_op = 'INSERT' then new.modified_at else old.created_at end;
  return new;
end $$;

-- A row that was created and changed within one revision was never visible, so it leaves no history.
create function strata_keep() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if strata_revision() is null then
    raise exception 'A row of % can only be removed inside a changeset.', tg_table_name;
  end if;
  if old.revision < strata_revision() then
    execute format('insert into %I select $1, ($2).*', tg_table_name || '_history') using strata_revision(), old;
  end if;
  return null;
end $$;

-- The function writes history with its owner's rights, so no other role may attach it to a table of its own.
revoke execute on function strata_keep from public;

-- Returns the last revision at or before an instant; 0 before the first one.
create function strata_revision_at(organization uuid, instant timestamptz) returns bigint stable language sql as $$
  select coalesce((select revision from changeset where organization_id = organization and at <= instant
                    order by at desc limit 1), 0) $$;`;

const RIGHTS = `
grant select, insert, update on organization to strata_app;
grant select, insert, update on organization_head to strata_app;
grant select, insert on changeset, change to strata_app;`;
