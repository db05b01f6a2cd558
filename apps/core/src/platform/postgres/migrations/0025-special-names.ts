import type { MigrationInterface, QueryRunner } from 'typeorm';

const SCOPES = {
  parameter: 'organization_id, project_id',
  template: 'organization_id, project_id',
  project: 'organization_id',
};

/**
 * Adds indexes for names with non-ASCII characters. The core compares every new name with those names, because they may
 * look alike; without these indexes the comparison would read all names of a project. The condition is the same as in
 * `similarNames` of `validation/names.ts`.
 */
export class SpecialNames1700000000025 implements MigrationInterface {
  readonly name = 'SpecialNames1700000000025';
  readonly servesCoresFrom = 16;

  async up(db: QueryRunner): Promise<void> {
    for (const [table, scope] of Object.entries(SCOPES)) {
      await db.query(
        `create index ${table}_special_name on ${table} (${scope}) where octet_length(name) <> length(name)`,
      );
    }
  }

  async down(db: QueryRunner): Promise<void> {
    for (const table of Object.keys(SCOPES)) await db.query(`drop index ${table}_special_name`);
  }
}
