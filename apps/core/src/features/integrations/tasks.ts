import { randomUUID } from 'node:crypto';
import { Failure, type KeyDecision } from '@strata/domain';
import type { ProviderEnvironment } from '@strata/providers';
import type { EntityManager } from 'typeorm';
import type { WriteContext } from '../../platform/ledger/command.ts';
import { objectChange } from '../../platform/ledger/object-change.ts';
import { describeRunProblem, type RunnableSync } from './runs/run-problem.ts';
import { addSyncJob, PULL_SETTINGS, TASKS_KEPT } from './runs/sync-jobs.ts';

export interface TaskRun {
  readonly organizationId: string;
  readonly syncIds: readonly string[];
  /** The reason of the run, as a text. */
  readonly reason: string;
  /** Null uses the setting of the pull or push. */
  readonly dryRun: boolean | null;
  readonly decisions?: Readonly<Record<string, KeyDecision>>;
  /** The plan that a person approved for these runs. */
  readonly planHash?: string | null;
  readonly environment: ProviderEnvironment;
}

interface SyncToRun extends RunnableSync {
  readonly id: string;
  readonly name: string;
  readonly integration_id: string;
}

const ONLY_PLANS = {
  pull: 'The pull only plans. Set its dry_run to false to let it write.',
  push: 'The push only plans. Set its dry_run to false to let it write.',
} as const;

/** A push that only plans is compared with no other push, so its keys can be those of another one. */
export function onlyPlansError(noun: 'pull' | 'push'): Failure {
  return Failure.field('push_only_plans', 'dry_run', ONLY_PLANS[noun]);
}

/**
 * Queues runs of pulls and pushes. A run that cannot start fails at once, with one step for each location that it would
 * have read or written. The number of statements does not depend on the number of runs.
 */
export async function runTasks(context: WriteContext, run: TaskRun): Promise<readonly string[]> {
  const { em, at } = context;
  const { organizationId, syncIds, reason, dryRun, decisions, planHash, environment } = run;
  if (syncIds.length === 0) return [];
  const syncs = await em.query<SyncToRun[]>(
    `select exchange.id, exchange.name, exchange.direction, exchange.mode, exchange.region, exchange.service, exchange.resource,
            (exchange.options ->> 'dry_run')::boolean as dry_run,
            exchange.integration_id, integration.provider, integration.settings, integration.writable
       from exchange join integration using (organization_id)
      where organization_id = $1 and exchange.id = any($2::uuid[]) and integration.id = exchange.integration_id
      order by exchange.name`,
    [organizationId, syncIds],
  );
  const planned = syncs.map((sync) => {
    const isDry = dryRun ?? sync.dry_run ?? false;
    return { id: randomUUID(), sync, isDry, error: describeRunProblem(sync, isDry, environment) };
  });
  await em.query(
    `insert into task (organization_id, id, exchange_id, reason, dry_run, state, error_code, error_detail, decisions,
                       plan_hash, started_by, pull_settings, next_attempt_at, created_at, modified_at)
     select $1, run.id, run.sync, $2, run.dry_run, case when run.code is null then 'queued' else 'failure' end, run.code, run.detail, $3,
            $4, $5, ${PULL_SETTINGS}, case when run.code is null then clock_timestamp() end, $6, $6
       from json_to_recordset($7::json) as run(id uuid, sync uuid, dry_run boolean, code text, detail text)
       join exchange on exchange.organization_id = $1 and exchange.id = run.sync
       join integration on integration.organization_id = $1 and integration.id = exchange.integration_id`,
    [
      ...[organizationId, reason, decisions ?? {}, planHash ?? null, context.caller.membershipId, at],
      JSON.stringify(planned.map(({ id, sync, isDry, error }) => ({ id, sync: sync.id, dry_run: isDry, ...error }))),
    ],
  );
  const failed = planned.filter(({ error }) => error !== null);
  if (failed.length > 0)
    await addFailedSteps(
      em,
      organizationId,
      failed.map(({ id }) => id),
      at,
    );
  const waiting = planned.filter(({ error }) => error === null).map(({ sync }) => sync.integration_id);
  if (waiting.length > 0)
    await em.query(
      `select ${addSyncJob()} from integration
        where organization_id = $1 and id = any($2::uuid[]) and held_because is null`,
      [organizationId, waiting],
    );
  await deleteOldTasks(em, organizationId, syncIds);
  await em.query(
    `update exchange_tag set pushed = tag."timestamp" from tag
      where exchange_tag.organization_id = $1 and exchange_tag.exchange_id = any($2::uuid[])
        and tag.organization_id = $1 and tag.id = exchange_tag.tag_id and exchange_tag.pushed <> tag."timestamp"`,
    [organizationId, syncIds],
  );
  for (const { id, sync } of planned) {
    context.record(objectChange('create', 'Task', { id, name: sync.name }));
  }
  return planned.map(({ id }) => id);
}

/**
 * Adds the steps of runs that could not start. A pull would read its location. A push would write each of its projects
 * in each environment of its tags.
 */
async function addFailedSteps(
  em: EntityManager,
  organizationId: string,
  ids: readonly string[],
  at: string,
): Promise<void> {
  await em.query(
    `insert into task_step (organization_id, id, task_id, operation, success, fqn, environment_id, environment_name,
                            project_id, project_name, error_code, error_detail, created_at)
     select $1, gen_random_uuid(), task.id, case exchange.direction when 'pull' then 'read' else 'update' end, false,
            integration.fqn || coalesce('/' || nullif(ltrim(exchange.resource, '/'), ''), ''),
            target.environment_id, target.environment_name, target.project_id, target.project_name, task.error_code,
            task.error_detail, $3
       from task
       join exchange on exchange.organization_id = task.organization_id and exchange.id = task.exchange_id
       join integration on integration.organization_id = exchange.organization_id and integration.id = exchange.integration_id
       join lateral (
         select null::uuid as environment_id, null as environment_name, null::uuid as project_id, null as project_name
          where exchange.direction = 'pull'
         union all
         select distinct environment.id, environment.name, project.id, project.name
           from exchange_project lp
           join project on project.organization_id = $1 and project.id = lp.project_id
           join exchange_tag lt on lt.organization_id = $1 and lt.exchange_id = lp.exchange_id
           join tag on tag.organization_id = $1 and tag.id = lt.tag_id
           join environment on environment.organization_id = $1 and environment.id = tag.environment_id
          where lp.organization_id = $1 and lp.exchange_id = exchange.id) target on true
      where task.organization_id = $1 and task.id = any($2::uuid[])`,
    [organizationId, ids, at],
  );
}

async function deleteOldTasks(em: EntityManager, organizationId: string, syncIds: readonly string[]): Promise<void> {
  await em.query(
    `delete from task using (
       select id, row_number() over (partition by exchange_id order by created_at desc, id) as place
         from task where organization_id = $1 and exchange_id = any($2::uuid[])) old
      where task.organization_id = $1 and task.id = old.id and old.place > ${TASKS_KEPT} and task.state not in ('queued', 'running')`,
    [organizationId, syncIds],
  );
}
