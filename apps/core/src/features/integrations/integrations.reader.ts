import { Injectable } from '@nestjs/common';
import type { ProviderName } from '@strata/contract';
import { Failure, type OrganizationId } from '@strata/domain';
import { conditionAfter, type ListOrder } from '../../platform/http/list-order.ts';
import { type ListPageRequest, offsetWindow } from '../../platform/http/page.ts';
import {
  type Filter,
  type PageResult,
  type RowResult,
  type RowSource,
  SnapshotReader,
} from '../../platform/postgres/snapshot-reader.ts';
import { wireTime } from '../../platform/postgres/versioned-table.ts';
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
  readonly created_at: string;
  readonly modified_at: string;
}

export interface StepRow {
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

const INTEGRATION_COLUMNS = `o.id, o.provider, o.name, o.fqn, o.description, o.writable, o.settings,
  ${wireTime('o.created_at')} as created_at, ${wireTime('o.modified_at')} as modified_at`;

const parentExists = (table: string, as: string) =>
  `exists (select from ${table} x where x.organization_id = $1 and x.id = o.${as}_id) as has_${as}`;
const STEP_COLUMNS = `o.id, o.provider, o.integration_id, o.direction, o.exchange_id, o.task_id, o.operation, o.success,
  o.fqn, o.environment_id, o.environment_name, ${parentExists('environment', 'environment')}, o.project_id, o.project_name,
  ${parentExists('project', 'project')}, o.parameter_id, o.parameter_name, ${parentExists('parameter', 'parameter')}, o.summary,
  o.error_code, o.error_detail, ${wireTime('o.created_at')} as created_at`;

/** The ids and names on the provider's side are null, because Strata never reads them. */
const STEPS = `(
  select s.*, s.created_at as modified_at, null::text as venue_id, null::text as venue_name,
         k.exchange_id, x.integration_id, x.direction, i.provider
    from task_step s
    join task k on k.organization_id = s.organization_id and k.id = s.task_id
    join exchange x on x.organization_id = k.organization_id and x.id = k.exchange_id
    join integration i on i.organization_id = x.organization_id and i.id = x.integration_id
   where s.organization_id = $1)`;

/** The order of the root nodes of the explorer. */
const ROOT_ORDER: ListOrder = [
  { sql: 'o.fqn', type: 'text' },
  { sql: 'o.id', type: 'uuid' },
];

type Nouns = { integration: IntegrationRow; exchange: SyncRow; task: TaskRow; step: StepRow };
export type IntegrationNoun = keyof Nouns;

/** Returns the source of each noun, filtered by the ids of its path. */
const SOURCES: Readonly<Record<IntegrationNoun, (path: IntegrationPath) => Filtered>> = {
  integration: ({ provider }) => ({
    from: '(select * from integration where organization_id = $1)',
    columns: INTEGRATION_COLUMNS,
    filters: [{ sql: 'o.provider = ?', value: provider }],
  }),
  exchange: ({ provider, integrationId, direction }) => ({
    from: `(select x.*, i.provider from exchange x
              join integration i on i.organization_id = x.organization_id and i.id = x.integration_id
             where x.organization_id = $1)`,
    columns: syncColumns('o'),
    filters: [
      { sql: 'o.provider = ?', value: provider },
      { sql: 'o.integration_id = ?::uuid', value: integrationId },
      { sql: 'o.direction = ?', value: direction },
    ],
  }),
  task: ({ exchangeId, ...path }) => ({
    from: `(select k.*, x.integration_id, x.direction, i.provider from task k
              join exchange x on x.organization_id = k.organization_id and x.id = k.exchange_id
              join integration i on i.organization_id = x.organization_id and i.id = x.integration_id
             where k.organization_id = $1)`,
    columns: taskColumns('o'),
    filters: [
      ...SOURCES.exchange({ ...path, exchangeId }).filters,
      { sql: 'o.exchange_id = ?::uuid', value: exchangeId },
    ],
  }),
  step: (path) => ({
    from: STEPS,
    columns: STEP_COLUMNS,
    filters: [...SOURCES.task(path).filters, { sql: 'o.task_id = ?::uuid', value: path.taskId }],
  }),
};

const NAMES: Readonly<Record<IntegrationNoun, string>> = {
  integration: 'Integration',
  exchange: 'Exchange',
  task: 'Task',
  step: 'Step',
};
/** The object that contains a list of the noun. It must exist. */
const ABOVE: Readonly<Record<IntegrationNoun, readonly [IntegrationNoun, keyof IntegrationPath] | null>> = {
  integration: null,
  exchange: ['integration', 'integrationId'],
  task: ['exchange', 'exchangeId'],
  step: ['task', 'taskId'],
};

@Injectable()
export class IntegrationsReader {
  constructor(private readonly committed: SnapshotReader) {}

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
    return pageOfRows;
  }

  /** Returns one object. Throws 404 if it does not exist at this path or belongs to another organization. */
  readOne<N extends IntegrationNoun>(
    noun: N,
    path: IntegrationPath,
    id: string,
    reader = this.committed,
  ): Promise<RowResult<Nouns[N]>> {
    const reading = { organizationId: path.organizationId, at: 'now' } as const;
    return reader.retrieve(reading, SOURCES[noun](path), id, () => Failure.notFound(NAMES[noun]));
  }

  /** Lists the steps of pushes across all integrations. */
  listSteps(
    organizationId: OrganizationId,
    { filters, order, sortedBy, page }: ListQuery,
  ): Promise<PageResult<StepRow>> {
    const pushes = { sql: 'o.direction = ?', value: 'push' };
    return this.committed.page(
      { organizationId, at: 'now' },
      {
        from: STEPS,
        columns: STEP_COLUMNS,
        filters: [pushes, ...filters],
        order,
        page: offsetWindow(page),
        after: conditionAfter(page.after, sortedBy),
      },
    );
  }

  /** Lists the integrations as root nodes of the explorer. */
  async roots(organizationId: OrganizationId, page: ListPageRequest): Promise<PageResult<IntegrationRow>> {
    return this.committed.page(
      { organizationId, at: 'now' },
      {
        from: '(select * from integration where organization_id = $1)',
        columns: INTEGRATION_COLUMNS,
        order: 'o.fqn, o.id',
        page: offsetWindow(page),
        after: conditionAfter(page.after, ROOT_ORDER),
      },
    );
  }

  async assertExists(noun: 'Environment' | 'Parameter', sql: string, values: readonly unknown[]): Promise<void> {
    if ((await this.committed.query(sql, values)).length === 0) throw Failure.notFound(noun);
  }

  get run(): SnapshotReader {
    return this.committed;
  }
}
