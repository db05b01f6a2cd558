import { Injectable } from '@nestjs/common';
import type { ProviderName } from '@strata/contract';
import { ERRORS_AFTER_LISTING, Failure, forbiddenScopes, type OrganizationId, type Permissions } from '@strata/domain';
import { conditionAfter, type ListOrder } from '../../platform/http/list-order.ts';
import { type ListPageRequest, offsetWindow } from '../../platform/http/page.ts';
import {
  type Filter,
  type PageResult,
  type RowResult,
  type RowSource,
  SnapshotReader,
} from '../../platform/postgres/snapshot-reader.ts';
import { wireTimeSql } from '../../platform/postgres/versioned-table.ts';
import { ProviderSetup, TOO_MANY_KEYS } from '../external/provider-environment.ts';
import { type Direction, type SyncRow, syncColumns, type TaskRow, taskColumns } from '../syncs/sync-row.ts';
import type { IntegrationSettings } from './integration-identity.ts';

export interface IntegrationRow {
  readonly id: string;
  readonly provider: ProviderName;
  readonly name: string;
  readonly fqn: string;
  readonly description: string;
  readonly writable: boolean;
  readonly settings: IntegrationSettings;
  /** Whether nothing may be read or written, because an operator has to continue after a restore. */
  readonly is_held: boolean;
  /** The latest test or run that used the connection; null if there is none. */
  readonly latest_contact: { readonly error: string | null; readonly at: string } | null;
  readonly created_at: string;
  readonly modified_at: string;
}

export interface TaskStepRow {
  readonly id: string;
  readonly provider: ProviderName;
  readonly integration_id: string;
  readonly direction: Direction;
  readonly exchange_id: string;
  readonly task_id: string;
  readonly operation: 'create' | 'read' | 'update' | 'delete';
  readonly success: boolean;
  readonly fqn: string;
  readonly environment_id: string | null;
  readonly environment_name: string | null;
  readonly has_environment: boolean;
  readonly project_id: string | null;
  readonly project_name: string | null;
  readonly has_project: boolean;
  readonly parameter_id: string | null;
  readonly parameter_name: string | null;
  readonly has_parameter: boolean;
  readonly summary: string | null;
  readonly error_code: string | null;
  readonly error_detail: string | null;
  readonly created_at: string;
}

/** The path of an integration or of an object below it. An inner id requires the outer ids. */
export interface IntegrationPath {
  readonly organizationId: OrganizationId;
  /** The scopes that the caller may not read. */
  readonly forbidden: readonly string[];
  readonly provider: ProviderName;
  readonly integrationId: string;
  readonly direction: Direction;
  readonly exchangeId: string;
  readonly taskId: string;
}

export interface ListQuery {
  readonly filters: readonly Filter[];
  readonly order: string;
  /** The default order. If it is undefined, lists are sorted by name. */
  readonly sortedBy?: ListOrder;
  readonly page: ListPageRequest;
}

interface Filtered extends RowSource {
  readonly filters: readonly Filter[];
}

const isListed = `(exchange.direction = 'push' or exchange.mode = 'pattern') and (task.state = 'success' or task.error_code in (${ERRORS_AFTER_LISTING.map((code) => `'${code}'`).join(', ')})
  or (exchange.mode = 'pattern' and task.error_code = '${TOO_MANY_KEYS}'))`;

/** The latest test, or run whose result says whether the provider accepts the connection. */
const LATEST_CONTACT = `(select row_to_json(contact) from (
  select error, ${wireTimeSql('latest.at')} as at from (
  select case when ${isListed} then null else task.error_detail end as error, task.modified_at as at
    from exchange join task on task.organization_id = exchange.organization_id and task.exchange_id = exchange.id
   where exchange.organization_id = $1 and exchange.integration_id = object.id
     and (${isListed} or starts_with(task.error_code, 'provider_'))
  union all select object.test_error, object.tested_at where object.tested_at is not null) latest
   order by latest.at desc limit 1) contact)`;

/** SQL for the status of an integration. */
export const STATUS = `(select case when contact.latest is null then 'unknown' when contact.latest ->> 'error' is null then 'connected' else 'errored' end
  from (select ${LATEST_CONTACT} as latest) contact)`;

const ALL_INTEGRATIONS = '(select * from integration where organization_id = $1)';
const INTEGRATION_COLUMNS = `object.id, object.provider, object.name, object.fqn, object.description, object.writable, object.settings,
  object.held_because is not null as is_held,
  ${LATEST_CONTACT} as latest_contact,
  ${wireTimeSql('object.created_at')} as created_at, ${wireTimeSql('object.modified_at')} as modified_at`;

