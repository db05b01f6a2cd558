import type { EntityManager } from 'typeorm';
import type { WriteContext } from '../../platform/ledger/command.ts';
import { objectChange } from '../../platform/ledger/object-change.ts';
import { NO_CLOUD_ACCESS } from '../syncs/external.ts';

/** The number of stored runs per pull or push. The audit contains all runs. */
const TASKS_KEPT = 20;

export interface TaskRun {
  readonly organizationId: string;
  readonly syncIds: readonly string[];
  /** The reason of the run, as a text. */
  readonly reason: string;
  /** Null uses the setting of the pull or push. */
  readonly dryRun: boolean | null;
}

/**
 * Runs pulls and pushes. Strata does not connect to providers, so each run fails at once, with one step for each
 * location that it would have read or written. The number of statements does not depend on the number of runs.
 */
export async function runTasks(context: WriteContext, run: TaskRun): Promise<void> {
  const { em, at } = context;
  const { organizationId, syncIds, reason, dryRun } = run;
  if (syncIds.length === 0) return;
  const tasks = await em.query<{ id: string; name: string }[]>(
    `insert into task (organization_id, id, exchange_id, reason, dry_run, state, error_code, error_detail, created_at, modified_at)
     select $1, gen_random_uuid(), exchange.id, $3, coalesce($4::boolean, (exchange.options ->> 'dry_run')::boolean, false), 'failure',
            $5, $6, $7, $7
       from exchange where exchange.organization_id = $1 and exchange.id = any($2::uuid[]) order by exchange.name
     returning id, (select name from exchange where exchange.organization_id = task.organization_id and exchange.id = task.exchange_id)`,
    [organizationId, syncIds, reason, dryRun, NO_CLOUD_ACCESS.code, NO_CLOUD_ACCESS.detail, at],
  );
  const ids = tasks.map(({ id }) => id);
  await addSteps(em, organizationId, ids, at);
  await deleteOldTasks(em, organizationId, syncIds);
  await em.query(
    `update exchange_tag set pushed = tag."timestamp" from tag
      where exchange_tag.organization_id = $1 and exchange_tag.exchange_id = any($2::uuid[])
        and tag.organization_id = $1 and tag.id = exchange_tag.tag_id and exchange_tag.pushed <> tag."timestamp"`,
    [organizationId, syncIds],
  );
  for (const { id, name } of tasks) {
    context.record(objectChange('create', 'Task', { id, name }));
  }
}

/**
 * Adds the steps. A pull would read its location. A push would write each of its projects in each environment of its
 * tags.
 */
async function addSteps(em: EntityManager, organizationId: string, ids: readonly string[], at: string): Promise<void> {
  await em.query(
    `insert into task_step (organization_id, id, task_id, operation, success, fqn, environment_id, environment_name,
                            project_id, project_name, error_code, error_detail, created_at)
     select $1, gen_random_uuid(), task.id, case exchange.direction when 'pull' then 'read' else 'update' end, false,
            integration.fqn || coalesce('/' || nullif(ltrim(exchange.resource, '/'), ''), ''),
            target.environment_id, target.environment_name, target.project_id, target.project_name, $3, $4, $5
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
    [organizationId, ids, NO_CLOUD_ACCESS.code, NO_CLOUD_ACCESS.detail, at],
  );
}

async function deleteOldTasks(
  em: EntityManager,
  organizationId: string,
  exchangeIds: readonly string[],
): Promise<void> {
  await em.query(
    `delete from task using (
       select id, row_number() over (partition by exchange_id order by created_at desc, id) as place
         from task where organization_id = $1 and exchange_id = any($2::uuid[])) old
      where task.organization_id = $1 and task.id = old.id and old.place > ${TASKS_KEPT}`,
    [organizationId, exchangeIds],
  );
}
