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
import { EXPIRES_AT, wireTimeSql } from '../../platform/postgres/versioned-table.ts';
import { isAlive } from '../instances/instance-statements.ts';
import { LintCounts } from '../lint/lint-counts.ts';
import { Rollouts } from '../rollouts/rollouts.ts';

/** $1 is the organization, $3 the forbidden scopes, $4 the name or id of one project, or null. */
const MATCHING = `
  from project
 where project.organization_id = $1 and project.id <> all($3::uuid[]) and ($4::text is null or project.name = $4 or project.id::text = lower($4))`;

const VALUES =
  'parameter join value on value.organization_id = parameter.organization_id and value.parameter_id = parameter.id';
const OF_PROJECT =
  'parameter.organization_id = $1 and parameter.project_id = project.id and value.environment_id <> all($3::uuid[])';

const EXPIRING = `
  from ${VALUES} join environment on environment.organization_id = value.organization_id and environment.id = value.environment_id
 where ${OF_PROJECT} and parameter.secret and parameter.expires is not null and value.sealed is not null
   and ${EXPIRES_AT} <= statement_timestamp() + interval '${OVERVIEW_LIMITS.expiringDays} days'`;

const LAST_CHANGE = `
  select changeset.revision, ${wireTimeSql('changeset.at')} as at, changeset.actor_name
    from change join changeset on changeset.organization_id = change.organization_id and changeset.revision = change.revision
   where change.organization_id = $1 and change.project_id = project.id and (change.environment_id is null or change.environment_id <> all($3::uuid[]))
   order by change.revision desc limit 1`;

const LAST_READ = `
  select ${wireTimeSql('last_read.read_at')} as at, json_build_object('id', person.id, 'name', coalesce(person.name, person.email, person.id)) as by
    from last_read join person on person.id = last_read.account_id
   where last_read.organization_id = $1 and last_read.project_id = project.id and last_read.name = '' and last_read.environment_id <> all($3::uuid[])
   order by last_read.read_at desc, last_read.account_id limit 1`;

const INSTANCES = `
  select environment.id as environment_id, environment.name as environment_name, count(*)::int as total
    from instance join environment on environment.organization_id = instance.organization_id and environment.id = instance.environment_id
   where instance.organization_id = $1 and instance.project_id = project.id and environment.id <> all($3::uuid[]) and ${isAlive('instance')}
   group by environment.id, environment.name order by environment.name collate human, environment.name`;

/** $5 is the size of the page, $6 its offset. */
const PROJECTS = `
  select project.id as project_id, project.name as project_name, project.description,
         (select count(*)::int from parameter where parameter.organization_id = $1 and parameter.project_id = project.id) as parameter_count,
         counted.value_count, counted.environment_count,
         (select row_to_json(record) from (${LAST_CHANGE}) record) as last_change,
         read.at as last_read_at, read.by as last_read_by,
         (select count(*)::int ${EXPIRING}) as expiring_count,
         (select coalesce(json_agg(record), '[]') from (
            select parameter.name as parameter_name, environment.name as environment_name, ${wireTimeSql(EXPIRES_AT)} as expires_at ${EXPIRING}
             order by ${EXPIRES_AT}, parameter.name, environment.name limit ${OVERVIEW_LIMITS.expiringListed}) record) as expiring,
         (select coalesce(json_agg(record), '[]') from (${INSTANCES}) record) as instances
    from (select project.* ${MATCHING} order by project.name collate human, project.name limit $5 offset $6) project
    cross join lateral (
      select count(*)::int as value_count, count(distinct value.environment_id)::int as environment_count
        from ${VALUES} where ${OF_PROJECT}) counted
    left join lateral (${LAST_READ}) read on true
   order by project.name collate human, project.name`;

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
    private readonly snapshotReader: SnapshotReader,
    private readonly findings: LintCounts,
    private readonly rollouts: Rollouts,
  ) {}

  async of(caller: Caller, query: ProjectOverviewQuery): Promise<ProjectOverview> {
    const { page, page_size: pageSize, project = null, within_ms: withinMs } = query;
    const { revision, projects, counted } = await this.snapshotReader.sets<Overview>(
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
    const lintedProjects = projects.filter(isSmall).sort((a, b) => rowCount(a) - rowCount(b));
    const findings = await this.findings.of(caller, lintedProjects.map(idOf), deadline);
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
    const comparedInstances: ProjectInstances[] = [];
    for (const { environment_id, environment_name, total } of instances) {
      const isInTime = performance.now() < deadline;
      const counts = isInTime ? await this.rollouts.counts(caller, { project_id, environment_id }) : null;
      const { lagging = null, refused = null } = counts ?? {};
      comparedInstances.push({ environment_name, total: counts?.total ?? total, lagging, refused });
    }
    return comparedInstances;
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