const parentExists = (table: string, as: string) =>
  `exists (select from ${table} child where child.organization_id = $1 and child.id = object.${as}_id) as has_${as}`;
const STEP_COLUMNS = `object.id, object.provider, object.integration_id, object.direction, object.exchange_id, object.task_id, object.operation, object.success,
  object.fqn, object.environment_id, object.environment_name, ${parentExists('environment', 'environment')}, object.project_id, object.project_name,
  ${parentExists('project', 'project')}, object.parameter_id, object.parameter_name, ${parentExists('parameter', 'parameter')}, object.summary,
  object.error_code, object.error_detail, ${wireTimeSql('object.created_at')} as created_at`;

/** The ids and names on the provider's side are null, because Strata never reads them. */
const STEPS = `(
  select step.*, step.created_at as modified_at, null::text as venue_id, null::text as venue_name,
         task.exchange_id, exchange.integration_id, exchange.direction, integration.provider
    from task_step step
    join task on task.organization_id = step.organization_id and task.id = step.task_id
    join exchange on exchange.organization_id = task.organization_id and exchange.id = task.exchange_id
    join integration on integration.organization_id = exchange.organization_id and integration.id = exchange.integration_id
   where step.organization_id = $1)`;

/**
 * Leaves out the steps of scopes that the caller may not read. The scope of a step is unknown if a process ended while it
 * wrote a key for the first time, and if a pull left out a key; only callers with access to all scopes see such steps.
 */
function readableSteps(forbidden: readonly string[]): readonly Filter[] {
  if (forbidden.length === 0) return [];
  const parameterProject = `(select parameter.project_id from parameter where parameter.organization_id = $1 and parameter.id = object.parameter_id)`;
  return [
    {
      sql: `object.project_id is not null and not (array[object.project_id, object.environment_id, ${parameterProject}] && ?::uuid[])`,
      value: forbidden,
    },
  ];
}

/** The order of the root nodes of the explorer. */
const ROOT_ORDER: ListOrder = [
  { sql: 'object.fqn', type: 'text' },
  { sql: 'object.id', type: 'uuid' },
];

type Nouns = { integration: IntegrationRow; exchange: SyncRow; task: TaskRow; step: TaskStepRow };
export type IntegrationNoun = keyof Nouns;

/** Returns the source of each noun, filtered by the ids of its path. */
const SOURCES: Readonly<Record<IntegrationNoun, (path: IntegrationPath) => Filtered>> = {
  integration: ({ provider }) => ({
    from: ALL_INTEGRATIONS,
    columns: INTEGRATION_COLUMNS,
    filters: [{ sql: 'object.provider = ?', value: provider }],
  }),
  exchange: ({ provider, integrationId, direction }) => ({
    from: `(select exchange.*, integration.provider from exchange
              join integration on integration.organization_id = exchange.organization_id and integration.id = exchange.integration_id
             where exchange.organization_id = $1)`,
    columns: syncColumns('object'),
    filters: [
      { sql: 'object.provider = ?', value: provider },
      { sql: 'object.integration_id = ?::uuid', value: integrationId },
      { sql: 'object.direction = ?', value: direction },
    ],
  }),
  task: ({ exchangeId, ...path }) => ({
    from: `(select task.*, exchange.integration_id, exchange.direction, integration.provider from task
              join exchange on exchange.organization_id = task.organization_id and exchange.id = task.exchange_id
              join integration on integration.organization_id = exchange.organization_id and integration.id = exchange.integration_id
             where task.organization_id = $1)`,
    columns: taskColumns('object'),
    filters: [
      ...SOURCES.exchange({ ...path, exchangeId }).filters,
      { sql: 'object.exchange_id = ?::uuid', value: exchangeId },
    ],
  }),
  step: (path) => ({
    from: STEPS,
    columns: STEP_COLUMNS,
    filters: [
      ...SOURCES.task(path).filters,
      { sql: 'object.task_id = ?::uuid', value: path.taskId },
      ...readableSteps(path.forbidden),
    ],
  }),
};

const NAMES: Readonly<Record<IntegrationNoun, string>> = {
  integration: 'Integration',
  exchange: 'Exchange',
  task: 'Task',
  step: 'Step',
};
/** The object that contains a list of the noun. It must exist. */
const ABOVE: Readonly<
  Record<IntegrationNoun, readonly [IntegrationNoun, keyof Omit<IntegrationPath, 'forbidden'>] | null>
