import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Creates invitations, groups, and grants on projects and environments. Adds maintenance mode and the deletion of an
 * organization.
 */
export class Rights1700000000008 implements MigrationInterface {
  readonly name = 'Rights1700000000008';

  async up(db: QueryRunner): Promise<void> {
    await db.query(ORGANIZATION);
    await db.query(INVITATION);
    await db.query(GROUP);
    await db.query(GRANT);
    await db.query(
      `grant select, insert, update, delete on invitation, member_group, group_member, access_grant to strata_app`,
    );
    await db.query('grant select, insert on departed_scope to strata_app');
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('drop table departed_scope, access_grant, group_member, member_group, invitation');
    await db.query('alter table person drop column email_is_proven');
    await db.query('alter table organization drop column maintenance, drop column deleted_at');
  }
}

const ORGANIZATION = `
-- Set by the operator of the installation. While it is true, the organization rejects writes.
alter table organization add column maintenance boolean not null default false;
-- A deleted organization rejects all requests. Its data stays until the owner of the database removes it.
alter table organization add column deleted_at timestamptz;
-- False if only an inviter has provided the address. Such a person must not accept other invitations to the address.
alter table person add column email_is_proven boolean not null default true;`;

const INVITATION = `
create table invitation (
  organization_id  uuid not null references organization on delete cascade,
  id               uuid not null,
  email            text not null,
  role             text not null check (role in ('OWNER', 'ADMIN', 'CONTRIB', 'VIEWER')),
  state            text not null default 'pending' check (state in ('pending', 'sent', 'accepted', 'bounced')),
  state_detail     text not null default '',
  -- No foreign keys, because an invitation outlives the inviter's membership.
  inviter_id       text not null,
  inviter_name     text not null,
  membership_id    uuid,
  -- Only an HMAC of the token is stored.
  token_hmac       bytea,
  token_expires_at timestamptz,
  created_at       timestamptz not null,
  modified_at      timestamptz not null,
  primary key (organization_id, id),
  constraint invitation_membership foreign key (organization_id, membership_id)
    references membership (organization_id, id) on delete set null (membership_id)
);
create unique index invitation_email_taken on invitation (organization_id, lower(email)) where state <> 'accepted';
-- An invited person without a credential has only the id in the link, and no organization.
create unique index invitation_id on invitation (id);`;

const GROUP = `
create table member_group (
  organization_id uuid not null references organization on delete cascade,
  id              uuid not null,
  name            text not null check (name <> ''),
  description     text not null default '',
  created_at      timestamptz not null,
  modified_at     timestamptz not null,
  primary key (organization_id, id),
  constraint group_name_taken unique (organization_id, name)
);

create table group_member (
  organization_id uuid not null,
  group_id        uuid not null,
  membership_id   uuid not null,
  primary key (organization_id, group_id, membership_id),
  constraint group_member_group foreign key (organization_id, group_id)
    references member_group (organization_id, id) on delete cascade,
  constraint group_member_membership foreign key (organization_id, membership_id)
    references membership (organization_id, id) on delete cascade
);
create index group_member_of on group_member (organization_id, membership_id);`;

const GRANT = `
create table access_grant (
  organization_id uuid not null references organization on delete cascade,
  id              uuid not null,
  membership_id   uuid,
  group_id        uuid,
  project_id      uuid,
  environment_id  uuid,
  role            text not null check (role in ('OWNER', 'ADMIN', 'CONTRIB', 'VIEWER')),
  created_at      timestamptz not null,
  modified_at     timestamptz not null,
  primary key (organization_id, id),
  constraint grant_one_principal check (num_nonnulls(membership_id, group_id) = 1),
  constraint grant_one_scope check (num_nonnulls(project_id, environment_id) = 1),
  constraint grant_taken unique nulls not distinct
    (organization_id, project_id, environment_id, membership_id, group_id),
  constraint grant_membership foreign key (organization_id, membership_id)
    references membership (organization_id, id) on delete cascade,
  constraint grant_group foreign key (organization_id, group_id)
    references member_group (organization_id, id) on delete cascade,
  constraint grant_project foreign key (organization_id, project_id)
    references project (organization_id, id) on delete cascade,
  constraint grant_environment foreign key (organization_id, environment_id)
    references environment (organization_id, id) on delete cascade
);
create index grant_of_membership on access_grant (organization_id, membership_id);
create index grant_of_group on access_grant (organization_id, group_id);
create index grant_on_environment on access_grant (organization_id, environment_id);

-- Limits the readers of a controlled scope's past after the scope was deleted.
create table departed_scope (
  organization_id uuid not null references organization on delete cascade,
  scope_id        uuid not null,
  -- The members that could read the scope when it was deleted.
  membership_ids  uuid[] not null,
  primary key (organization_id, scope_id)
);`;
