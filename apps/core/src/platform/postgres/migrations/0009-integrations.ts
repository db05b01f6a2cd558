import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Creates integrations with cloud providers and the log of their pulls and pushes. They contain no credentials. */
export class Integrations1700000000009 implements MigrationInterface {
  readonly name = 'Integrations1700000000009';

  async up(db: QueryRunner): Promise<void> {
    await db.query(INTEGRATION);
    await db.query(EXCHANGE);
    await db.query(TASK);
    await db.query(
      `grant select, insert, update, delete
         on integration, exchange, exchange_project, exchange_tag, task, task_step to strata_app`,
    );
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('drop table task_step, task, exchange_tag, exchange_project, exchange, integration');
  }
}

const INTEGRATION = `
create table integration (
  organization_id uuid not null references organization on delete cascade,
  id              uuid not null,
  provider        text not null check (provider in ('aws', 'azure_key_vault', 'github')),
  -- Derived from the identity at the provider, such as an account, so that each has only one integration.
  name            text not null check (name <> ''),
  fqn             text not null,
  description     text not null default '',
  writable        boolean not null default false,
  -- The fields of this provider, with the names of the contract.
  settings        jsonb not null,
  created_at      timestamptz not null,
  modified_at     timestamptz not null,
  primary key (organization_id, id),
  constraint integration_name_taken unique (organization_id, provider, name)
);`;

const EXCHANGE = `
-- A pull or a push.
create table exchange (
  organization_id uuid not null,
  id              uuid not null,
  integration_id  uuid not null,
  direction       text not null check (direction in ('pull', 'push')),
  -- The service creates one mapped pull per integration; users create the others.
  mode            text not null default 'pattern' check (mode in ('mapped', 'pattern')),
  name            text not null check (name <> ''),
  description     text not null default '',
  region          text,
  service         text,
  resource        text,
  -- Boolean options, with the names of the contract.
  options         jsonb not null,
  created_at      timestamptz not null,
  modified_at     timestamptz not null,
  primary key (organization_id, id),
  constraint exchange_integration foreign key (organization_id, integration_id)
    references integration (organization_id, id) on delete cascade,
  constraint exchange_name_taken unique (organization_id, integration_id, direction, name)
);
create unique index exchange_single_mapped on exchange (organization_id, integration_id) where mode = 'mapped';

create table exchange_project (
  organization_id uuid not null,
  exchange_id     uuid not null,
  project_id      uuid not null,
  primary key (organization_id, exchange_id, project_id),
  constraint exchange_project_exchange foreign key (organization_id, exchange_id)
    references exchange (organization_id, id) on delete cascade,
  constraint exchange_project_project foreign key (organization_id, project_id)
    references project (organization_id, id) on delete cascade
);
create index exchange_project_id on exchange_project (organization_id, project_id);

create table exchange_tag (
  organization_id uuid not null,
  exchange_id     uuid not null,
  tag_id          uuid not null,
  -- The instant of the tag at the last run of the push. The push runs again if the tag has moved since then.
  pushed          timestamptz not null,
  primary key (organization_id, exchange_id, tag_id),
  constraint exchange_tag_exchange foreign key (organization_id, exchange_id)
    references exchange (organization_id, id) on delete cascade,
  constraint exchange_tag_tag foreign key (organization_id, tag_id)
    references tag (organization_id, id) on delete cascade
);
create index exchange_tag_id on exchange_tag (organization_id, tag_id);`;

const TASK = `
create table task (
  organization_id uuid not null,
  id              uuid not null,
  exchange_id     uuid not null,
  reason          text not null,
  dry_run         boolean not null,
  state           text not null check (state in ('queued', 'running', 'skipped', 'success', 'failure')),
  error_code      text,
  error_detail    text,
  created_at      timestamptz not null,
  modified_at     timestamptz not null,
  primary key (organization_id, id),
  constraint task_exchange foreign key (organization_id, exchange_id)
    references exchange (organization_id, id) on delete cascade
);
create index task_latest on task (organization_id, exchange_id, created_at desc);

-- The steps of a task. They outlive their environments and projects, so names are stored as they were.
create table task_step (
  organization_id  uuid not null,
  id               uuid not null,
  task_id          uuid not null,
  operation        text not null check (operation in ('create', 'read', 'update', 'delete')),
  success          boolean not null,
  fqn              text not null,
  environment_id   uuid,
  environment_name text,
  project_id       uuid,
  project_name     text,
  parameter_id     uuid,
  parameter_name   text,
  summary          text,
  error_code       text,
  error_detail     text,
  created_at       timestamptz not null,
  primary key (organization_id, id),
  constraint task_step_task foreign key (organization_id, task_id)
    references task (organization_id, id) on delete cascade
);
create index task_step_of_task on task_step (organization_id, task_id);
create index task_step_environment on task_step (organization_id, environment_id, created_at desc);
create index task_step_parameter on task_step (organization_id, parameter_id) where parameter_id is not null;`;
