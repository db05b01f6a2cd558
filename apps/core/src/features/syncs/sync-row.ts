import type { ProviderName } from '@strata/contract';
import { wireTimeSql } from '../../platform/postgres/versioned-table.ts';

/** A run of a pull or a push. */
export interface TaskRow {
  readonly id: string;
  readonly exchange_id: string;
  readonly reason: string;
  readonly dry_run: boolean;
  readonly state: 'queued' | 'running' | 'skipped' | 'success' | 'failure';
  readonly error_code: string | null;
  readonly error_detail: string | null;
  readonly created_at: string;
  readonly modified_at: string;
  readonly next_attempt_at: string | null;
}

export type Direction = 'pull' | 'push';

/** A row of a pull or a push. */
export interface SyncRow {
  readonly id: string;
  readonly integration_id: string;
  readonly provider: ProviderName;
  readonly direction: Direction;
  readonly mode: 'mapped' | 'pattern';
  readonly name: string;
  readonly description: string;
  readonly region: string | null;
  readonly service: string | null;
  readonly resource: string | null;
  readonly options: Readonly<Record<string, boolean>>;
  readonly projects: readonly string[];
  readonly tags: readonly { readonly id: string; readonly environment_id: string }[];
  readonly latest_task: TaskRow | null;
  readonly latest_result: TaskRow | null;
  readonly created_at: string;
  readonly modified_at: string;
}

/** SQL columns of a task with this alias. */
export const taskColumns = (alias: string) => `
  ${alias}.id, ${alias}.exchange_id, ${alias}.reason, ${alias}.dry_run, ${alias}.state, ${alias}.error_code,
  ${alias}.error_detail, ${wireTimeSql(`${alias}.created_at`)} as created_at,
  ${wireTimeSql(`${alias}.modified_at`)} as modified_at,
  case when ${alias}.state = 'queued' then ${wireTimeSql(`${alias}.next_attempt_at`)} end as next_attempt_at`;

/** SQL that is true for a task that may write. If all runs of a pull or push are dry runs, they count like others. */
export const mayWrite = (sync: string) =>
  `(not task.dry_run or coalesce((${sync}.options ->> 'dry_run')::boolean, false))`;

/** SQL that is true for a task that has ended, or that failed and is repeated. */
export const HAS_RESULT = `(task.state not in ('queued', 'running') or task.error_code is not null)`;

const latestTask = (sync: string, condition: string) => `
  (select row_to_json(latest) from (
     select ${taskColumns('task')} from task
      where task.organization_id = $1 and task.exchange_id = ${sync}.id and ${condition}
      order by task.created_at desc, task.id limit 1) latest)`;

/** SQL columns of a pull or push with this alias. $1 is the organization. */
export const syncColumns = (alias: string) => `
  ${alias}.id, ${alias}.integration_id, ${alias}.direction, ${alias}.mode, ${alias}.name, ${alias}.description, ${alias}.region, ${alias}.service, ${alias}.resource, ${alias}.options,
  (select integration.provider from integration where integration.organization_id = $1 and integration.id = ${alias}.integration_id) as provider,
  (select coalesce(json_agg(exchange_project.project_id order by project.name collate human), '[]') from exchange_project
     join project on project.organization_id = $1 and project.id = exchange_project.project_id
    where exchange_project.organization_id = $1 and exchange_project.exchange_id = ${alias}.id) as projects,
  (select coalesce(json_agg(json_build_object('id', exchange_tag.tag_id, 'environment_id', tag.environment_id)
                            order by tag.name collate human, tag.id), '[]')
     from exchange_tag join tag on tag.organization_id = $1 and tag.id = exchange_tag.tag_id
    where exchange_tag.organization_id = $1 and exchange_tag.exchange_id = ${alias}.id) as tags,
  ${latestTask(alias, 'true')} as latest_task,
  ${latestTask(alias, `${mayWrite(alias)} and ${HAS_RESULT}`)} as latest_result,
  ${wireTimeSql(`${alias}.created_at`)} as created_at, ${wireTimeSql(`${alias}.modified_at`)} as modified_at`;

/** Returns SQL for the pushes of a project or tag as JSON. `id` is SQL for its id, and $1 is the organization. */
export const selectPushes = (noun: 'project' | 'tag', id: string) => `
  (select coalesce(json_agg(row_to_json(push) order by push.name collate human), '[]') from (
     select ${syncColumns('exchange')} from exchange_${noun} link
       join exchange on exchange.organization_id = $1 and exchange.id = link.exchange_id
      where link.organization_id = $1 and link.${noun}_id = ${id}) push)`;
