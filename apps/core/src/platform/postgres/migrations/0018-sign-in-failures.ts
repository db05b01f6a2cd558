import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Counts failed sign-ins across all cores. */
export class SignInFailures1700000000018 implements MigrationInterface {
  readonly name = 'SignInFailures1700000000018';

  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      -- Keys are hashes of e-mail and network addresses, because many of them belong to no user. The table need not
      -- survive a crash.
      create unlogged table sign_in_failure (
        key       text primary key,
        moments   timestamptz[] not null,
        latest_at timestamptz not null
      );
      create index sign_in_failure_latest on sign_in_failure (latest_at);
      grant select, insert, update, delete on sign_in_failure to strata_app;`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('drop table sign_in_failure');
  }
}
