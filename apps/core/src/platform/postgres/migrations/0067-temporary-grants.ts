import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Adds grants that end at a time, and the requests for them. They have a table of their own, so that cores of the previous
 * release, which do not know that a grant can end, never give access by them. Their states are recorded like those of
 * other grants (migration 0059).
 */
export class TemporaryGrants1700000000067 implements MigrationInterface {
  readonly name = 'TemporaryGrants1700000000067';
  readonly servesCoresFrom = 16;

  async up(db: QueryRunner): Promise<void> {
    await db.query(GRANT);
    await db.query(REQUEST);
    await db.query('grant select, insert, update, delete on temporary_grant, access_request to strata_app');
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('drop table access_request, temporary_grant');
    await db.query(`delete from rights_version where object_type = 'temporary_grant'`);
  }
}

const GRANT = `
create table temporary_grant (
  organization_id uuid not null references organization on delete cascade,
  id              uuid not null,
  membership_id   uuid,
  group_id        uuid,
  project_id      uuid,
  environment_id  uuid,
  -- Null for a grant that lets a member see secrets, which has no scope. No OWNER: they could grant lasting access.
  role            text check (role in ('ADMIN', 'CONTRIB', 'VIEWER')),
  reveals         boolean not null default false,
  expires_at      timestamptz not null,
  created_at      timestamptz not null,
  -- A grant never changes. Lists of objects without a history read this column.
  modified_at     timestamptz not null,
  primary key (organization_id, id),
  constraint temporary_grant_one_principal check (num_nonnulls(membership_id, group_id) = 1),
  constraint temporary_grant_one_right check (
    num_nonnulls(project_id, environment_id) = case when reveals then 0 else 1 end and (role is null) = reveals),
  constraint temporary_grant_membership foreign key (organization_id, membership_id)
    references membership (organization_id, id) on delete cascade,
  constraint temporary_grant_group foreign key (organization_id, group_id)
    references member_group (organization_id, id) on delete cascade,
  constraint temporary_grant_project foreign key (organization_id, project_id)
    references project (organization_id, id) on delete cascade,
  constraint temporary_grant_environment foreign key (organization_id, environment_id)
    references environment (organization_id, id) on delete cascade
);
create index temporary_grant_of_membership on temporary_grant (organization_id, membership_id);
create index temporary_grant_of_group on temporary_grant (organization_id, group_id);
create index temporary_grant_on_project on temporary_grant (organization_id, project_id);
create index temporary_grant_on_environment on temporary_grant (organization_id, environment_id);
create index temporary_grant_expires on temporary_grant (expires_at);
create trigger temporary_grant_rights after insert or update or delete on temporary_grant
  for each row execute function strata_keep_rights();`;

const REQUEST = `
create table access_request (
  organization_id  uuid not null references organization on delete cascade,
  id               uuid not null,
  membership_id    uuid not null,
  project_id       uuid,
  environment_id   uuid,
  role             text check (role in ('ADMIN', 'CONTRIB', 'VIEWER')),
  reveals          boolean not null default false,
  duration_minutes integer not null check (duration_minutes > 0),
  message          text not null,
  state            text not null default 'pending' check (state in ('pending', 'approved', 'declined', 'revoked')),
  -- No foreign keys: a request outlives the membership of the member who decided it, and its grant.
  decided_by       text,
  decided_at       timestamptz,
  decision_message text not null default '',
  grant_id         uuid,
  expires_at       timestamptz,
  created_at       timestamptz not null,
  modified_at      timestamptz not null,
  primary key (organization_id, id),
  constraint access_request_one_right check (
    num_nonnulls(project_id, environment_id) = case when reveals then 0 else 1 end and (role is null) = reveals),
  constraint access_request_membership foreign key (organization_id, membership_id)
    references membership (organization_id, id) on delete cascade,
  constraint access_request_project foreign key (organization_id, project_id)
    references project (organization_id, id) on delete cascade,
  constraint access_request_environment foreign key (organization_id, environment_id)
    references environment (organization_id, id) on delete cascade
);
create index access_request_of_membership on access_request (organization_id, membership_id);
create index access_request_on_project on access_request (organization_id, project_id);
create index access_request_on_environment on access_request (organization_id, environment_id);
create index access_request_of_grant on access_request (organization_id, grant_id);`;
