import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Stores the last revision that changed people or permissions. Every write checks it, and changes of content do not
 * update it.
 */
export class PeopleChanges1700000000017 implements MigrationInterface {
  readonly name = 'PeopleChanges1700000000017';

  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      create index change_of_people on change (organization_id, revision)
       where object_type <> all(array['Parameter', 'Value'])`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('drop index change_of_people');
  }
}
