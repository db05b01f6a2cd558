import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the root hashes of complete subtrees of the Merkle tree of each ledger, which make checkpoints and proofs fast. */
export class LedgerTiles1700000000060 implements MigrationInterface {
  readonly name = 'LedgerTiles1700000000060';
  readonly servesCoresFrom = 16;

  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      -- A row can be computed from the changesets, and is written once.
      create table ledger_tile (
        organization_id uuid not null references organization on delete cascade,
        -- the tiles of a ledger count from 0; each has the same number of changesets
        number          integer not null,
        root            bytea not null,
        primary key (organization_id, number)
      );
      grant select, insert on ledger_tile to strata_app;`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('drop table ledger_tile');
  }
}
