import { Injectable } from '@nestjs/common';
import {
  OVERVIEW_LIMITS,
  type OverviewProject,
  PROJECT_OVERVIEW,
  type ProjectInstances,
  type ProjectOverview,
  type ProjectOverviewQuery,
} from '@strata/contract';
import { type EnvironmentId, Failure, forbiddenScopes, type ProjectId, pageWindow } from '@strata/domain';
import type { Caller } from '../../platform/caller.ts';
import { actionController } from '../../platform/http/action-controller.ts';
import { LIST_ITEM_DEPTH, sendLongJson } from '../../platform/http/send-json.ts';
import { SnapshotReader } from '../../platform/postgres/snapshot-reader.ts';
import { EXPIRES_AT, wireTime } from '../../platform/postgres/versioned-table.ts';
import { isAlive } from '../instances/instance-statements.ts';
import { LintCounts } from '../lint/lint-counts.ts';
import { Rollouts } from '../rollouts/rollouts.ts';

/** $1 is the organization, $3 the forbidden scopes, $4 the name or id of one project, or null. */
const MATCHING = `
  from project p
 where p.organization_id = $1 and p.id <> all($3::uuid[]) and ($4::text is null or p.name = $4 or p.id::text = lower($4))`;

const VALUES = 'parameter x join value v on v.organization_id = x.organization_id and v.parameter_id = x.id';
const OF_PROJECT = 'x.organization_id = $1 and x.project_id = p.id and v.environment_id <> all($3::uuid[])';

const EXPIRING = `
  from ${VALUES} join environment e on e.organization_id = v.organization_id and e.id = v.environment_id
 where ${OF_PROJECT} and x.secret and x.expires is not null and v.sealed is not null
   and ${EXPIRES_AT} <= statement_timestamp() + interval '${OVERVIEW_LIMITS.expiringDays} days'`;

const LAST_CHANGE = `
  select s.revision, ${wireTime('s.at')} as at, s.actor_name
    from change c join changeset s on s.organization_id = c.organization_id and s.revision = c.revision
   where c.organization_id = $1 and c.project_id = p.id and (c.environment_id is null or c.environment_id <> all($3::uuid[]))
   order by c.revision desc limit 1`;

const LAST_READ = `
  select ${wireTime('r.read_at')} as at, json_build_object('id', a.id, 'name', coalesce(a.name, a.email, a.id)) as by
    from last_read r join person a on a.id = r.account_id
   where r.organization_id = $1 and r.project_id = p.id and r.name = '' and r.environment_id <> all($3::uuid[])
   order by r.read_at desc, r.account_id limit 1`;

const INSTANCES = `
  select e.id as environment_id, e.name as environment_name, count(*)::int as total
    from instance i join environment e on e.organization_id = i.organization_id and e.id = i.environment_id
   where i.organization_id = $1 and i.project_id = p.id and e.id <> all($3::uuid[]) and ${isAlive('i')}
   group by e.id, e.name order by e.name collate human, e.name`;

/** $5 is the size of the page, $6 its offset. */
const PROJECTS = `
  select p.id as project_id, p.name as project_name, p.description,
         (select count(*)::int from parameter x where x.organization_id = $1 and x.project_id = p.id) as parameter_count,
         counted.value_count, counted.environment_count,
         (select row_to_json(r) from (${LAST_CHANGE}) r) as last_change,
         read.at as last_read_at, read.by as last_read_by,
         (select count(*)::int ${EXPIRING}) as expiring_count,
         (select coalesce(json_agg(r), '[]') from (
            select x.name as parameter_name, e.name as environment_name, ${wireTime(EXPIRES_AT)} as expires_at ${EXPIRING}
             order by ${EXPIRES_AT}, x.name, e.name limit ${OVERVIEW_LIMITS.expiringListed}) r) as expiring,
         (select coalesce(json_agg(r), '[]') from (${INSTANCES}) r) as instances
    from (select p.* ${MATCHING} order by p.name collate human, p.name limit $5 offset $6) p
    cross join lateral (
      select count(*)::int as value_count, count(distinct v.environment_id)::int as environment_count
        from ${VALUES} where ${OF_PROJECT}) counted
    left join lateral (${LAST_READ}) read on true
   order by p.name collate human, p.name`;

const COUNT = `select count(*)::int as count ${MATCHING}`;

type InstancesRow = Pick<ProjectInstances, 'environment_name' | 'total'> & { readonly environment_id: EnvironmentId };

interface ProjectRow extends Omit<OverviewProject, 'finding_count' | 'instances'> {
  readonly project_id: ProjectId;
  readonly instances: readonly InstancesRow[];
}

interface Overview {
  readonly projects: readonly ProjectRow[];
  readonly counted: readonly [{ readonly count: number }];
}

/**
 * Reads what a member needs to know about each project. One statement reads all counts; findings and instances are
 * evaluated only until a time limit.
 */
@Injectable()
export class ProjectOverviews {
  constructor(
    private readonly committed: SnapshotReader,
    private readonly findings: LintCounts,
    private readonly rollouts: Rollouts,
  ) {}

  async of(caller: Caller, query: ProjectOverviewQuery): Promise<ProjectOverview> {
    const { page, page_size: pageSize, project = null, within_ms: withinMs } = query;
    const { revision, projects, counted } = await this.committed.sets<Overview>(
      { organizationId: caller.organizationId, at: 'now' },
      { projects: PROJECTS, counted: COUNT },
      [forbiddenScopes(caller), project, pageSize, (page - 1) * pageSize],
    );
    const [{ count }] = counted;
    if (pageWindow({ page, pageSize }, count) === 'not_found') {
      throw new Failure({ kind: 'not_found', code: 'invalid_page', message: 'Invalid page.' });
    }
    const deadline = performance.now() + withinMs;
    const instances = new Map<ProjectId, ProjectInstances[]>();
    for (const row of projects) instances.set(row.project_id, await this.compareInstances(caller, row, deadline));
    const linted = projects.filter(isSmall).sort((a, b) => rowCount(a) - rowCount(b));
    const findings = await this.findings.of(caller, linted.map(idOf), deadline);
    const results = projects.map((row) => ({
      ...row,
      finding_count: findings.get(row.project_id) ?? null,
      instances: instances.get(row.project_id) ?? [],
    }));
    return { revision, count, results };
  }

  private async compareInstances(
    caller: Caller,
    { project_id, instances }: ProjectRow,
    deadline: number,
  ): Promise<ProjectInstances[]> {
    const compared: ProjectInstances[] = [];
    for (const { environment_id, environment_name, total } of instances) {
      const isInTime = performance.now() < deadline;
      const counts = isInTime ? await this.rollouts.counts(caller, { project_id, environment_id }) : null;
      const { lagging = null, refused = null } = counts ?? {};
      compared.push({ environment_name, total: counts?.total ?? total, lagging, refused });
    }
    return compared;
  }
}

const idOf = ({ project_id: id }: ProjectRow): ProjectId => id;

const rowCount = ({ parameter_count: parameters, value_count: values }: ProjectRow): number =>
  Math.max(parameters, values);

/** Returns whether searching the project for findings takes little time. */
const isSmall = (project: ProjectRow): boolean => rowCount(project) <= OVERVIEW_LIMITS.lintedRows;

export const ProjectOverviewController = actionController(
  'project overview controller',
  { overview: PROJECT_OVERVIEW },
  { overviews: ProjectOverviews },
  ({ overviews }) => ({
    overview: async ({ call, caller, query }) => {
      const overview = await overviews.of(caller, query);
      return sendLongJson(call, overview.revision, overview, LIST_ITEM_DEPTH);
    },
  }),
);
