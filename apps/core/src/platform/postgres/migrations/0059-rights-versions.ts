import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The tables that decide who may read and write. They have no versions of their own. */
const TABLES = ['membership', 'member_group', 'group_member', 'access_grant'] as const;

/**
 * Records every state of memberships, groups and grants, each valid in `[revision, revision_to)`, to explain who had
 * access at a past instant. The states of before the migration are unknown: the first ones begin at the present revision.
 * Triggers record the changes, so processes of the previous release record theirs, too.
 */
export class RightsVersions1700000000059 implements MigrationInterface {
  readonly name = 'RightsVersions1700000000059';
  readonly servesCoresFrom = 16;

  async up(db: QueryRunner): Promise<void> {
    await db.query(TABLE);
    await db.query(FUNCTIONS);
    for (const table of TABLES) {
      await db.query(`create trigger ${table}_rights after insert or update or delete on ${table}
        for each row execute function strata_keep_rights()`);
      await db.query(`
        insert into rights_version (organization_id, object_type, object_key, revision, state)
        select object.organization_id, '${table}', described.object_key, organization_head.revision, described.state
          from ${table} object
          join organization_head on organization_head.organization_id = object.organization_id
         cross join lateral strata_rights_state('${table}', to_jsonb(object)) described`);
    }
  }

  async down(db: QueryRunner): Promise<void> {
    for (const table of TABLES) await db.query(`drop trigger ${table}_rights on ${table}`);
    await db.query('drop function strata_keep_rights, strata_rights_state');
    await db.query('drop table rights_version');
  }
}

const TABLE = `
create table rights_version (
  organization_id uuid not null references organization on delete cascade,
  -- the name of the table
  object_type     text not null,
  -- the id; of a member of a group both ids
  object_key      text not null,
  revision        bigint not null,
  -- the largest number while the state is the present one
  revision_to     bigint not null default 9223372036854775807,
  -- the row without its times; of a membership also the type and the name of the person
  state           jsonb not null,
  primary key (organization_id, object_type, object_key, revision)
);
create index rights_version_valid on rights_version (organization_id, object_type, revision_to);
grant select on rights_version to strata_app;`;

const FUNCTIONS = `
create function strata_rights_state(object_type text, object jsonb, out object_key text, out state jsonb)
  stable language sql set search_path = public, pg_temp as $$
  select coalesce(object ->> 'id', (object ->> 'group_id') || ' ' || (object ->> 'membership_id')),
         object - array['organization_id', 'created_at', 'modified_at']
           || coalesce((select jsonb_build_object('person_type', person.type, 'person_name', coalesce(person.name, person.email, person.id))
                          from person where object_type = 'membership' and person.id = object ->> 'person_id'), '{}') $$;

-- Records the state of a row from this revision on. A state that was replaced within its revision was never visible.
-- Rows that are written outside of a revision, such as those of the first start, belong to the latest one.
create function strata_keep_rights() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  present constant jsonb := to_jsonb(case tg_op when 'DELETE' then old else new end);
  organization constant uuid := present ->> 'organization_id';
  described record;
  this bigint := strata_revision();
begin
  if this is null then
    select head.revision into this from organization_head head where head.organization_id = organization;
    if this is null then
      return null; -- the owner of the database deletes the organization
    end if;
  end if;
  select * into described from strata_rights_state(tg_table_name, present);
  delete from rights_version
   where organization_id = organization and object_type = tg_table_name and object_key = described.object_key and revision = this;
  update rights_version set revision_to = this
   where organization_id = organization and object_type = tg_table_name and object_key = described.object_key
     and revision_to = 9223372036854775807;
  if tg_op <> 'DELETE' then
    insert into rights_version (organization_id, object_type, object_key, revision, state)
    values (organization, tg_table_name, described.object_key, this, described.state);
  end if;
  return null;
end $$;

-- The function writes history with its owner's rights, so no other role may attach it to a table of its own.
revoke execute on function strata_keep_rights from public;`;
