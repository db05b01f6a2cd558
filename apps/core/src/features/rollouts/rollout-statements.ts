import type { RolloutInstance } from '@strata/contract';
import type { ScopeRow, UserId } from '@strata/domain';
import { SCOPE_ROWS } from '../../platform/auth/scope-rows.ts';
import { wireTime } from '../../platform/postgres/versioned-table.ts';
import { ofWorkload } from '../instances/describe-credential.ts';
import { isAlive } from '../instances/instance-statements.ts';

/** $1 is the organization, $2 the project, $3 the environment. */
const REPORTED = `i.organization_id = $1 and i.project_id = $2 and i.environment_id = $3 and ${isAlive('i')}`;

/** An account with a selection that its instances follow. */
export interface FollowedRow {
  readonly person_id: UserId;
  readonly is_workload: boolean;
  readonly names: readonly string[] | null;
  readonly reveal: boolean;
  readonly role: string;
  readonly reveals_secrets: boolean;
  /** Null in an organization without any grant. */
  readonly scopes: readonly ScopeRow[] | null;
}

/** Each one costs an evaluation of the configuration. */
const SELECTIONS_MAX = 50;

/** The accounts and selections that most instances have. */
export const FOLLOWED = `
select f.person_id, f.is_workload, f.names, f.reveal, m.role, m.reveals_secrets, ${SCOPE_ROWS} as scopes
  from (select i.person_id, ${ofWorkload('i.credential')} as is_workload, i.names, i.reveal from instance i
         where ${REPORTED} group by 1, 2, 3, 4 order by count(*) desc limit ${SELECTIONS_MAX}) f
  join membership m on m.organization_id = $1 and m.person_id = f.person_id`;

/** Changes whenever an instance reports something else, or is added or removed. */
const FINGERPRINT = `concat_ws(' ', count(i.name), sum(extract(epoch from i.since)), sum(i.confirmed_revision))`;

/** Reads the fingerprints of scopes. $1 to $3 are the organizations, projects and environments. */
export const FINGERPRINTS = `
select s.n::int - 1 as n, ${FINGERPRINT} as fingerprint
  from unnest($1::uuid[], $2::uuid[], $3::uuid[]) with ordinality as s(organization_id, project_id, environment_id, n)
  left join instance i on i.organization_id = s.organization_id and i.project_id = s.project_id
                      and i.environment_id = s.environment_id and ${isAlive('i')}
 group by s.n`;

/** $4 is the revision, $5 the accounts and selections with their keyed digest at it, if that is known. */
const COMPARED = `
  select i.*, coalesce(p.name, p.email, p.id) as account,
         case
           when i.refused_digest = e.digest then 'refused'
           when i.refused_revision = $4::bigint and (i.refused_digest is null or e.digest is null) then 'refused'
           when i.digest = e.digest or i.confirmed_revision > $4 then 'current'
           when i.confirmed_revision = $4 and e.digest is null then 'current'
           when i.refused_revision > $4 then 'refused'
           else 'lagging' end as status
    from instance i join person p on p.id = i.person_id
    left join json_to_recordset($5::json) as e(person_id text, is_workload boolean, names text[], reveal boolean, digest text)
      on e.person_id = i.person_id and e.is_workload = (${ofWorkload('i.credential')})
     and e.reveal = i.reveal and e.names is not distinct from i.names
   where ${REPORTED}`;

const counted = (status: string) => `count(*) filter (where i.status = '${status}')::int as ${status}`;

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
  select * from compared c where $6::text is null or c.status = $6
   order by array_position(array['refused', 'lagging', 'current'], c.status), c.name, c.account, c.person_id, c.credential
   limit $7 offset $8)
select ${FINGERPRINT} as fingerprint, count(*)::int as total, ${counted('current')}, ${counted('lagging')}, ${counted('refused')},
       count(*) filter (where $6::text is null or i.status = $6)::int as count,
       (select coalesce(json_agg(json_build_object(
                 'instance', c.name, 'account', json_build_object('id', c.person_id, 'name', c.account),
                 'status', c.status, 'digest', c.digest,
                 'revision', case when c.status = 'refused' then c.refused_revision
                                  else coalesce(c.confirmed_revision, c.refused_revision) end,
                 'reason', case when c.status = 'refused' then c.reason end,
                 'since', ${wireTime('c.since')}, 'seen_at', ${wireTime('c.seen_at')})), '[]') from page c) as results
  from compared i`;
