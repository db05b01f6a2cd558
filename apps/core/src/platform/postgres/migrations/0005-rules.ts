import type { MigrationInterface, QueryRunner } from 'typeorm';
import { versioned } from './versioned.ts';

const TABLES = ['parameter_rule', 'parameter_type_rule'] as const;

/** Creates the rules that types and parameters define for values. */
export class Rules1700000000005 implements MigrationInterface {
  readonly name = 'Rules1700000000005';

  async up(db: QueryRunner): Promise<void> {
    await db.query(RULES);
    for (const table of TABLES) await versioned(db, table);
    await db.query(INDEXES);
  }

  async down(db: QueryRunner): Promise<void> {
    for (const table of TABLES) await db.query(`drop table ${table}_history, ${table}`);
    await db.query('drop index parameter_type_parent_id');
  }
}

const KIND = `text not null check (kind in ('min', 'max', 'min_len', 'max_len', 'regex'))`;

const RULES = `
create table parameter_type_rule (
  organization_id uuid not null,
  id              uuid not null,
  type_id         uuid not null,
  kind            ${KIND},
  constraint_text text not null,
  primary key (organization_id, id),
  constraint parameter_type_rule_type foreign key (organization_id, type_id)
    references parameter_type (organization_id, id) on delete cascade,
  constraint parameter_type_rule_kind_taken unique (organization_id, type_id, kind)
);

create table parameter_rule (
  organization_id uuid not null,
  id              uuid not null,
  parameter_id    uuid not null,
  kind            ${KIND},
  constraint_text text not null,
  primary key (organization_id, id),
  constraint parameter_rule_parameter foreign key (organization_id, parameter_id)
    references parameter (organization_id, id) on delete cascade,
  constraint parameter_rule_kind_taken unique (organization_id, parameter_id, kind)
);`;

const INDEXES = `
create index parameter_type_parent_id on parameter_type (organization_id, parent_id);
create index parameter_type_rule_history_type on parameter_type_rule_history (organization_id, type_id);
create index parameter_rule_history_parameter on parameter_rule_history (organization_id, parameter_id);`;
