import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds what checkpoints of contents need, and the checkpoints that were published, with the cosignatures of witnesses. */
export class Checkpoints1700000000070 implements MigrationInterface {
  readonly name = 'Checkpoints1700000000070';
  readonly servesCoresFrom = 16;

  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      -- Like ledger_tile: root hashes of the rows that the revisions have written.
      create table contents_tile (
        organization_id uuid not null references organization on delete cascade,
        number          integer not null,
        root            bytea not null,
        primary key (organization_id, number)
      );
      grant select, insert on contents_tile to strata_app;

      create table published_checkpoint (
        organization_id uuid not null references organization on delete cascade,
        revision        bigint not null,
        published_at    timestamptz not null default clock_timestamp(),
        -- the signed note
        note            text not null,
        -- the cosignatures by the names of the witnesses: signature lines of the note
        cosignatures    jsonb not null default '{}',
        -- when the core has last requested cosignatures
        attempted_at    timestamptz not null default clock_timestamp(),
        primary key (organization_id, revision)
      );
      grant select, insert, update, delete on published_checkpoint to strata_app;`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('drop table published_checkpoint, contents_tile');
  }
}
