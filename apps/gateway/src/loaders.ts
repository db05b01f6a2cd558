import type { Environment, Page, Parameter, Tag, Value } from '@strata/contract';
import { Failure, isUuid } from '@strata/domain';
import DataLoader from 'dataloader';
import { type CoreClient, nullIfNotFound, type Query } from './core.ts';
import { EffectiveBatchLoader } from './parameters/effective-batch-loader.ts';

/** The number of ids in one `id__in`. Each takes 39 characters, so the path stays within the limit of the core. */
const BATCH = 200;

/** One row of one list of the core, at one point in time. */
export interface RowKey {
  /** Path of the list: `environments/`. */
  readonly list: string;
  readonly id: string;
  readonly query?: Query;
}

export interface ParameterLoadKey {
  readonly projectId: string;
  readonly parameterId: string;
  readonly pointInTime?: Query;
}

/** Identifies the value of a parameter as a project shows it in one environment. */
export interface EffectiveKey extends ParameterLoadKey {
  readonly environment: string;
  readonly reveal: boolean;
}

/**
 * Batches reads: one call to the core for all rows of one level of a query instead of one per row. Each loader is
 * created on first use, because an idle subscription reads nothing.
 */
export class Loaders {
  private readonly created = new Map<object, unknown>();

  constructor(private readonly core: CoreClient) {}

  get row() {
    return this.lazily(rows);
  }

  get effectiveBatches() {
    return this.lazily(effectiveBatches);
  }

  get explicit() {
    return this.lazily(explicitValues);
  }

  get pinned() {
    return this.lazily(pinning);
  }

  get idOf() {
    return this.lazily(createIdResolver);
  }

  private lazily<Loader>(create: (core: CoreClient) => Loader): Loader {
    const loader = this.created.get(create) ?? create(this.core);
    this.created.set(create, loader);
    return loader as Loader;
  }
}

function effectiveBatches(core: CoreClient): EffectiveBatchLoader {
  const fullEffective = fullEffectiveValues(core);
  return new EffectiveBatchLoader(core, (key) => fullEffective.load(key));
}

/**
 * A tag belongs to one environment, but child objects may belong to another. The tag is therefore resolved once to its
 * timestamp, which the children use.
 */
function pinning(core: CoreClient) {
  const pinnedQueries = new Map<string, Promise<Query>>();
  return async (pointInTime: Query = {}): Promise<Query> => {
    if (!pointInTime.tag) return pointInTime;
    const key = JSON.stringify(pointInTime);
    const query = pinnedQueries.get(key) ?? resolveInstant(core, pointInTime);
    pinnedQueries.set(key, query);
    return query;
  };
}

async function resolveInstant(core: CoreClient, pointInTime: Query): Promise<Query> {
  const environment = String(pointInTime.environment ?? 'default');
  const environments = await core.get<Page<Environment>>(
    'environments/',
    isUuid(environment) ? { id__in: environment } : { name: environment },
  );
  const id = environments.body.results[0]?.id ?? environment;
  const tags = await core.get<Page<Tag>>(`environments/${encodeURIComponent(id)}/tags/`, { name: pointInTime.tag });
  const [tag] = tags.body.results;
  // If the tag does not exist, the core returns the error.
  return tag ? { as_of: tag.timestamp } : pointInTime;
}

/** Returns the id of an object by its id or name; null if the list does not contain it. */
function createIdResolver(core: CoreClient) {
  return async (list: string, idOrName: string, pointInTime: Query): Promise<string | null> => {
    if (isUuid(idOrName)) return idOrName;
    const { body } = await core.get<Page<{ id: string }>>(list, { ...pointInTime, name: idOrName, page_size: 1 });
    return body.results[0]?.id ?? null;
  };
}

/** The ids of users and organizations are not UUIDs. */
const OPAQUE = new Set(['users/', 'organizations/', 'serviceaccounts/']);

function rows(core: CoreClient) {
  return new DataLoader<RowKey, unknown, string>(
    inGroups(
      ({ list, query }) => `${list} ${JSON.stringify(query ?? {})}`,
      async (keys, { list, query }) => {
        // Other texts are never ids here, and the core would reject the whole batch because of them.
        const ids = keys.map(({ id }) => id).filter((id) => OPAQUE.has(list) || isUuid(id));
        if (ids.length === 0) return new Map<string, { id: string }>();
        const rows = listRows<{ id: string }>(core, list, ids, query);
        // If the parent of a list does not exist, the list has no rows. An unknown tag or environment is an error.
        return query?.tag || query?.environment ? rows : ((await nullIfNotFound(rows)) ?? new Map<string, never>());
      },
      ({ id }, rows) => rows.get(id) ?? rows.get(id.toLowerCase()) ?? null,
    ),
    { maxBatchSize: BATCH, cacheKeyFn: ({ list, id, query }) => `${list} ${id} ${JSON.stringify(query ?? {})}` },
  );
}

