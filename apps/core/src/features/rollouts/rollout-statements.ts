import type { RolloutInstance } from '@strata/contract';
import type { UserId } from '@strata/domain';
import { type KeyLimitRow, keyLimitColumns } from '../../platform/auth/key-limits.ts';
import { RIGHTS, type RightsRow } from '../../platform/auth/scope-rows.ts';
import { wireTimeSql } from '../../platform/postgres/versioned-table.ts';
import { isWorkloadSql, keyPrefixSql } from '../instances/describe-credential.ts';
import { isAlive } from '../instances/instance-statements.ts';

/** $1 is the organization, $2 the project, $3 the environment. */
const REPORTED = `instance.organization_id = $1 and instance.project_id = $2 and instance.environment_id = $3 and ${isAlive('instance')}`;

/** The prefix of the API key of an instance, if the key has limits; otherwise null. */
const LIMITED_KEY = `(
  select api_key.prefix from api_key
   where api_key.organization_id = $1 and api_key.prefix = ${keyPrefixSql('instance.credential')}
     and coalesce(api_key.project_ids::text[], api_key.environment_ids::text[], api_key.scopes) is not null)`;

/** An account with a selection that its instances follow. */
export interface FollowedRow extends RightsRow, KeyLimitRow {
  readonly person_id: UserId;
  readonly is_workload: boolean;
  /** The prefix of their API key, if it has limits; null for all other credentials. */
  readonly limited_key: string | null;
  readonly names: readonly string[] | null;
  readonly reveal: boolean;
}

/** Each one costs an evaluation of the configuration. */
const SELECTIONS_MAX = 50;

/** The accounts and selections that most instances have. */
export const FOLLOWED = `
select selection.person_id, selection.is_workload, selection.limited_key, selection.names, selection.reveal, ${RIGHTS}, ${keyLimitColumns('$1::uuid')}
  from (select instance.person_id, ${isWorkloadSql('instance.credential')} as is_workload, ${LIMITED_KEY} as limited_key, instance.names, instance.reveal
          from instance
         where ${REPORTED} group by 1, 2, 3, 4, 5 order by count(*) desc limit ${SELECTIONS_MAX}) selection
  join membership on membership.organization_id = $1 and membership.person_id = selection.person_id
  left join api_key on api_key.organization_id = $1 and api_key.prefix = selection.limited_key`;

/** Changes whenever an instance reports something else, or is added or removed. */
const FINGERPRINT = `concat_ws(' ', count(instance.name), sum(extract(epoch from instance.since)), sum(instance.confirmed_revision))`;

/** Reads the fingerprints of scopes. $1 to $3 are the organizations, projects and environments. */
export const FINGERPRINTS = `
select scope.n::int - 1 as n, ${FINGERPRINT} as fingerprint
  from unnest($1::uuid[], $2::uuid[], $3::uuid[]) with ordinality as scope(organization_id, project_id, environment_id, n)
  left join instance on instance.organization_id = scope.organization_id and instance.project_id = scope.project_id
                      and instance.environment_id = scope.environment_id and ${isAlive('instance')}
 group by scope.n`;

/** $4 is the revision, $5 the accounts and selections with their keyed digest at it, if that is known. */
const COMPARED = `
  select instance.*, coalesce(person.name, person.email, person.id) as account,
         case
           when instance.refused_digest = expected.digest then 'refused'
           when instance.refused_revision = $4::bigint and (instance.refused_digest is null or expected.digest is null) then 'refused'
           when instance.digest = expected.digest or instance.confirmed_revision > $4 then 'current'
           when instance.confirmed_revision = $4 and expected.digest is null then 'current'
           when instance.refused_revision > $4 then 'refused'
           else 'lagging' end as status
    from instance join person on person.id = instance.person_id
    left join json_to_recordset($5::json) as expected(person_id text, is_workload boolean, limited_key text, names text[], reveal boolean, digest text)
      on expected.person_id = instance.person_id and expected.is_workload = (${isWorkloadSql('instance.credential')})
     and expected.limited_key is not distinct from ${LIMITED_KEY} and expected.reveal = instance.reveal and expected.names is not distinct from instance.names
   where ${REPORTED}`;

const counted = (status: string) => `count(*) filter (where instance.status = '${status}')::int as ${status}`;

/** The instances of a rollout, of which one page is read. */
export interface ComparedInstances {
  readonly fingerprint: string;
  readonly total: number;
  readonly current: number;
  readonly lagging: number;
  readonly refused: number;
  readonly count: number;
  readonly results: readonly RolloutInstance[];
}

/** $6 is the requested status, $7 the size of the page, $8 its offset. */
export const COMPARE = `
with compared as materialized (${COMPARED}),
page as (
  select * from compared where $6::text is null or compared.status = $6
   order by array_position(array['refused', 'lagging', 'current'], compared.status), compared.name, compared.account, compared.person_id, compared.credential
   limit $7 offset $8)
select ${FINGERPRINT} as fingerprint, count(*)::int as total, ${counted('current')}, ${counted('lagging')}, ${counted('refused')},
       count(*) filter (where $6::text is null or instance.status = $6)::int as count,
       (select coalesce(json_agg(json_build_object(
                 'instance', compared.name, 'account', json_build_object('id', compared.person_id, 'name', compared.account),
                 'status', compared.status, 'digest', compared.digest,
                 'revision', case when compared.status = 'refused' then compared.refused_revision
                                  else coalesce(compared.confirmed_revision, compared.refused_revision) end,
                 'reason', case when compared.status = 'refused' then compared.reason end,
                 'since', ${wireTimeSql('compared.since')}, 'seen_at', ${wireTimeSql('compared.seen_at')})), '[]') from page compared) as results
  from compared instance`;

/** An instance with the status of the configuration that it reported. */
export interface InstanceStatus {
  readonly person_id: UserId;
  readonly credential: string;
  readonly name: string;
  readonly account: string;
  readonly status: RolloutInstance['status'];
  readonly reason: string | null;
}

/** Every instance of a scope. */
export const STATUSES = `
select compared.person_id, compared.credential, compared.name, compared.account, compared.status, compared.seen_at,
       case when compared.status = 'refused' then compared.reason end as reason
  from (${COMPARED}) compared`;
