import type { Environment, Page, Parameter, Project, Value, Webhook } from '@strata/contract';
import { isUuid } from '@strata/domain';
import DataLoader from 'dataloader';
import type { Core, Query } from './core.ts';

/** Ids that the core takes in one `id__in`. */
const BATCH = 500;

export type Loaders = ReturnType<typeof createLoaders>;

/** Which value of a parameter, as seen from a project. */
export interface EffectiveKey {
  readonly projectId: string;
  readonly parameterId: string;
  readonly environment: string;
  readonly reveal: boolean;
}

export interface ParameterKey {
  readonly projectId: string;
  readonly parameterId: string;
}

/** Joins over HTTP: one call to the core for all rows of one level of a query, not one per row. */
export function createLoaders(core: Core) {
  return {
    environment: byId<Environment>(core, 'environments/'),
    project: byId<Project>(core, 'projects/'),
    webhook: byId<Webhook>(core, 'webhooks/'),
    parameter: parameters(core),
    effective: effectiveValues(core),
    explicit: explicitValues(core),
  };
}

function byId<Row extends { id: string }>(core: Core, path: string) {
  return new DataLoader<string, Row | null>(
    async (ids) => {
      // What is no UUID is nobody's id; the core would refuse the whole batch for it.
      const asked = ids.filter(isUuid);
      const rows = new Map<string, Row>();
      if (asked.length > 0) {
        const { body } = await core.get<Page<Row>>(path, { id__in: asked.join(','), page_size: asked.length });
        for (const row of body.results) rows.set(row.id, row);
      }
      return ids.map((id) => rows.get(id.toLowerCase()) ?? null);
    },
    { maxBatchSize: BATCH },
  );
}

function parameters(core: Core) {
  return new DataLoader<ParameterKey, Parameter | null, string>(
    inGroups(
      ({ projectId }) => projectId,
      (keys) => listParameters(core, keys, { values: false }),
      (key, rows) => rows.get(key.parameterId) ?? null,
    ),
    { maxBatchSize: BATCH, cacheKeyFn: ({ projectId, parameterId }) => `${projectId} ${parameterId}` },
  );
}

function effectiveValues(core: Core) {
  return new DataLoader<EffectiveKey, Value | null, string>(
    inGroups(
      ({ projectId, environment, reveal }) => `${projectId} ${reveal} ${environment}`,
      (keys, { environment, reveal }) => listParameters(core, keys, { environment, mask_secrets: !reveal }),
      ({ parameterId }, rows) => onlyValue(rows.get(parameterId)),
    ),
    {
      maxBatchSize: BATCH,
      cacheKeyFn: ({ projectId, parameterId, environment, reveal }) =>
        `${projectId} ${parameterId} ${reveal} ${environment}`,
    },
  );
}

/** The list of a project with the effective values of all environments holds each explicit value exactly once. */
function explicitValues(core: Core) {
  return new DataLoader<ParameterKey & { readonly reveal: boolean }, readonly Value[], string>(
    inGroups(
      ({ projectId, reveal }) => `${projectId} ${reveal}`,
      (keys, { reveal }) => listParameters(core, keys, { mask_secrets: !reveal }),
      ({ parameterId }, rows) => {
        const values = Object.entries(rows.get(parameterId)?.values ?? {});
        return values
          .flatMap(([environment, value]) =>
            value && value.environment === environment && value.parameter_id === parameterId ? [value] : [],
          )
          .sort((a, b) => a.environment_name.localeCompare(b.environment_name));
      },
    ),
    {
      maxBatchSize: BATCH,
      cacheKeyFn: ({ projectId, parameterId, reveal }) => `${projectId} ${parameterId} ${reveal}`,
    },
  );
}

/** The value of a parameter that was read for one environment. */
export function onlyValue(row: Parameter | undefined): Value | null {
  return Object.values(row?.values ?? {})[0] ?? null;
}

async function listParameters(
  core: Core,
  keys: readonly ParameterKey[],
  query: Query,
): Promise<Map<string, Parameter>> {
  const ids = [...new Set(keys.map(({ parameterId }) => parameterId))];
  const projectId = keys[0]?.projectId ?? '';
  const path = `projects/${encodeURIComponent(projectId)}/parameters/`;
  const { body } = await core.get<Page<Parameter>>(path, { ...query, id__in: ids.join(','), page_size: ids.length });
  return new Map(body.results.map((row) => [row.id, row]));
}

/** A batch function that asks once per group of keys; a group that fails fails alone. */
function inGroups<Key, Found, Result>(
  groupOf: (key: Key) => string,
  fetch: (keys: readonly Key[], first: Key) => Promise<Found>,
  pick: (key: Key, found: Found) => Result,
) {
  return async (keys: readonly Key[]): Promise<(Result | Error)[]> => {
    const groups = new Map<string, Key[]>();
    for (const key of keys) {
      const name = groupOf(key);
      const group = groups.get(name);
      if (group) group.push(key);
      else groups.set(name, [key]);
    }
    const answers = new Map<string, Promise<Found>>();
    for (const [name, group] of groups) answers.set(name, fetch(group, group[0] as Key));
    return Promise.all(
      keys.map(async (key) => {
        try {
          return pick(key, await (answers.get(groupOf(key)) as Promise<Found>));
        } catch (error) {
          return error instanceof Error ? error : new Error('The core could not be asked.');
        }
      }),
    );
  };
}
