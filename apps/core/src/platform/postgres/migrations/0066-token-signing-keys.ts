import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Stores the keys with which the built-in issuer signs tokens. Without a row, it signs with the key of before, which
 * is not stored; the first rotation adds both keys.
 */
export class TokenSigningKeys1700000000066 implements MigrationInterface {
  readonly name = 'TokenSigningKeys1700000000066';
  readonly servesCoresFrom = 16;

  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      create table token_signing_key (
        -- the thumbprint of the public key (RFC 7638), which tokens name as kid
        id             text primary key,
        sealed_key     bytea not null,
        created_at     timestamptz not null default now(),
        -- cores and the caches of other programs know the key before the first token that it signs
        signs_from     timestamptz not null,
        -- null for the newest key; tokens of a replaced key have expired by then
        verifies_until timestamptz
      );
      grant select on token_signing_key to strata_app;`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('drop table token_signing_key');
  }
}
