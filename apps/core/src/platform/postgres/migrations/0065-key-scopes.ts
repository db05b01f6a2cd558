import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Adds what an API key is limited to, and when each of its scopes was last used. A key without limits has null in all
 * three columns, like every key of before.
 */
export class KeyScopes1700000000065 implements MigrationInterface {
  readonly name = 'KeyScopes1700000000065';
  readonly servesCoresFrom = 16;

  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      alter table api_key
        add scopes           text[],
        -- ids of deleted projects and environments stay in the lists, so that deleting the last one does not end the limit
        add project_ids      uuid[],
        add environment_ids  uuid[],
        add last_read_at     timestamptz,
        add last_write_at    timestamptz,
        add last_reveal_at   timestamptz,
        add constraint api_key_scopes check (scopes is null or ('read' = any(scopes) and scopes <@ array['read', 'write', 'reveal']))`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`
      alter table api_key
        drop scopes, drop project_ids, drop environment_ids, drop last_read_at, drop last_write_at, drop last_reveal_at`);
  }
}
