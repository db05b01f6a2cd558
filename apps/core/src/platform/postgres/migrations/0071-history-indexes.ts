import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The indexes of histories, with their table, their columns and their condition. */
const INDEXES = [
  ['parameter_history_project', 'parameter_history', 'organization_id, project_id', ''],
  ['parameter_rule_history_parameter', 'parameter_rule_history', 'organization_id, parameter_id', ''],
  ['parameter_type_rule_history_type', 'parameter_type_rule_history', 'organization_id, type_id', ''],
  ['reference_history_target_template', 'reference_history', 'organization_id, target_template_id', ''],
  ['reference_history_template', 'reference_history', 'organization_id, template_id', ''],
  ['reference_history_value', 'reference_history', 'organization_id, value_id', ''],
  ['template_history_project', 'template_history', 'organization_id, project_id', ''],
  ['value_history_interpolated', 'value_history', 'organization_id', 'where interpolated'],
  ['value_history_parameter', 'value_history', 'organization_id, parameter_id', ''],
] as const;

/**
 * Adds the end of each version to the indexes of histories. A read of the past then skips the versions that ended
 * earlier, however many there are.
 */
export class HistoryIndexes1700000000071 implements MigrationInterface {
  readonly name = 'HistoryIndexes1700000000071';
  readonly servesCoresFrom = 16;

  async up(db: QueryRunner): Promise<void> {
    await replace(db, ', revision_to');
  }

  async down(db: QueryRunner): Promise<void> {
    await replace(db, '');
  }
}

async function replace(db: QueryRunner, end: string): Promise<void> {
  for (const [name, table, columns, condition] of INDEXES) {
    await db.query(`drop index ${name}`);
    await db.query(`create index ${name} on ${table} (${columns}${end}) ${condition}`);
  }
}
