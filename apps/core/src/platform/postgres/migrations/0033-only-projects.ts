import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Stores for each membership the ids of the projects that it is limited to. Null is no limit. Ids of deleted projects
 * stay in the list, so deleting the last one does not end the limit.
 */
export class OnlyProjects1700000000033 implements MigrationInterface {
  readonly name = 'OnlyProjects1700000000033';
  readonly servesCoresFrom = 16;

  async up(db: QueryRunner): Promise<void> {
    await db.query('alter table membership add only_project_ids uuid[]');
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('alter table membership drop only_project_ids');
  }
}
