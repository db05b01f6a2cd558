import { Injectable } from '@nestjs/common';
import type { PushKeyListQuery, PushPolicy, PushRunPlan } from '@strata/contract';
import {
  type ApprovedKey,
  forbiddenScopes,
  type KeyAction,
  type KeyState,
  needsAttention,
  type PlannedKeyReason,
} from '@strata/domain';
import type { Caller } from '../../platform/caller.ts';
import { conditionAfter, type ListOrder } from '../../platform/http/list-order.ts';
import { offsetWindow } from '../../platform/http/page.ts';
import { type PageResult, SnapshotReader } from '../../platform/postgres/snapshot-reader.ts';
import { wireTimeSql } from '../../platform/postgres/versioned-table.ts';
import { Vault } from '../../platform/vault/vault.ts';
import { mayWrite, type TaskRow } from '../syncs/sync-row.ts';
import { type IntegrationPath, IntegrationsReader } from './integrations.reader.ts';
import { hashPlan } from './runs/plan-approval.ts';

export interface PushKeyRow {
  readonly key: string;
  readonly state: KeyState;
  readonly action: KeyAction;
  readonly reason: PlannedKeyReason;
  readonly detail: string | null;
  readonly version: string | null;
  readonly is_desired: boolean;
  readonly project_id: string | null;
  readonly project_name: string | null;
  readonly environment_id: string | null;
  readonly environment_name: string | null;
  readonly parameter_id: string | null;
  readonly parameter_name: string | null;
  /** The project that owns the parameter, which another project may inherit. */
  readonly parameter_project_id: string | null;
  readonly written_at: string | null;
  readonly changed_at: string;
  readonly next_attempt_at: string | null;
}

/** A key of a plan. */
interface PlanRow extends ApprovedKey {
  readonly is_hidden: boolean;
}

/**
 * Whether a key belongs to a scope in $5, the scopes that the caller may not read. The origin of a key is unknown if a
 * process ended while it wrote the key for the first time; only callers with access to all scopes see such keys.
 */
const IS_HIDDEN = `(object.project_id = any($5) or object.environment_id = any($5) or object.parameter_project_id = any($5)
  or (object.project_id is null and cardinality($5::uuid[]) > 0))`;

const KEYS = `(
  select sync_key.*, project.name as project_name, environment.name as environment_name, parameter.name as parameter_name,
         parameter.project_id as parameter_project_id
    from sync_key
    -- An integration can change its account. The records of earlier stores stay, and are not listed.
    join exchange on exchange.organization_id = $1 and exchange.id = sync_key.exchange_id
                 and (exchange.store is null or exchange.store = sync_key.store)
    left join project on project.organization_id = $1 and project.id = sync_key.project_id
    left join environment on environment.organization_id = $1 and environment.id = sync_key.environment_id
    left join parameter on parameter.organization_id = $1 and parameter.id = sync_key.parameter_id
   where sync_key.organization_id = $1)`;

const VISIBLE_KEYS = `(select object.* from ${KEYS} object where not ${IS_HIDDEN})`;

const COLUMNS = `object.key, object.state, object.action, object.reason, object.detail, object.seen_version as version, object.is_desired,
  object.project_id, object.project_name, object.environment_id, object.environment_name, object.parameter_id, object.parameter_name,
  object.parameter_project_id, ${wireTimeSql('object.written_at')} as written_at, ${wireTimeSql('object.changed_at')} as changed_at,
  (select ${wireTimeSql('min(task.next_attempt_at)')} from task where task.organization_id = $1 and task.exchange_id = object.exchange_id
      and task.state in ('queued', 'running')) as next_attempt_at`;

/** Selects the keys for which `needsAttention` returns true. */
const IN_PLAN = `(object.action in ('create', 'restore', 'update', 'delete', 'take_over', 'import')
  or object.action <> 'forget' and (object.state in ('foreign', 'drifted', 'failed') or object.reason = 'removal_undecided'))`;

const PLAN = `
select object.key, object.state, object.action, object.reason, object.seen_version as version, ${IS_HIDDEN} as is_hidden
  from ${KEYS} object where object.exchange_id = $2 and $3::bigint is null and $4::bigint is null`;

