import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which cores the schema serves: one that does not know the latest migrations can only ask the schema itself. */
export class SchemaCompatibility1700000000021 implements MigrationInterface {
  readonly name = 'SchemaCompatibility1700000000021';
  /** All since then add indexes, tables and columns that nobody has to fill. */
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
