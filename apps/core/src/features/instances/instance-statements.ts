import { INSTANCE_LIMITS } from '@strata/contract';

/** The SQL condition for instances that have not expired. */
export const isAlive = (alias: string): string =>
  `${alias}.seen_at > statement_timestamp() - interval '${INSTANCE_LIMITS.lifetimeMinutes} minutes'`;

/** Reports of one organization are stored one after the other, so that processes cannot exceed the limits together. */
export const LOCK_ORGANIZATIONS = `
select pg_advisory_xact_lock(hashtext('instance'), hashtext(id)) from unnest($1::text[]) as id`;

export const DELETE_EXPIRED = `
delete from instance i where i.organization_id = any($1::uuid[]) and not ${isAlive('i')}`;

const KEY = ['organization_id', 'person_id', 'credential', 'project_id', 'environment_id', 'name'];

/** The result of storing a report. */
export type ReportOutcome =
  | 'stored'
  /** The instance is new and exceeds a limit. */
  | 'too_many'
  /** The project, the environment or the membership was deleted. */
  | 'deleted'
  /** Another transaction is deleting the project, the environment or the membership. */
  | 'locked';

/**
 * Stores reports and returns the outcome of each. Never waits for a transaction that deletes a scope: such a
 * transaction may wait for one of the rows that are stored here.
 */
export const STORE_REPORTS = `
with report as (
  select * from json_to_recordset($1::json) as r(
    n int, organization_id uuid, person_id text, credential text, project_id uuid, environment_id uuid, name text,
    names text[], reveal boolean, confirmed_revision bigint, digest text,
    refused_revision bigint, refused_digest text, reason text)),
locked as materialized (
  select r.n
    from report r
    join project p on p.organization_id = r.organization_id and p.id = r.project_id
    join environment e on e.organization_id = r.organization_id and e.id = r.environment_id
    join membership m on m.organization_id = r.organization_id and m.person_id = r.person_id
     for key share of p, e, m skip locked),
known as (
  select r.n from report r join locked using (n) join instance i using (${KEY.join()})),
fresh as (
  select r.n, r.organization_id, r.person_id, r.credential,
         row_number() over (partition by r.organization_id, r.person_id, r.credential order by r.n) as position
    from report r join locked using (n) where not exists (select from known k where k.n = r.n)),
of_credential as (
  select organization_id, person_id, credential, count(*) as instances from instance
   where (organization_id, person_id, credential) in (select organization_id, person_id, credential from fresh)
   group by 1, 2, 3),
within_credential as (
  select f.n, f.organization_id, row_number() over (partition by f.organization_id order by f.n) as position
    from fresh f left join of_credential c using (organization_id, person_id, credential)
   where coalesce(c.instances, 0) + f.position <= ${INSTANCE_LIMITS.perCredential}),
of_organization as (
  select organization_id, count(*) as instances from instance
   where organization_id in (select organization_id from within_credential) group by 1),
accepted as (
  select n from known
   union all
  select w.n from within_credential w left join of_organization o using (organization_id)
   where coalesce(o.instances, 0) + w.position <= ${INSTANCE_LIMITS.perOrganization}),
stored as (
  insert into instance as i (${KEY.join()}, names, reveal, confirmed_revision, digest, refused_revision,
                             refused_digest, reason, since, seen_at)
  select ${KEY.map((column) => `r.${column}`).join()}, r.names, r.reveal, r.confirmed_revision, r.digest, r.refused_revision,
         r.refused_digest, r.reason, statement_timestamp(), statement_timestamp()
    from report r join accepted using (n)
      on conflict (${KEY.join()}) do update set
         names = excluded.names, reveal = excluded.reveal,
         confirmed_revision = coalesce(excluded.confirmed_revision, i.confirmed_revision),
         digest = coalesce(excluded.digest, i.digest),
         refused_revision = excluded.refused_revision, refused_digest = excluded.refused_digest,
         reason = excluded.reason, seen_at = excluded.seen_at,
         since = case
           when (coalesce(excluded.digest, i.digest), excluded.refused_revision, excluded.refused_digest, excluded.reason)
             is distinct from (i.digest, i.refused_revision, i.refused_digest, i.reason) then excluded.since
           else i.since end)
select r.n, case
         when exists (select from accepted a where a.n = r.n) then 'stored'
         when exists (select from locked l where l.n = r.n) then 'too_many'
         when exists (select from project p where p.organization_id = r.organization_id and p.id = r.project_id)
          and exists (select from environment e where e.organization_id = r.organization_id and e.id = r.environment_id)
          and exists (select from membership m where m.organization_id = r.organization_id and m.person_id = r.person_id)
         then 'locked' else 'deleted' end as outcome
  from report r`;
