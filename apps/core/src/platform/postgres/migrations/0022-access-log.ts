import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Records events that change no configuration but belong in the audit: a secret was shown to a caller, or a token was
 * revoked.
 */
export class AccessLog1700000000022 implements MigrationInterface {
  readonly name = 'AccessLog1700000000022';
  readonly servesCoresFrom = 16;

  async up(db: QueryRunner): Promise<void> {
    await db.query(ACCESS_LOG);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('drop table access_log');
    await db.query('drop sequence access_log_number');
  }
}

/**
 * A record belongs to the latest revision at its time and follows the changes of that revision, so that both form one
 * list in order of time. Therefore its ordinals are higher than those of any changeset. A record with a bucket is
 * stored once per minute, even if several cores write it.
 */
const ACCESS_LOG = `
create sequence access_log_number as integer maxvalue 1000000000 cycle;
create table access_log (
  organization_id uuid not null references organization on delete cascade,
  revision        bigint not null,
  ordinal         integer not null default 1000000000 + nextval('access_log_number'),
  at              timestamptz not null,
  bucket          text,
  action          text not null,
  object_type     text not null,
  object_id       text not null,
  object_name     text not null,
  project_id      uuid,
  environment_id  uuid,
  parameter_id    uuid,
  actor_id        text not null,
  actor_name      text not null,
  actor_type      text not null,
  surface         text not null,
  request_id      text not null,
  primary key (organization_id, revision, ordinal)
);
create unique index access_log_once on access_log (organization_id, actor_id, date_trunc('minute', at at time zone 'utc'), bucket)
  where bucket is not null;
create index access_log_at on access_log (organization_id, at);
grant select, insert on access_log to strata_app;
grant usage on access_log_number to strata_app;`;
