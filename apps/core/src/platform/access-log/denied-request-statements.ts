import { TARGETS } from './target-sql.ts';

const NAME = 'coalesce(p.name, p.email, p.id)';

/**
 * Returns the organizations in which a denied sign-in is recorded: all of the account, or the one that it was to, also if
 * the account has left it. Returns nothing for an account that does not exist.
 */
export const ORGANIZATIONS_OF_ACCOUNTS = `
select r.key, p.id as "actorId", ${NAME} as "actorName", p.type as "actorType", m.id as "organizationId"
  from json_to_recordset($1::json) r(key text, "personId" text, email text, "organizationId" uuid)
  join person p on p.id = r."personId" or (p.type = 'interactive' and lower(p.email) = r.email)
 cross join lateral (
   select organization_id as id from membership where person_id = p.id
   union all
   select organization_id from former_member where person_id = p.id and organization_id = r."organizationId") m
 where r."organizationId" is null or r."organizationId" = m.id`;

/** Returns the service accounts of complete API keys that were revoked or have expired. */
export const ACCOUNTS_OF_KEYS = `
select r.key, p.id as "actorId", ${NAME} as "actorName", p.type as "actorType",
       k.organization_id as "organizationId"
  from json_to_recordset($1::json) r(key text, prefix text, hmac text)
  join api_key k on k.prefix = r.prefix and k.secret_hmac = decode(r.hmac, 'hex')
  join person p on p.id = k.person_id
 where k.revoked or k.expires_at <= clock_timestamp()`;

/** Records denied requests and sign-ins, at most one per minute, caller and rule. Returns those that were recorded. */
export const RECORD_DENIED_REQUESTS = `
insert into access_log (organization_id, revision, at, bucket, action, object_type, object_id, object_name, project_id,
                        environment_id, parameter_id, actor_id, actor_name, actor_type, surface, request_id,
                        rule, ability, operation, requests)
select o.id, strata_revision_at(o.id, t.at), t.at, r.key, r.action,
       case when v.id is not null then 'Value' when x.id is not null then 'Parameter' when m.id is not null then 'Template'
            when j.id is not null then 'Project' when e.id is not null then 'Environment'
            when s.id is not null then 'Membership' else 'Organization' end,
       coalesce(v.id, x.id, m.id, j.id, e.id, s.id, o.id)::text,
       coalesce(x.name, m.name, j.name, e.name, case when s.id is not null then r."actorName" end, o.name),
       j.id, coalesce(v.environment_id, e.id), x.id, r."actorId", r."actorName", r."actorType", r.surface, r."requestId",
       r.rule, r.ability, r.operation, r.requests
  from json_to_recordset($1::json) r("organizationId" uuid, key text, project text, environment text, template text,
         value text, parameter text, name text, action text, "actorId" text, "actorName" text, "actorType" text,
         surface text, "requestId" text, rule text, ability text, operation text, requests int)
  join organization o on o.id = r."organizationId"
 cross join lateral (select clock_timestamp() as at) t
  left join membership s
    on r.action = 'sign_in_refused' and s.organization_id = o.id and s.person_id = r."actorId"${TARGETS}
    on conflict do nothing
returning bucket as key`;
