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
  createResolver,
  Failure,
  type ParameterId,
  type Permissions,
  type ProjectId,
  type ProjectLink,
  sentence,
} from '@strata/domain';
import type { Caller } from '../../platform/caller.ts';
import { EventLoopYielder } from '../../platform/event-loop-yielder.ts';
import type { Links } from '../../platform/http/links.ts';
import { notFoundAtError, PointsInTime } from '../../platform/http/points-in-time.ts';
import type { QueryResult, WrittenBody } from '../../platform/http/response-cache.ts';
import type { PointInTime } from '../../platform/postgres/versioned-table.ts';
import { Vault } from '../../platform/vault/vault.ts';
import { byIdOrName, canReadChain, findProjectChain } from '../snapshot/lookup.ts';
import { toResultVersion } from '../snapshot/result-version.ts';
import type { ValueRecord, ViewedParameter } from '../snapshot/snapshot.ts';
import { filterPossibleIds } from '../snapshot/snapshot-loader.ts';
import { Snapshots } from '../snapshot/snapshots.ts';
import { type EvaluationResults, NOTHING_EVALUATED, TextEvaluator } from '../templating/evaluation.ts';
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
    private readonly evaluations: TextEvaluator,
    private readonly vault: Vault,
  ) {}

  /** Resolves the combinations. Throws 404 if a project or environment does not exist. */
  async find(caller: Caller, input: unknown): Promise<QueryResult> {
    const query = parseQuery(EffectiveBatchQuery, input);
    const { at, environments } = await this.resolved(caller, query);
    const { organizationId } = caller;
    const { project: projects } = query;
    const batchSnapshot: BatchSnapshot = await this.snapshots.of({
      organizationId,
      at,
      projectIds: filterPossibleIds(projects),
      projectNames: projects,
      environments,
      names: namesIn(query),
      parameters: 'effective',
      values: 'complete',
    });
    const combinations = await listCombinations(batchSnapshot, caller, { projects, environments });
    const { revision, currentVersion } = toResultVersion(batchSnapshot);
    return {
      revision,
      // The body contains its revision, so a client's copy is only current if the revision is the same, too.
      currentVersion: currentVersion && { head: currentVersion.head, contentVersion: null },
      write: (links) => this.write(caller, batchSnapshot, combinations, { query, links }),
    };
  }

  private async write(
    caller: Caller,
    batchSnapshot: BatchSnapshot,
    combinations: readonly ProjectInEnvironment[],
    { query, links }: { readonly query: EffectiveBatchQuery; readonly links: Links },
  ): Promise<WrittenBody> {
    const { mask_secrets: maskSecrets, include } = query;
    const { revision } = batchSnapshot.head;
    const evaluationOf = await this.evaluated(caller, batchSnapshot.at, revision, combinations, query);
    const textOf = await this.vault.valueOpener(caller.organizationId, maskSecrets ? [] : batchSnapshot.values);
    const presentCombination = createBatchPresenter(batchSnapshot, { maskSecrets, include, links, textOf });
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
    const [onlyEnvironment] = environment;
    if (tag !== undefined && environment.length > 1) {
      throw Failure.invalid('tag_of_many', 'A tag belongs to one environment, so exactly one environment is required.');
    }
    const pointInTime = { as_of, tag, revision, environment: onlyEnvironment };
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
      const requestedTexts = combinations.flatMap(({ shown: shownValues, environment }) =>
        (shownValues ?? []).flatMap(({ value }) =>
          value.interpolated && value.text !== null ? [{ sourceId: value.id, environmentId: environment.id }] : [],
        ),
      );
      if (requestedTexts.length === 0) return NOTHING_EVALUATED;
      const permissions = { role, scopes };
      return this.evaluations.of({
        organizationId,
        permissions,
        revision,
        isPresent: at === 'now',
        requested: requestedTexts,
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
  const requestedCombinations = new Set(among);
  return name.filter((requestedName) => requestedCombinations.has(requestedName));
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
  batchSnapshot: BatchSnapshot,
  permissions: Permissions,
  { projects, environments: requestedEnvironments }: Requested,
): Promise<readonly ProjectInEnvironment[]> {
  const chains = projects.map((nameOrId) => {
    const project = byIdOrName(batchSnapshot.projects, nameOrId);
    if (!project) throw notFoundAtError('Project', batchSnapshot.at);
    return { project, chain: findProjectChain(batchSnapshot, project.id) };
  });
  const environments = requestedEnvironments.map((nameOrId) => {
    const environment = byIdOrName(batchSnapshot.environments, nameOrId);
    if (!environment) throw notFoundAtError('Environment', batchSnapshot.at);
    return environment;
  });
  const parametersOf = Map.groupBy(batchSnapshot.parameters, ({ projectId }) => projectId);
  const valuesOf = Map.groupBy(batchSnapshot.values, ({ parameterId }) => parameterId);
  const yielder = new EventLoopYielder();
  const combinations: ProjectInEnvironment[] = [];
  for (const { project, chain } of chains) {
    const isOpen = canReadChain(batchSnapshot, project.id, permissions);
    const resolvedProjects = isOpen ? resolvedIn(batchSnapshot, chain, parametersOf, valuesOf) : null;
    for (const environment of environments) {
      const canRead = canOnScope(permissions, 'read', environment.id);
      const resolvedValues = resolvedProjects && canRead ? resolvedProjects.inEnvironment(environment.id) : null;
      const shownValues = resolvedValues?.flatMap((value, index) => {
        const parameter = resolvedProjects?.visible[index]?.parameter;
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
  return createResolver({ environments, projectChain: chain, parameters, values });
}
