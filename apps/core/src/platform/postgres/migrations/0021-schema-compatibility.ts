import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Stores which cores the schema supports. A core that does not know the latest migrations can only read this from the
 * schema.
 */
export class SchemaCompatibility1700000000021 implements MigrationInterface {
  readonly name = 'SchemaCompatibility1700000000021';
  /** All migrations since 0016 add indexes, tables and columns that are optional. */
  readonly servesCoresFrom = 16;

  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      create table schema_compatibility (
        is_only           boolean primary key default true check (is_only),
        serves_cores_from integer not null
      );
      grant select on schema_compatibility to strata_app;`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('drop table schema_compatibility');
  }
}
