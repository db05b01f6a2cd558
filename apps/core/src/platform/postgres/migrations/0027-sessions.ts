import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLES = `
-- Lets workloads that have tokens of an issuer act as a service account.
create table trust_rule (
  organization_id uuid not null,
  id              uuid not null,
  person_id       text not null,
  issuer          text not null,
  audience        text not null,
  subject         text not null,
  claims          jsonb not null default '{}',
  created_at      timestamptz not null,
  last_used_at    timestamptz,
  primary key (organization_id, id),
  constraint trust_rule_service_account foreign key (organization_id, person_id)
    references service_account (organization_id, person_id) on delete cascade
);
create index trust_rule_account on trust_rule (organization_id, person_id);
create index trust_rule_issuer on trust_rule (issuer, audience);

-- A sign-in of a person or a program. Only an HMAC of its secret is stored. Deleting the row ends the session.
create table session (
  id              uuid primary key,
  secret_hmac     bytea not null,
  person_id       text not null references person on delete cascade,
  token_version   integer not null,
  method          text not null check (method in ('password', 'api_key', 'provider', 'workload')),
  provider        text,
  -- the organization of the key or the trust rule; null if the session began with neither
  organization_id uuid,
  key_prefix      text,
  trust_rule_id   uuid,
  -- the sealed id token, with which the provider recognizes its session when the user signs out there
  id_token        bytea,
  client          text not null,
  address         text not null,
  created_at      timestamptz not null,
  last_used_at    timestamptz,
  expires_at      timestamptz not null,
  constraint session_organization check (
    (organization_id is null) = (key_prefix is null and trust_rule_id is null)),
  constraint session_api_key foreign key (organization_id, key_prefix)
    references api_key (organization_id, prefix) on delete cascade,
  constraint session_rule foreign key (organization_id, trust_rule_id)
    references trust_rule (organization_id, id) on delete cascade
);
create index session_person on session (person_id, created_at);
create index session_expiry on session (expires_at);
create index session_key on session (organization_id, key_prefix) where key_prefix is not null;
create index session_trust_rule on session (organization_id, trust_rule_id) where trust_rule_id is not null;

-- The id tokens that were exchanged, by the hash of what their issuer has signed. They stay here until they are too old
-- to be exchanged, also if their session has ended.
create table used_id_token (
  hash       bytea primary key,
  expires_at timestamptz not null
);
create index used_id_token_expiry on used_id_token (expires_at);

-- Organizations whose members must sign in with an identity provider.
create table sso_only (
  organization_id   uuid primary key references organization on delete cascade,
  -- the OWNER who may still sign in with a password
  break_glass_owner uuid not null,
  constraint sso_only_break_glass_owner foreign key (organization_id, break_glass_owner)
    references membership (organization_id, id)
);

-- Whether the member is in the group because of a claim of an identity provider.
alter table group_member add column from_claim boolean not null default false;

grant select, insert, update, delete on trust_rule, session, used_id_token, sso_only to strata_app;`;

/** Adds sessions, trust rules for workloads, and the organizations that require single sign-on. */
export class Sessions1700000000027 implements MigrationInterface {
  readonly name = 'Sessions1700000000027';
  readonly servesCoresFrom = 16;

  async up(db: QueryRunner): Promise<void> {
    await db.query(TABLES);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`
      alter table group_member drop column from_claim;
      drop table sso_only;
      drop table used_id_token;
      drop table session;
      drop table trust_rule;`);
  }
}