> = {
  integration: null,
  exchange: ['integration', 'integrationId'],
  task: ['exchange', 'exchangeId'],
  step: ['task', 'taskId'],
};

@Injectable()
export class IntegrationsReader {
  constructor(
    private readonly committed: SnapshotReader,
    private readonly setup: ProviderSetup,
  ) {}

  /** Returns one page of objects. Throws 404 if the object that contains the list does not exist. */
  async page<N extends IntegrationNoun>(
    noun: N,
    path: IntegrationPath,
    { filters, order, sortedBy, page }: ListQuery,
  ): Promise<PageResult<Nouns[N]>> {
    const source = SOURCES[noun](path);
    const pageOfRows = await this.committed.page<Nouns[N]>(
      { organizationId: path.organizationId, at: 'now' },
      {
        ...source,
        filters: [...source.filters, ...filters],
        order,
        page: offsetWindow(page),
        after: conditionAfter(page.after, sortedBy),
      },
    );
    const above = ABOVE[noun];
    if (pageOfRows.count === 0 && above) await this.readOne(above[0], path, path[above[1]]);
    if (noun !== 'integration') return pageOfRows;
    return { ...pageOfRows, rows: await this.withExternalIds(path, pageOfRows.rows) };
  }

  /** Returns one object. Throws 404 if it does not exist at this path or belongs to another organization. */
  async readOne<N extends IntegrationNoun>(
    noun: N,
    path: IntegrationPath,
    id: string,
    reader = this.committed,
  ): Promise<RowResult<Nouns[N]>> {
    const reading = { organizationId: path.organizationId, at: 'now' } as const;
    const result = await reader.retrieve<Nouns[N]>(reading, SOURCES[noun](path), id, () =>
      Failure.notFound(NAMES[noun]),
    );
    if (noun !== 'integration') return result;
    const [row = result.row] = await this.withExternalIds(path, [result.row]);
    return { ...result, row };
  }

  /** Replaces stored external ids, because earlier releases stored one that a member chose. */
  private async withExternalIds<Row>(
    { organizationId }: Pick<IntegrationPath, 'organizationId'>,
    rows: readonly Row[],
  ): Promise<Row[]> {
    const { externalId } = await this.setup.tenant(organizationId);
    return rows.map((row) => {
      const { settings } = row as IntegrationRow;
      return 'aws_external_id' in settings ? { ...row, settings: { ...settings, aws_external_id: externalId } } : row;
    });
  }

  /** Lists the steps of pushes across all integrations. */
  listSteps(
    caller: Permissions & { readonly organizationId: OrganizationId },
    { filters, order, sortedBy, page }: ListQuery,
  ): Promise<PageResult<TaskStepRow>> {
    const pushes = { sql: 'object.direction = ?', value: 'push' };
    return this.committed.page(
      { organizationId: caller.organizationId, at: 'now' },
      {
        from: STEPS,
        columns: STEP_COLUMNS,
        filters: [pushes, ...readableSteps(forbiddenScopes(caller)), ...filters],
        order,
        page: offsetWindow(page),
        after: conditionAfter(page.after, sortedBy),
      },
    );
  }

  /** Lists the integrations of all providers. */
  async listAll(
    path: Pick<IntegrationPath, 'organizationId'>,
    { filters, order, sortedBy, page }: ListQuery,
  ): Promise<PageResult<IntegrationRow>> {
    const pageOfRows = await this.committed.page<IntegrationRow>(
      { organizationId: path.organizationId, at: 'now' },
      {
        ...{ from: ALL_INTEGRATIONS, columns: INTEGRATION_COLUMNS, filters, order },
        page: offsetWindow(page),
        after: conditionAfter(page.after, sortedBy),
      },
    );
    return { ...pageOfRows, rows: await this.withExternalIds(path, pageOfRows.rows) };
  }

  /** Lists the integrations as root nodes of the explorer. */
  roots(organizationId: OrganizationId, page: ListPageRequest): Promise<PageResult<IntegrationRow>> {
    const order = 'object.fqn, object.id';
    return this.listAll({ organizationId }, { filters: [], order, sortedBy: ROOT_ORDER, page });
  }

  async assertExists(noun: 'Environment' | 'Parameter', sql: string, values: readonly unknown[]): Promise<void> {
    if ((await this.committed.query(sql, values)).length === 0) throw Failure.notFound(noun);
  }

  get run(): SnapshotReader {
    return this.committed;
  }
}
