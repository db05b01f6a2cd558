import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
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

/** Replaces the steps of a task, because a repeated run has the final ones. */
const REPLACE = `
with leased as (select from integration where organization_id = $1 and id = $4 and lease_token = $5 for share),
gone as (delete from task_step using leased where organization_id = $1 and task_id = $2)
insert into task_step (organization_id, id, task_id, operation, success, fqn, environment_id, environment_name, project_id,
                       project_name, parameter_id, parameter_name, summary, error_code, error_detail, created_at)
select $1, gen_random_uuid(), $2, step.operation, step.success, step.fqn, step."environmentId",
       coalesce((select name from environment where organization_id = $1 and id = step."environmentId"), step.names ->> 'environment'), step."projectId",
       coalesce((select name from project where organization_id = $1 and id = step."projectId"), step.names ->> 'project'), step."parameterId",
       coalesce((select name from parameter where organization_id = $1 and id = step."parameterId"), step.names ->> 'parameter'), step.summary, step."errorCode",
       step."errorDetail", clock_timestamp()
  from leased, json_to_recordset($3::json) as step(operation text, success boolean, fqn text, summary text, "errorCode" text,
    "errorDetail" text, "environmentId" uuid, "projectId" uuid, "parameterId" uuid, names jsonb)`;

@Injectable()
export class TaskSteps {
  constructor(private readonly dataSource: DataSource) {}

  /** Changes nothing if another process has taken over the integration. */
  async add({ organizationId, id, integrationId, lease }: ClaimedTask, steps: readonly NewStep[]): Promise<void> {
    const values = [organizationId, id, JSON.stringify(steps), integrationId, lease];
    await poolOf(this.dataSource).query(REPLACE, values);
  }
}
