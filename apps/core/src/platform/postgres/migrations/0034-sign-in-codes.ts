import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLE = `
-- The code with which a program may start a session of the person of this session. Only an HMAC of it is stored. A
-- session has at most one, and it ends with the session.
create table sign_in_code (
  session_id      uuid primary key references session on delete cascade,
  code_hmac       bytea not null unique,
  -- the hash of the secret of the program that requested the code
  challenge       text not null,
  organization_id uuid not null references organization on delete cascade,
  client          text not null,
  expires_at      timestamptz not null
);
create index sign_in_code_organization on sign_in_code (organization_id);

grant select, insert, update, delete on sign_in_code to strata_app;`;

/** Adds the codes with which people sign a program in by their browser. */
export class SignInCodes1700000000034 implements MigrationInterface {
  readonly name = 'SignInCodes1700000000034';
  readonly servesCoresFrom = 16;

  async up(db: QueryRunner): Promise<void> {
    await db.query(TABLE);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('drop table sign_in_code');
  }
}
