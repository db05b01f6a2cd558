import { Injectable } from '@nestjs/common';
import {
  EFFECTIVE_BATCH_LIMITS,
  type EffectiveBatch,
  EffectiveBatchQuery,
  type EffectiveBatchResult,
  parseQuery,
} from '@strata/contract';
import {
  canOnScope,
  Failure,
  type ParameterId,
  type Permissions,
  type ProjectId,
  type ProjectLink,
  resolver,
  sentence,
} from '@strata/domain';
import type { Caller } from '../../platform/caller.ts';
import { EventLoopYielder } from '../../platform/event-loop-yielder.ts';
import type { Links } from '../../platform/http/links.ts';
import { notFoundAt, PointsInTime } from '../../platform/http/points-in-time.ts';
import type { QueryResult, WrittenBody } from '../../platform/http/response-cache.ts';
import type { PointInTime } from '../../platform/postgres/versioned-table.ts';
import { Vault } from '../../platform/vault/vault.ts';
import { byIdOrName, canReadChain, findProjectChain } from '../snapshot/lookup.ts';
import { toResultVersion } from '../snapshot/result-version.ts';
import type { ValueRecord, ViewedParameter } from '../snapshot/snapshot.ts';
import { possibleIds } from '../snapshot/snapshot-loader.ts';
import { Snapshots } from '../snapshot/snapshots.ts';
import { type EvaluationResults, Evaluations, NOTHING_EVALUATED } from '../templating/evaluation.ts';
import {
  type BatchSnapshot,
  createBatchPresenter,
  type Evaluation,
  type ProjectInEnvironment,
} from './effective-batch-body.ts';

/** Reads the effective configurations of several projects in several environments at one point in time. */
@Injectable()
export class EffectiveBatches {
  constructor(
    private readonly pointsInTime: PointsInTime,
    private readonly snapshots: Snapshots,
    private readonly evaluations: Evaluations,
    private readonly vault: Vault,
  ) {}

  /** Resolves the combinations. Throws 404 if a project or environment does not exist. */
  async find(caller: Caller, input: unknown): Promise<QueryResult> {
    const query = parseQuery(EffectiveBatchQuery, input);
    const { at, environments } = await this.resolved(caller, query);
    const { organizationId } = caller;
    const { project: projects } = query;
    const loaded: BatchSnapshot = await this.snapshots.of({
      organizationId,
      at,
      projectIds: possibleIds(projects),
      projectNames: projects,
      environments,
      names: namesIn(query),
      parameters: 'effective',
      values: 'complete',
    });
    const combinations = await listCombinations(loaded, caller, { projects, environments });
    const { revision, currentVersion } = toResultVersion(loaded);
    return {
      revision,
      // The body contains its revision, so a client's copy is only current if the revision is the same, too.
      currentVersion: currentVersion && { head: currentVersion.head, contentVersion: null },
      write: (links) => this.write(caller, loaded, combinations, { query, links }),
    };
  }

  private async write(
    caller: Caller,
    loaded: BatchSnapshot,
    combinations: readonly ProjectInEnvironment[],
    { query, links }: { readonly query: EffectiveBatchQuery; readonly links: Links },
  ): Promise<WrittenBody> {
    const { mask_secrets: maskSecrets, include } = query;
    const { revision } = loaded.head;
    const evaluationOf = await this.evaluated(caller, loaded.at, revision, combinations, query);
    const textOf = await this.vault.valueOpener(caller.organizationId, maskSecrets ? [] : loaded.values);
    const presentCombination = createBatchPresenter(loaded, { maskSecrets, include, links, textOf });
    const yielder = new EventLoopYielder();
    const results: EffectiveBatchResult[] = [];
    for (const combination of combinations) {
      results.push(presentCombination(combination, evaluationOf(combination)));
      if (yielder.isDue) await yielder.yield();
    }
    const body: EffectiveBatch = { revision, results };
    const isClear = !maskSecrets && results.some(({ has_secret: hasSecret }) => hasSecret);
    const hasClearSecret = () => isClear;
    return { body, hasClearSecret };
  }

  private async resolved(caller: Caller, { project, environment, as_of, tag, revision }: EffectiveBatchQuery) {
    if (project.length * environment.length > EFFECTIVE_BATCH_LIMITS.combinations) {
      throw Failure.invalid(
        'too_many_combinations',
        sentence`${{ projects: project.length }} projects in ${{ environments: environment.length }} environments are too many for one request. Request at most ${{ limit: EFFECTIVE_BATCH_LIMITS.combinations }} combinations.`,
      );
    }
    const [only] = environment;
    if (tag !== undefined && environment.length > 1) {
      throw Failure.invalid('tag_of_many', 'A tag belongs to one environment, so exactly one environment is required.');
    }
    const pointInTime = { as_of, tag, revision, environment: only };
    const { at, query } = await this.pointsInTime.resolved(caller, pointInTime);
    return { at, environments: tag === undefined ? environment : [query.environment ?? ''] };
  }

