import type { MigrationInterface, QueryRunner } from 'typeorm';
import { versioned } from './versioned.ts';

const TABLES = ['value', 'parameter', 'parameter_type', 'project', 'environment'] as const;

/** Creates the versioned tables: environments, projects, types, parameters and values. */
export class Configuration1700000000003 implements MigrationInterface {
  readonly name = 'Configuration1700000000003';

  async up(db: QueryRunner): Promise<void> {
    await db.query(TREES);
    await db.query(PARAMETERS);
    for (const table of TABLES) await versioned(db, table);
    await db.query(INDEXES);
  }

  async down(db: QueryRunner): Promise<void> {
    for (const table of TABLES) await db.query(`drop table ${table}_history, ${table}`);
  }
}

const TREES = `
create table environment (
  organization_id uuid not null references organization on delete cascade,
  id              uuid not null,
  name            text not null check (name <> ''),
  description     text not null default '',
  parent_id       uuid,
  primary key (organization_id, id),
  constraint environment_parent foreign key (organization_id, parent_id)
    references environment (organization_id, id) on delete restrict,
  constraint environment_name_taken unique (organization_id, name)
);
-- Ensures that each organization has only one root environment.
create unique index environment_single_root on environment (organization_id) where parent_id is null;

create table project (
  organization_id        uuid not null references organization on delete cascade,
  id                     uuid not null,
  name                   text not null check (name <> ''),
  description            text not null default '',
  parameter_name_pattern text not null default '',
  depends_on_id          uuid,
  primary key (organization_id, id),
  constraint project_depends_on foreign key (organization_id, depends_on_id)
    references project (organization_id, id) on delete restrict,
  constraint project_name_taken unique (organization_id, name)
);

create table parameter_type (
  organization_id uuid not null references organization on delete cascade,
  id              uuid not null,
  name            text not null check (name <> ''),
  description     text not null default '',
  parent_id       uuid,
  primary key (organization_id, id),
  constraint parameter_type_parent foreign key (organization_id, parent_id)
    references parameter_type (organization_id, id) on delete restrict,
  constraint parameter_type_name_taken unique (organization_id, name)
);`;

const PARAMETERS = `
create table parameter (
  organization_id uuid not null,
  id              uuid not null,
  project_id      uuid not null,
  name            text not null check (name <> ''),
  description     text not null default '',
  secret          boolean not null default false,
  type_id         uuid not null,
  primary key (organization_id, id),
  constraint parameter_project foreign key (organization_id, project_id)
    references project (organization_id, id) on delete cascade,
  constraint parameter_type_of foreign key (organization_id, type_id)
    references parameter_type (organization_id, id) on delete restrict,
  constraint parameter_name_taken unique (organization_id, project_id, name)
);

-- Clear text or sealed bytes, never both. If both are null, the value is an explicit null.
create table value (
  organization_id uuid not null,
  id              uuid not null,
  parameter_id    uuid not null,
  environment_id  uuid not null,
  text            text,
  sealed          bytea,
  primary key (organization_id, id),
  constraint value_parameter foreign key (organization_id, parameter_id)
    references parameter (organization_id, id) on delete cascade,
  constraint value_environment foreign key (organization_id, environment_id)
    references environment (organization_id, id) on delete cascade,
  constraint value_environment_taken unique (organization_id, parameter_id, environment_id),
  constraint value_one_form check (text is null or sealed is null)
);`;

const INDEXES = `
create index environment_parent_id on environment (organization_id, parent_id);
create index project_depends_on_id on project (organization_id, depends_on_id);
create index parameter_type_id on parameter (organization_id, type_id);
create index value_environment_id on value (organization_id, environment_id);
create index parameter_history_project on parameter_history (organization_id, project_id);
create index value_history_parameter on value_history (organization_id, parameter_id);`;
