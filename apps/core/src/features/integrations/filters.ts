import type {
  AnyIntegrationListQuery,
  OrderBy,
  PageQuery,
  PushListQuery,
  StepListQuery,
  TaskListQuery,
} from '@strata/contract';
import { escapeLike, nameFilters } from '../../platform/http/filters.ts';
import { idFromLink } from '../../platform/http/links.ts';
import { BY_DESCRIPTION, buildOrder, NEWEST_FIRST_ORDER } from '../../platform/http/list-order.ts';
import type { Filter } from '../../platform/postgres/snapshot-reader.ts';
import { type ListQuery, STATUS } from './integrations.reader.ts';

type Sample = Readonly<Record<string, unknown>>;

/** The columns of settings that lists can be filtered by. They have the same names in the contract. */
const SETTINGS = [
  'aws_account_id',
  'aws_role_name',
  'tenant_id',
  'vault_name',
  'google_project_id',
  'gh_organization_slug',
] as const;

export function integrationListQuery(query: PageQuery & Sample): ListQuery {
  const settingFilters = SETTINGS.filter((key) => query[key] !== undefined).map((key) => ({
    sql: `object.settings ->> '${key}' = ?`,
    value: query[key],
  }));
  return {
    filters: [...idIn(query), ...settingFilters],
    order: buildOrder(query.ordering, BY_DESCRIPTION),
    page: query,
  };
}

export function anyIntegrationListQuery(query: AnyIntegrationListQuery): ListQuery {
  const { provider, status } = query;
  const filters = [...nameFilters(query)];
  if (provider !== undefined) filters.push({ sql: 'object.provider = ?', value: provider });
  if (status !== undefined) filters.push({ sql: `${STATUS} = ?`, value: status });
  return { filters, order: buildOrder(query.ordering, BY_DESCRIPTION), page: query };
}

export function syncListQuery(query: PushListQuery): ListQuery {
  const { environment, project, tag } = query;
  const links: Filter[] = [];
  if (environment !== undefined) {
    links.push({
      sql: `exists (select from exchange_tag join tag on tag.organization_id = $1 and tag.id = exchange_tag.tag_id
                     where exchange_tag.organization_id = $1 and exchange_tag.exchange_id = object.id and tag.environment_id = ?::uuid)`,
      value: idFromLink('environment', 'environments', environment),
    });
  }
  if (project !== undefined) {
    links.push(linked('project', idFromLink('project', 'projects', project)));
  }
  if (tag !== undefined) {
    links.push(linked('tag', idFromLink('tag', 'tags', tag)));
  }
  return { filters: [...nameFilters(query), ...links], order: buildOrder(query.ordering, BY_DESCRIPTION), page: query };
}

export function taskListQuery(query: TaskListQuery): ListQuery {
  const state = query.state === undefined ? [] : [{ sql: 'object.state = ?', value: query.state }];
  return {
    filters: [...idIn(query), ...state, ...timeFilters(query)],
    order: newestFirst(query.ordering),
    sortedBy: NEWEST_FIRST_ORDER,
    page: query,
  };
}

const STEP_TEXTS = ['fqn', 'operation', 'venue_id', 'venue_name'] as const;
const STEP_PARTS = ['venue_id__icontains', 'venue_name__icontains'] as const;

export function stepListQuery(query: StepListQuery): ListQuery {
  const texts = STEP_TEXTS.filter((key) => query[key] !== undefined).map((key) => ({
    sql: `object.${key} = ?`,
    value: query[key],
  }));
  const parts = STEP_PARTS.filter((key) => query[key] !== undefined).map((key) => ({
    sql: `object.${key.replace('__icontains', '')} ilike ?`,
    value: `%${escapeLike(query[key] ?? '')}%`,
  }));
  const success = query.success === undefined ? [] : [{ sql: 'object.success = ?', value: query.success }];
  const filters = [...idIn(query), ...texts, ...parts, ...success, ...timeFilters(query)];
  return { filters, order: newestFirst(query.ordering), sortedBy: NEWEST_FIRST_ORDER, page: query };
}

/** Returns the query that lists the steps of pushes for one object. */
export function stepsOfQuery(query: PageQuery, noun: 'environment' | 'parameter', id: string): ListQuery {
  const parentFilter = { sql: `object.${noun}_id = ?::uuid`, value: id };
  return {
    filters: [parentFilter, ...idIn(query)],
    order: newestFirst(query.ordering),
    sortedBy: NEWEST_FIRST_ORDER,
    page: query,
  };
}

function idIn({ id__in: ids }: Pick<PageQuery, 'id__in'>): Filter[] {
  return nameFilters({ id__in: ids });
}

function linked(noun: 'project' | 'tag', id: string): Filter {
  return {
    sql: `exists (select from exchange_${noun} link
                   where link.organization_id = $1 and link.exchange_id = object.id and link.${noun}_id = ?::uuid)`,
    value: id,
  };
}

function timeFilters(query: Pick<TaskListQuery, 'modified_at' | 'modified_at__gte' | 'modified_at__lte'>): Filter[] {
  const comparisons = { modified_at: '=', modified_at__gte: '>=', modified_at__lte: '<=' } as const;
  return (Object.keys(comparisons) as (keyof typeof comparisons)[]).flatMap((key) =>
    query[key] === undefined
      ? []
      : [{ sql: `object.modified_at ${comparisons[key]} ?::timestamptz`, value: query[key] }],
  );
}

const TIMES = ['created_at', 'modified_at'];

function newestFirst(ordering: readonly OrderBy[] | undefined): string {
  const orders = (ordering ?? [])
    .filter(({ field }) => TIMES.includes(field))
    .map(({ field, descending }) => `object.${field}${descending ? ' desc' : ''}`);
  return [...orders, 'object.created_at desc', 'object.id'].join(', ');
}