  /**
   * Evaluates all texts together. If one fails, evaluates each combination on its own, so that the failure does not
   * affect the others.
   */
  private async evaluated(
    { organizationId, role, scopes }: Caller,
    at: PointInTime,
    revision: number,
    combinations: readonly ProjectInEnvironment[],
    { evaluate }: EffectiveBatchQuery,
  ): Promise<(combination: ProjectInEnvironment) => Evaluation> {
    const evaluatedIn = (combinations: readonly ProjectInEnvironment[]) => {
      const requested = combinations.flatMap(({ shown: shownValues, environment }) =>
        (shownValues ?? []).flatMap(({ value }) =>
          value.interpolated && value.text !== null ? [{ sourceId: value.id, environmentId: environment.id }] : [],
        ),
      );
      if (requested.length === 0) return NOTHING_EVALUATED;
      const permissions = { role, scopes };
      return this.evaluations.of({
        organizationId,
        permissions,
        revision,
        isPresent: at === 'now',
        requested,
        evaluate,
      });
    };
    const evaluation = await orFailure(() => evaluatedIn(combinations));
    if ('evaluated' in evaluation) return () => evaluation;
    const oneByOne = new Map<ProjectInEnvironment, Evaluation>();
    for (const combination of combinations)
      oneByOne.set(combination, await orFailure(() => evaluatedIn([combination])));
    return (combination) => oneByOne.get(combination) ?? evaluation;
  }
}

async function orFailure(evaluate: () => EvaluationResults | Promise<EvaluationResults>): Promise<Evaluation> {
  try {
    return { evaluated: await evaluate() };
  } catch (error) {
    if (error instanceof Failure && error.kind === 'unprocessable') return { failure: error };
    throw error;
  }
}

function namesIn({ name, name__in: among }: EffectiveBatchQuery): readonly string[] | undefined {
  if (name === undefined || among === undefined) return name ?? among;
  const requested = new Set(among);
  return name.filter((requestedName) => requested.has(requestedName));
}

/** The requested names or ids, in the order of the request. */
interface Requested {
  readonly projects: readonly string[];
  readonly environments: readonly string[];
}

/**
 * Returns the combinations in the order of the request: all environments of the first project, then those of the
 * second.
 */
async function listCombinations(
  loaded: BatchSnapshot,
  permissions: Permissions,
  { projects, environments: requested }: Requested,
): Promise<readonly ProjectInEnvironment[]> {
  const chains = projects.map((nameOrId) => {
    const project = byIdOrName(loaded.projects, nameOrId);
    if (!project) throw notFoundAt('Project', loaded.at);
    return { project, chain: findProjectChain(loaded, project.id) };
  });
  const environments = requested.map((nameOrId) => {
    const environment = byIdOrName(loaded.environments, nameOrId);
    if (!environment) throw notFoundAt('Environment', loaded.at);
    return environment;
  });
  const parametersOf = Map.groupBy(loaded.parameters, ({ projectId }) => projectId);
  const valuesOf = Map.groupBy(loaded.values, ({ parameterId }) => parameterId);
  const yielder = new EventLoopYielder();
  const combinations: ProjectInEnvironment[] = [];
  for (const { project, chain } of chains) {
    const isOpen = canReadChain(loaded, project.id, permissions);
    const resolved = isOpen ? resolvedIn(loaded, chain, parametersOf, valuesOf) : null;
    for (const environment of environments) {
      const canRead = canOnScope(permissions, 'read', environment.id);
      const resolvedValues = resolved && canRead ? resolved.inEnvironment(environment.id) : null;
      const shownValues = resolvedValues?.flatMap((value, index) => {
        const parameter = resolved?.visible[index]?.parameter;
        return value && parameter ? [{ parameter, value }] : [];
      });
      combinations.push({ project, environment, shown: shownValues ?? null });
      if (yielder.isDue) await yielder.yield();
    }
  }
  return combinations;
}

function resolvedIn(
  { environments }: BatchSnapshot,
  chain: readonly ProjectLink[],
  parametersOf: ReadonlyMap<ProjectId, readonly ViewedParameter[]>,
  valuesOf: ReadonlyMap<ParameterId, readonly ValueRecord[]>,
) {
  const parameters = chain.flatMap(({ id }) => parametersOf.get(id) ?? []);
  const values = parameters.flatMap(({ id }) => valuesOf.get(id) ?? []);
  return resolver({ environments, projectChain: chain, parameters, values });
}
