import { INSTANCE_LIMITS } from '@strata/contract';

/** The SQL condition for instances that have not expired. */
export const isAlive = (alias: string): string =>
  `${alias}.seen_at > statement_timestamp() - interval '${INSTANCE_LIMITS.lifetimeMinutes} minutes'`;

/** Reports of one organization are stored one after the other, so that processes cannot exceed the limits together. */
export const LOCK_ORGANIZATIONS = `
select pg_advisory_xact_lock(hashtext('instance'), hashtext(id)) from unnest($1::text[]) as id`;

export const DELETE_EXPIRED = `
delete from instance where instance.organization_id = any($1::uuid[]) and not ${isAlive('instance')}`;

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
  select * from json_to_recordset($1::json) as input(
    n int, organization_id uuid, person_id text, credential text, project_id uuid, environment_id uuid, name text,
    names text[], reveal boolean, confirmed_revision bigint, digest text,
    refused_revision bigint, refused_digest text, reason text)),
locked as materialized (
  select report.n
    from report
    join project on project.organization_id = report.organization_id and project.id = report.project_id
    join environment on environment.organization_id = report.organization_id and environment.id = report.environment_id
    join membership on membership.organization_id = report.organization_id and membership.person_id = report.person_id
     for key share of project, environment, membership skip locked),
known as (
  select report.n from report join locked using (n) join instance using (${KEY.join()})),
fresh as (
  select report.n, report.organization_id, report.person_id, report.credential,
         row_number() over (partition by report.organization_id, report.person_id, report.credential order by report.n) as position
    from report join locked using (n) where not exists (select from known where known.n = report.n)),
of_credential as (
  select organization_id, person_id, credential, count(*) as instances from instance
   where (organization_id, person_id, credential) in (select organization_id, person_id, credential from fresh)
   group by 1, 2, 3),
within_credential as (
  select fresh.n, fresh.organization_id, row_number() over (partition by fresh.organization_id order by fresh.n) as position
    from fresh left join of_credential using (organization_id, person_id, credential)
   where coalesce(of_credential.instances, 0) + fresh.position <= ${INSTANCE_LIMITS.perCredential}),
of_organization as (
  select organization_id, count(*) as instances from instance
   where organization_id in (select organization_id from within_credential) group by 1),
accepted as (
  select n from known
   union all
  select within_credential.n from within_credential left join of_organization using (organization_id)
   where coalesce(of_organization.instances, 0) + within_credential.position <= ${INSTANCE_LIMITS.perOrganization}),
stored as (
  insert into instance (${KEY.join()}, names, reveal, confirmed_revision, digest, refused_revision,
                             refused_digest, reason, since, seen_at)
  select ${KEY.map((column) => `report.${column}`).join()}, report.names, report.reveal, report.confirmed_revision, report.digest, report.refused_revision,
         report.refused_digest, report.reason, statement_timestamp(), statement_timestamp()
    from report join accepted using (n)
      on conflict (${KEY.join()}) do update set
         names = excluded.names, reveal = excluded.reveal,
         confirmed_revision = coalesce(excluded.confirmed_revision, instance.confirmed_revision),
         digest = coalesce(excluded.digest, instance.digest),
         refused_revision = excluded.refused_revision, refused_digest = excluded.refused_digest,
         reason = excluded.reason, seen_at = excluded.seen_at,
         since = case
           when (coalesce(excluded.digest, instance.digest), excluded.refused_revision, excluded.refused_digest, excluded.reason)
             is distinct from (instance.digest, instance.refused_revision, instance.refused_digest, instance.reason) then excluded.since
           else instance.since end)
select report.n, case
         when exists (select from accepted where accepted.n = report.n) then 'stored'
         when exists (select from locked where locked.n = report.n) then 'too_many'
         when exists (select from project where project.organization_id = report.organization_id and project.id = report.project_id)
          and exists (select from environment where environment.organization_id = report.organization_id and environment.id = report.environment_id)
          and exists (select from membership where membership.organization_id = report.organization_id and membership.person_id = report.person_id)
         then 'locked' else 'deleted' end as outcome
  from report`;
