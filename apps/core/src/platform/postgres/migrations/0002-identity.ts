import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Creates people, service accounts and API keys. People belong to no organization; memberships and keys do. */
export class Identity1700000000002 implements MigrationInterface {
  readonly name = 'Identity1700000000002';

  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      -- One row, which proves at start that the configured root key is the one that sealed the stored data.
      create table root_key_check (single boolean primary key default true check (single), value bytea not null);

      create table organization_key (
        organization_id uuid primary key references organization on delete cascade,
        wrapped_key     bytea not null
      );

      create table person (
        id            text primary key check (length(id) <= 256),
        type          text not null check (type in ('interactive', 'service')),
        name          text,
        email         text,
        picture_url   text,
        password_hash text,
        token_version integer not null default 1,
        created_at    timestamptz not null default now(),
        modified_at   timestamptz not null default now()
      );
      create unique index person_email_taken on person (lower(email)) where type = 'interactive';

      create table membership (
        organization_id uuid not null references organization on delete cascade,
        id              uuid not null,
        person_id       text not null references person on delete cascade,
        role            text not null check (role in ('OWNER', 'ADMIN', 'CONTRIB', 'VIEWER')),
        created_at      timestamptz not null default now(),
        modified_at     timestamptz not null default now(),
        primary key (organization_id, id),
        constraint membership_person_taken unique (organization_id, person_id)
      );
      create index membership_person on membership (person_id);

      create table service_account (
        organization_id uuid not null,
        person_id       text not null references person on delete cascade,
        description     text not null default '',
        owner           text,
        last_used_at    timestamptz,
        created_at      timestamptz not null default now(),
        modified_at     timestamptz not null default now(),
        primary key (organization_id, person_id),
        constraint service_account_membership foreign key (organization_id, person_id)
          references membership (organization_id, person_id) on delete cascade
      );

      -- Only an HMAC of the secret is stored; the row is found by the prefix.
      create table api_key (
        organization_id uuid not null,
        person_id       text not null,
        prefix          text not null,
        secret_hmac     bytea not null,
        name            text not null default '',
        revoked         boolean not null default false,
        expires_at      timestamptz,
        created_at      timestamptz not null default now(),
        primary key (organization_id, prefix),
        constraint api_key_prefix_taken unique (prefix),
        constraint api_key_service_account foreign key (organization_id, person_id)
          references service_account (organization_id, person_id) on delete cascade
      );

      grant select, insert on root_key_check, organization_key to strata_app;
      grant select, insert, update, delete on person, membership, service_account, api_key to strata_app;`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('drop table api_key, service_account, membership, person, organization_key, root_key_check');
  }
}
