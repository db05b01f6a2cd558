import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Stores what a revert needs: the positions in the request of the operations that made a change (null: the changeset
 * had one operation, or a core of the previous release stored it), and the grants on a scope when it was deleted (null:
 * unknown). A scope that was restored is no longer listed as deleted.
 */
export class Reverts1700000000024 implements MigrationInterface {
  readonly name = 'Reverts1700000000024';
  /** The migration only adds columns; cores of previous releases leave them empty. */
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
