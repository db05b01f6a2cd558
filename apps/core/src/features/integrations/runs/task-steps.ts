import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { poolOf } from '../../../platform/postgres/data-source.ts';
import type { ClaimedTask } from './run-store.ts';

/** One step of a run: what happened to one key. */
export interface NewStep {
  readonly operation: 'create' | 'read' | 'update' | 'delete';
  readonly success: boolean;
  readonly fqn: string;
  readonly summary: string | null;
  readonly errorCode: string | null;
  readonly errorDetail: string | null;
  readonly environmentId: string | null;
  readonly projectId: string | null;
  readonly parameterId: string | null;
  /** The names of objects that do not exist yet. */
  readonly names?: { readonly environment: string; readonly project: string; readonly parameter: string };
}

/** Returns SQL that inserts the steps of a task for each row of `source`. */
const insertSteps = (source: string) => `
insert into task_step (organization_id, id, task_id, operation, success, fqn, environment_id, environment_name, project_id,
                       project_name, parameter_id, parameter_name, summary, error_code, error_detail, created_at)
select $1, gen_random_uuid(), $2, step.operation, step.success, step.fqn, step."environmentId",
       coalesce((select name from environment where organization_id = $1 and id = step."environmentId"), step.names ->> 'environment'), step."projectId",
       coalesce((select name from project where organization_id = $1 and id = step."projectId"), step.names ->> 'project'), step."parameterId",
       coalesce((select name from parameter where organization_id = $1 and id = step."parameterId"), step.names ->> 'parameter'), step.summary, step."errorCode",
       step."errorDetail", clock_timestamp()
  from ${source} cross join json_to_recordset($3::json) as step(operation text, success boolean, fqn text, summary text, "errorCode" text,
    "errorDetail" text, "environmentId" uuid, "projectId" uuid, "parameterId" uuid, names jsonb)`;

/** $6 is whether to keep the steps of objects that the run has created. */
const REPLACE = `
with leased as (
  select task.id from integration join task on task.organization_id = $1 and task.id = $2
   where integration.organization_id = $1 and integration.id = $4 and integration.lease_token = $5 for share of integration),
gone as (
  delete from task_step step using leased
   where step.organization_id = $1 and step.task_id = $2 and not ($6 and step.operation = 'create' and step.success))
${insertSteps('leased')}`;

const APPEND = insertSteps('(select) one');

@Injectable()
export class TaskSteps {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Replaces the steps of a task, because a repeated run has the final ones. Changes nothing if another process has taken
   * over the integration, or if the task was deleted.
   */
  async add(
    { organizationId, id, integrationId, lease }: ClaimedTask,
    steps: readonly NewStep[],
    { keepsCreated }: { readonly keepsCreated: boolean } = { keepsCreated: false },
  ): Promise<void> {
    const values = [organizationId, id, JSON.stringify(steps), integrationId, lease, keepsCreated];
    await poolOf(this.dataSource).query(REPLACE, values);
  }

  /** Adds steps in the transaction of what they report. */
  async append(em: EntityManager, { organizationId, id }: ClaimedTask, steps: readonly NewStep[]): Promise<void> {
    await em.query(APPEND, [organizationId, id, JSON.stringify(steps)]);
  }
}
