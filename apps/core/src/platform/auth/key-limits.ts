import type { ApiKeyLocation, ApiKeyScope, KeyLimit } from '@strata/domain';

/** The limits of an API key in a row of a statement. They never change: a new limit needs a new key. */
export interface KeyLimitRow {
  /** Null for a key with all scopes, and for other credentials. */
  readonly key_scopes: readonly ApiKeyScope[] | null;
  /** Null for a key that is not limited to projects or environments, and for other credentials. */
  readonly key_locations: readonly ApiKeyLocation[] | null;
}

/** Returns SQL for every project of an organization with what the limits of the row `api_key` permit there, and for the environments where they permit nothing. */
const locationsSql = (organization: string): string => `
case when api_key.project_ids is not null or api_key.environment_ids is not null then (
  with recursive readable as (
    select project.id, project.depends_on_id from project
     where project.organization_id = ${organization} and project.id = any(api_key.project_ids)
    union
    select project.id, project.depends_on_id from readable
      join project on project.organization_id = ${organization} and project.id = readable.depends_on_id)
  select coalesce(json_agg(location), '[]') from (
    select project.id,
           case when api_key.project_ids is null or project.id = any(api_key.project_ids) then 'everything'
                when exists (select from readable where readable.id = project.id) then 'reading' else 'nothing' end as permits
      from (select project.id from project where project.organization_id = ${organization}
            union select project_history.id from project_history where project_history.organization_id = ${organization}) project
    union all
    select environment.id, 'nothing'
      from (select environment.id from environment where environment.organization_id = ${organization}
            union select environment_history.id from environment_history where environment_history.organization_id = ${organization}) environment
     where environment.id <> all(api_key.environment_ids)) location)
end`;

/** Returns SQL for the columns of `KeyLimitRow`, in a statement with the row `api_key`, which may be null. */
export const keyLimitColumns = (organization: string): string =>
  `api_key.scopes as key_scopes, ${locationsSql(organization)} as key_locations`;

/**
 * Returns what the HMAC of a secret is computed from. Cores of the release before know no limits, so they must not
 * accept a key that has some, nor its sessions: they look for the HMAC of the secret itself.
 */
export const limitedSecret = (secret: string, isLimited: boolean): string => (isLimited ? `limited|${secret}` : secret);

export const isLimitedKey = ({ scopes, projectIds, environmentIds }: KeyLimit): boolean =>
  scopes !== null || projectIds !== null || environmentIds !== null;

export const isLimitedRow = ({ key_scopes: scopes, key_locations: locations }: KeyLimitRow): boolean =>
  scopes !== null || locations !== null;
