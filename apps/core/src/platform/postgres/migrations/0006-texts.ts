import type { MigrationInterface, QueryRunner } from 'typeorm';
import { versioned } from './versioned.ts';

/** Creates templates, dynamic values, and the references in their texts. */
export class Texts1700000000006 implements MigrationInterface {
  readonly name = 'Texts1700000000006';

  async up(db: QueryRunner): Promise<void> {
    await db.query(DYNAMIC_VALUES);
    await db.query(TEMPLATE);
    await versioned(db, 'template');
    await db.query(REFERENCE);
    await versioned(db, 'reference');
    await db.query(INDEXES);
  }

  async down(db: QueryRunner): Promise<void> {
    for (const table of ['reference', 'template']) await db.query(`drop table ${table}_history, ${table}`);
    await db.query('alter table value drop column interpolated');
    await db.query('alter table value_history drop column interpolated');
  }
}

const DYNAMIC_VALUES = `
alter table value add column interpolated boolean not null default false,
  add constraint value_secret_is_literal check (not interpolated or sealed is null);
alter table value_history add column interpolated boolean not null default false;
create index value_interpolated on value (organization_id) where interpolated;
create index value_history_interpolated on value_history (organization_id) where interpolated;`;

const TEMPLATE = `
create table template (
  organization_id uuid not null,
  id              uuid not null,
  project_id      uuid not null,
  name            text not null check (name <> ''),
  description     text not null default '',
  body            text not null default '',
  primary key (organization_id, id),
  constraint template_project foreign key (organization_id, project_id)
    references project (organization_id, id) on delete cascade,
  constraint template_name_taken unique (organization_id, project_id, name)
);`;

/**
 * The references of a text are stored when it is written. Targets are checked at commit, so that one object can replace
 * another.
 */
const REFERENCE = `
create table reference (
  organization_id     uuid not null,
  id                  uuid not null default gen_random_uuid(),
  value_id            uuid,
  template_id         uuid,
  kind                text not null check (kind in ('parameter', 'template', 'parameters')),
  -- The project in which the name is looked up, and whether the text names that project.
  project_id          uuid not null,
  named               boolean not null,
  name                text not null,
  target_parameter_id uuid,
  target_template_id  uuid,
  primary key (organization_id, id),
  constraint reference_one_source check (num_nonnulls(value_id, template_id) = 1),
  constraint reference_fitting_target check (
    (target_parameter_id is not null) = (kind = 'parameter') and (target_template_id is not null) = (kind = 'template')),
  constraint reference_value foreign key (organization_id, value_id)
    references value (organization_id, id) on delete cascade,
  constraint reference_template foreign key (organization_id, template_id)
    references template (organization_id, id) on delete cascade,
  constraint reference_project foreign key (organization_id, project_id)
    references project (organization_id, id) deferrable initially deferred,
  constraint reference_to_parameter foreign key (organization_id, target_parameter_id)
    references parameter (organization_id, id) deferrable initially deferred,
  constraint reference_to_template foreign key (organization_id, target_template_id)
    references template (organization_id, id) deferrable initially deferred
);`;

const INDEXES = `
create index template_history_project on template_history (organization_id, project_id);
create index reference_of_value on reference (organization_id, value_id);
create index reference_of_template on reference (organization_id, template_id);
create index reference_parameter on reference (organization_id, target_parameter_id);
create index reference_target_template on reference (organization_id, target_template_id);
create index reference_history_template on reference_history (organization_id, template_id);
create index reference_history_target_template on reference_history (organization_id, target_template_id);
create index reference_name on reference (organization_id, project_id, name);`;