/** A dry run changes the plan, and leaves the question open whether to run it. */
const LATEST_WRITING_RUN = `
select task.error_code from task
  join exchange on exchange.organization_id = task.organization_id and exchange.id = task.exchange_id
 where task.organization_id = $1 and task.exchange_id = $2 and ${mayWrite('exchange')}
 order by task.created_at desc, task.id limit 1`;

const KEY_ORDER: ListOrder = [{ sql: 'object.key', type: 'text' }];

/** Reads the keys of a push, its plan and its policy. */
@Injectable()
export class PushKeysReader {
  constructor(
    private readonly committed: SnapshotReader,
    private readonly integrations: IntegrationsReader,
    private readonly vault: Vault,
  ) {}

  /** Lists the keys of a push that the caller may see. Throws 404 if the push does not exist at this path. */
  async page(
    caller: Caller,
    path: IntegrationPath,
    pushId: string,
    query: PushKeyListQuery,
  ): Promise<PageResult<PushKeyRow>> {
    await this.integrations.readOne('exchange', path, pushId);
    const filters = [{ sql: 'object.exchange_id = ?::uuid', value: pushId }];
    if (query.state !== undefined) filters.push({ sql: 'object.state = ?', value: query.state });
    if (query.pending !== undefined) filters.push({ sql: `${IN_PLAN} = ?::boolean`, value: String(query.pending) });
    return this.committed.page<PushKeyRow>(
      { organizationId: caller.organizationId, at: 'now' },
      {
        from: VISIBLE_KEYS,
        columns: COLUMNS,
        values: [forbiddenScopes(caller)],
        filters,
        order: 'object.key',
        page: offsetWindow(query),
        after: conditionAfter(query.after, KEY_ORDER),
      },
    );
  }

  /** Returns the plan that the latest run of a push stored. */
  async plan(
    caller: Caller,
    path: IntegrationPath,
    pushId: string,
    reader = this.committed,
  ): Promise<PushRunPlan & { readonly visible: ReadonlyMap<string, string | null> }> {
    await this.integrations.readOne('exchange', path, pushId, reader);
    const rows = await reader.query<PlanRow>(PLAN, [
      caller.organizationId,
      pushId,
      null,
      null,
      forbiddenScopes(caller),
    ]);
    const count = (matches: (row: PlanRow) => boolean) => rows.filter(matches).length;
    const acts = (...actions: readonly KeyAction[]) => count(({ action }) => actions.includes(action));
    const [latest] = await reader.query<Pick<TaskRow, 'error_code'>>(LATEST_WRITING_RUN, [
      caller.organizationId,
      pushId,
    ]);
    const code = latest?.error_code ?? null;
    return {
      hash: await hashPlan(this.vault, caller.organizationId, rows),
      waits_for_approval: code === 'approval_required' || code === 'plan_changed',
      creates: acts('create', 'restore'),
      updates: acts('update', 'take_over'),
      deletes: acts('delete'),
      imports: acts('import'),
      foreign: count(({ state, action }) => state === 'foreign' && action !== 'forget'),
      drifted: count(({ state, action }) => state === 'drifted' && action !== 'import'),
      undecided: count(({ reason }) => reason === 'removal_undecided'),
      failed: count(({ state }) => state === 'failed'),
      in_sync: count((row) => !needsAttention(row)),
      hidden: count(({ is_hidden: isHidden }) => isHidden),
      visible: new Map(rows.flatMap(({ key, version, is_hidden: isHidden }) => (isHidden ? [] : [[key, version]]))),
    };
  }

  async policy(path: IntegrationPath, pushId: string, reader = this.committed): Promise<PushPolicy> {
    await this.integrations.readOne('exchange', path, pushId, reader);
    const [policy] = await reader.query<PushPolicy>(
      'select plan_first, drift from exchange where organization_id = $1 and id = $2',
      [path.organizationId, pushId],
    );
    if (!policy) throw new Error(`The push ${pushId} has no policy.`);
    return policy;
  }
}