function fullEffectiveValues(core: CoreClient) {
  return new DataLoader<EffectiveKey, Value | null, string>(
    inGroups(
      ({ projectId, environment, reveal, pointInTime }) =>
        JSON.stringify([projectId, environment, reveal, pointInTime]),
      (keys, { environment, reveal, pointInTime }) =>
        listEvaluated(core, keys, { ...pointInTime, environment, mask_secrets: !reveal }),
      ({ parameterId }, rows) => valueForEnvironment(rowOrFailure(rows.get(parameterId))),
    ),
    {
      maxBatchSize: BATCH,
      cacheKeyFn: ({ projectId, parameterId, environment, reveal, pointInTime }) =>
        JSON.stringify([projectId, parameterId, environment, reveal, pointInTime]),
    },
  );
}

/** The list of a project with the effective values of all environments contains each explicit value exactly once. */
function explicitValues(core: CoreClient) {
  return new DataLoader<ParameterLoadKey & { readonly reveal: boolean }, readonly Value[], string>(
    inGroups(
      ({ parameterId: _, ...group }) => JSON.stringify(group),
      (keys, { reveal, pointInTime }) => listEvaluated(core, keys, { mask_secrets: !reveal, ...pointInTime }),
      ({ parameterId }, rows) => {
        const values = Object.entries(rowOrFailure(rows.get(parameterId))?.values ?? {});
        return values
          .flatMap(([environment, value]) =>
            value && value.environment === environment && value.parameter_id === parameterId ? [value] : [],
          )
          .sort((a, b) => a.environment_name.localeCompare(b.environment_name));
      },
    ),
    { maxBatchSize: BATCH, cacheKeyFn: (key) => JSON.stringify(key) },
  );
}

/** Returns the value of a parameter that was read for one environment. */
export function valueForEnvironment(row: Parameter | undefined): Value | null {
  return Object.values(row?.values ?? {})[0] ?? null;
}

/** Returns parameters of one project by id. A text that cannot be evaluated fails only its own parameter. */
async function listEvaluated(
  core: CoreClient,
  keys: readonly ParameterLoadKey[],
  query: Query,
): Promise<Map<string, Parameter | Failure>> {
  const list = `projects/${encodeURIComponent(keys[0]?.projectId ?? '')}/parameters/`;
  const ids = [...new Set(keys.map(({ parameterId }) => parameterId))];
  try {
    return await listRows<Parameter>(core, list, ids, query);
  } catch (error) {
    if (!(error instanceof Failure) || error.kind !== 'unprocessable') throw error;
    if (ids.length === 1) return new Map(ids.map((id) => [id, error]));
    const results = await Promise.all(keys.map((key) => listEvaluated(core, [key], query)));
    return new Map(results.flatMap((result) => [...result]));
  }
}

function rowOrFailure<Row>(row: Row | Failure | undefined): Row | undefined {
  if (row instanceof Failure) throw row;
  return row;
}

async function listRows<Row extends { id: string }>(
  core: CoreClient,
  list: string,
  ids: readonly string[],
  query: Query = {},
): Promise<Map<string, Row>> {
  const { body } = await core.get<Page<Row>>(list, { ...query, id__in: ids.join(','), page_size: ids.length });
  return new Map(body.results.map((row) => [row.id, row]));
}

/** Returns a batch function that makes one request per group of keys. A failing group does not affect the others. */
function inGroups<Key, Found, Result>(
  groupKeyOf: (key: Key) => string,
  fetch: (keys: readonly Key[], first: Key) => Promise<Found>,
  pick: (key: Key, group: Found) => Result,
) {
  return async (keys: readonly Key[]): Promise<(Result | Error)[]> => {
    const groups = new Map<string, Key[]>();
    for (const key of keys) {
      const name = groupKeyOf(key);
      const group = groups.get(name);
      if (group) group.push(key);
      else groups.set(name, [key]);
    }
    const explanations = new Map<string, Promise<Found>>();
    for (const [name, group] of groups) explanations.set(name, fetch(group, group[0] as Key));
    return Promise.all(
      keys.map(async (key) => {
        try {
          return pick(key, await (explanations.get(groupKeyOf(key)) as Promise<Found>));
        } catch (error) {
          return error instanceof Error ? error : new Error('The core could not be reached.');
        }
      }),
    );
  };
}
