import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What a revert must know: which operations of a changeset made a change, by their places in the request (null: it was no
 * changeset of several, or one of a core of the version before), and what was granted on a scope when it was deleted (null:
 * not known). A scope that comes back departs no more.
 */
export class Reverts1700000000024 implements MigrationInterface {
  readonly name = 'Reverts1700000000024';
  /** It only adds: cores of before leave the new columns empty. */
  readonly servesCoresFrom = 16;

  async up(db: QueryRunner): Promise<void> {
    await db.query('alter table change add column operations int[]');
    await db.query('alter table departed_scope add column grants jsonb');
    await db.query('grant delete on departed_scope to strata_app');
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('revoke delete on departed_scope from strata_app');
    await db.query('alter table departed_scope drop column grants');
    await db.query('alter table change drop column operations');
  }
}
