import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Every write asks when something about people was changed last; it stands here, and changes of content cost it nothing. */
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
