import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Creates tags, and the columns and indexes to read the ledger as an audit trail. */
export class TagsAndAudit1700000000007 implements MigrationInterface {
  readonly name = 'TagsAndAudit1700000000007';

  async up(db: QueryRunner): Promise<void> {
    await db.query(TAG);
    await db.query(CHANGE);
    await db.query(CHANGESET);
    await db.query(FORMER_MEMBER);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('drop trigger membership_remember on membership');
    await db.query('drop trigger person_remember on person');
    await db.query('drop function strata_remember_membership, strata_remember_person');
    await db.query('drop table former_member, tag');
    await db.query('alter table changeset drop column changes');
    await db.query(`drop index change_type, change_object_id, change_action, change_project, change_environment,
                              change_parameter, changeset_actor`);
    await db.query('create index change_object on change (organization_id, object_type, object_id)');
  }
}

const TAG = `
create table tag (
  organization_id uuid not null,
  id              uuid not null,
  environment_id  uuid not null,
  name            text not null check (name <> ''),
  description     text not null default '',
  "timestamp"     timestamptz not null,
  immutable       boolean not null default false,
  created_at      timestamptz not null,
  modified_at     timestamptz not null,
  -- Not recorded in the ledger, because a read is not a change.
  last_read       timestamptz,
  last_read_by    text not null default '',
  total_reads     integer not null default 0,
  primary key (organization_id, id),
  constraint tag_environment foreign key (organization_id, environment_id)
    references environment (organization_id, id) on delete cascade,
  constraint tag_name_taken unique (organization_id, environment_id, name)
);
grant select, insert, update, delete on tag to strata_app;`;

/** One index per filter of the audit, in the order in which records are listed. */
const CHANGE = `
alter table change drop constraint change_action_check;
alter table change add constraint change_action_check check (action in ('create', 'update', 'delete', 'pull', 'push'));
drop index change_object;
create index change_type on change (organization_id, object_type, revision, ordinal);
create index change_object_id on change (organization_id, object_id, revision, ordinal);
create index change_action on change (organization_id, action, revision, ordinal);
create index change_project on change (organization_id, project_id, revision, ordinal) where project_id is not null;
create index change_environment on change (organization_id, environment_id, revision, ordinal)
  where environment_id is not null;
create index change_parameter on change (organization_id, parameter_id, revision, ordinal)
  where parameter_id is not null;`;

const CHANGESET = `
create index changeset_actor on changeset (organization_id, actor_id, revision);

-- The running total of changes up to and including this changeset, to find the revision of the millionth latest change.
alter table changeset add column changes bigint not null default 0;
update changeset s set changes = c.changes
  from (select organization_id, revision,
               sum((select count(*) from change c where (c.organization_id, c.revision) = (k.organization_id, k.revision)))
                 over (partition by organization_id order by revision) as changes
          from changeset k) c
 where (c.organization_id, c.revision) = (s.organization_id, s.revision);
create index changeset_changes on changeset (organization_id, changes);`;

/**
 * There are no foreign keys, because the table describes users who no longer exist. It stores neither their addresses
 * nor their pictures.
 */
const FORMER_MEMBER = `
create table former_member (
  organization_id uuid not null,
  person_id       text not null,
  type            text not null,
  name            text,
  created_at      timestamptz not null,
  modified_at     timestamptz not null,
  primary key (organization_id, person_id)
);
grant select on former_member to strata_app;

create function strata_remember_membership() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into former_member (organization_id, person_id, type, name, created_at, modified_at)
  select old.organization_id, p.id, p.type, p.name, p.created_at, p.modified_at from person p where p.id = old.person_id
  on conflict (organization_id, person_id) do update set name = excluded.name, modified_at = excluded.modified_at;
  return old;
end $$;

-- A deleted person's memberships are deleted by cascade, which is too late to read the person's name.
create function strata_remember_person() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into former_member (organization_id, person_id, type, name, created_at, modified_at)
  select m.organization_id, old.id, old.type, old.name, old.created_at, old.modified_at
    from membership m where m.person_id = old.id
  on conflict (organization_id, person_id) do update set name = excluded.name, modified_at = excluded.modified_at;
  return old;
end $$;

revoke execute on function strata_remember_membership, strata_remember_person from public;
create trigger membership_remember before delete on membership
  for each row execute function strata_remember_membership();
create trigger person_remember before delete on person
  for each row execute function strata_remember_person();`;
