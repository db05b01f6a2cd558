import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Stores which drift a person approved, so that later attempts of a run resolve no other. */
export class ApprovedDrift1700000000056 implements MigrationInterface {
  readonly name = 'ApprovedDrift1700000000056';
  readonly servesCoresFrom = 16;

  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      alter table task
        -- the versions of the drifted keys that the approved plan changes or imports, by key
        add column approved_drift jsonb;`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('alter table task drop column approved_drift');
  }
}
