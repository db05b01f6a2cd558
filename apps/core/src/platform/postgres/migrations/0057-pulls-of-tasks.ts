import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The settings of a pattern pull at the start of a run. The run executes no others. */
export class PullsOfTasks1700000000057 implements MigrationInterface {
  readonly name = 'PullsOfTasks1700000000057';
  readonly servesCoresFrom = 16;

  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      alter table task
        -- those of the pull and its integration; null for other tasks, and for those of earlier releases
        add column pull_settings jsonb;`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('alter table task drop column pull_settings');
  }
}
