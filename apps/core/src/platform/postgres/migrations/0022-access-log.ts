import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What people and programs did that changes no configuration, and that an audit must tell of: secrets they were shown, ends of tokens. */
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
 * Records stand behind the changes of the revision that was the latest when it happened, so that both are one list in the order
 * of time: hence ordinals that no changeset gets to. What has a bucket is recorded once per minute, whatever core saw it.
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
