import type { MigrationInterface, QueryRunner } from 'typeorm';

const replaceKinds = (kinds: string) => `
alter table preference
  drop constraint preference_kind_check,
  add constraint preference_kind_check check (kind in (${kinds}));`;

/** Lets members collapse environments. */
export class CollapsedEnvironments1700000000035 implements MigrationInterface {
  readonly name = 'CollapsedEnvironments1700000000035';
  readonly servesCoresFrom = 16;

  async up(db: QueryRunner): Promise<void> {
    await db.query(replaceKinds(`'recent', 'favourite', 'view', 'collapsed_environment'`));
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`delete from preference where kind = 'collapsed_environment'`);
    await db.query(replaceKinds(`'recent', 'favourite', 'view'`));
  }
}
