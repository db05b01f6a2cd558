import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Lets pushes import texts that another program wrote to their keys. */
export class ImportedTexts1700000000053 implements MigrationInterface {
  readonly name = 'ImportedTexts1700000000053';
  readonly servesCoresFrom = 16;

  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      alter table sync_key
        -- The revision that contains the imported text. Null if Strata wrote the latest text.
        add column import_revision bigint,
        -- The keyed hash of the text at the tag that the imported text replaced.
        add column replaced_hash text,
        add constraint sync_key_import check ((import_revision is null) = (replaced_hash is null));`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('alter table sync_key drop column import_revision, drop column replaced_hash');
  }
}
