import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Numbers the records of the access log in the order of their commits, so that a reader continues after a number and
 * misses none. Records denied requests and sign-ins, a limited number per minute.
 */
export class AuditStream1700000000026 implements MigrationInterface {
  readonly name = 'AuditStream1700000000026';
  readonly servesCoresFrom = 16;

  async up(db: QueryRunner): Promise<void> {
    await db.query(NUMBERS);
    await db.query(NUMBERING);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('drop trigger access_log_numbering on access_log');
    await db.query('drop function strata_number_log');
    await db.query('alter table access_log drop number, drop rule, drop ability, drop operation, drop requests');
    await db.query('drop sequence access_log_order');
  }
}

const NUMBERS = `
create sequence access_log_order;
alter table access_log
  add number bigint,
  add rule text,
  add ability text,
  add operation text,
  add requests integer not null default 1;
with numbered as (
  select organization_id, revision, ordinal, row_number() over (order by organization_id, revision, ordinal) as number
    from access_log)
update access_log l set number = n.number
  from numbered n where (l.organization_id, l.revision, l.ordinal) = (n.organization_id, n.revision, n.ordinal);
select setval('access_log_order', coalesce(max(number), 0) + 1) from access_log;
alter table access_log alter number set not null;
create unique index access_log_number_of on access_log (organization_id, number);
grant usage, select on access_log_order to strata_app;`;

/**
 * One writer at a time gets numbers, until its commit. So a number becomes visible only after all smaller ones. The
 * trigger also numbers the records of earlier releases. Numbers may have gaps: a record that exists already, or that
 * exceeds the limit, uses one too. The limit counts each action separately, so that failed sign-ins, which need no
 * credential, cannot displace the denied requests of members.
 */
const NUMBERING = `
create function strata_number_log() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock('access_log'::regclass::oid::bigint);
  new.number := nextval('access_log_order');
  if new.action in ('request_refused', 'sign_in_refused') and (
    select count(*) from (
      select from access_log l
       where l.organization_id = new.organization_id and l.action = new.action and l.at >= date_trunc('minute', new.at)
       limit 60) of_minute) = 60 then
    return null;
  end if;
  return new;
end $$;
create trigger access_log_numbering before insert on access_log for each row execute function strata_number_log();`;
