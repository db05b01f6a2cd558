import { TARGETS } from './target-sql.ts';

const NAME = 'coalesce(person.name, person.email, person.id)';

/**
 * Returns the organizations in which a denied sign-in is recorded: all of the account, or the one that it was to, also if
 * the account has left it. Returns nothing for an account that does not exist.
 */
export const ORGANIZATIONS_OF_ACCOUNTS = `
select record.key, person.id as "actorId", ${NAME} as "actorName", person.type as "actorType", membership.id as "organizationId"
  from json_to_recordset($1::json) record(key text, "personId" text, email text, "organizationId" uuid)
  join person on person.id = record."personId" or (person.type = 'interactive' and lower(person.email) = record.email)
 cross join lateral (
   select organization_id as id from membership where person_id = person.id
   union all
   select organization_id from former_member where person_id = person.id and organization_id = record."organizationId") membership
 where record."organizationId" is null or record."organizationId" = membership.id`;

/** Returns the service accounts of complete API keys that were revoked or have expired. */
export const ACCOUNTS_OF_KEYS = `
select record.key, person.id as "actorId", ${NAME} as "actorName", person.type as "actorType",
       api_key.organization_id as "organizationId"
  from json_to_recordset($1::json) record(key text, prefix text, hmac text)
  join api_key on api_key.prefix = record.prefix and api_key.secret_hmac = decode(record.hmac, 'hex')
  join person on person.id = api_key.person_id
 where api_key.revoked or api_key.expires_at <= clock_timestamp()`;

/** Records denied requests and sign-ins, at most one per minute, caller and rule. Returns those that were recorded. */
export const RECORD_DENIED_REQUESTS = `
insert into access_log (organization_id, revision, at, bucket, action, object_type, object_id, object_name, project_id,
                        environment_id, parameter_id, actor_id, actor_name, actor_type, surface, request_id,
                        rule, ability, operation, requests)
select organization.id, strata_revision_at(organization.id, clock.at), clock.at, record.key, record.action,
       case when value.id is not null then 'Value' when parameter.id is not null then 'Parameter' when template.id is not null then 'Template'
            when project.id is not null then 'Project' when environment.id is not null then 'Environment'
            when membership.id is not null then 'Membership' else 'Organization' end,
       coalesce(value.id, parameter.id, template.id, project.id, environment.id, membership.id, organization.id)::text,
       coalesce(parameter.name, template.name, project.name, environment.name, case when membership.id is not null then record."actorName" end, organization.name),
       project.id, coalesce(value.environment_id, environment.id), parameter.id, record."actorId", record."actorName", record."actorType", record.surface, record."requestId",
       record.rule, record.ability, record.operation, record.requests
  from json_to_recordset($1::json) record("organizationId" uuid, key text, project text, environment text, template text,
         value text, parameter text, name text, action text, "actorId" text, "actorName" text, "actorType" text,
         surface text, "requestId" text, rule text, ability text, operation text, requests int)
  join organization on organization.id = record."organizationId"
 cross join lateral (select clock_timestamp() as at) clock
  left join membership
    on record.action = 'sign_in_refused' and membership.organization_id = organization.id and membership.person_id = record."actorId"${TARGETS}
    on conflict do nothing
returning bucket as key`;
