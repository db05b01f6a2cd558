import { Injectable } from '@nestjs/common';
import {
  EFFECTIVE_BATCH_LIMITS,
  type EffectiveBatch,
  type EffectiveBatchError,
  EffectiveBatchQuery,
  type EffectiveBatchResult,
  type EffectiveBatchValue,
  parseQuery,
} from '@strata/contract';
import {
  byId,
  canOnScope,
  type EnvironmentId,
  type EnvironmentNode,
  type EvaluationProblem,
  Failure,
  masked,
  type Named,
  type ParameterId,
  type ProjectId,
  type ProjectLink,
  resolver,
  type Standing,
} from '@strata/domain';
import type { Caller } from '../../platform/caller.ts';
import type { PointInTime } from '../../platform/database/versioned-table.ts';
import { Moments } from '../../platform/http/moment.ts';
import { Slice } from '../../platform/slice.ts';
import { Vault } from '../../platform/vault/vault.ts';
import {
  type ManyProjects,
  ManyProjectsLoader,
  type SharedParameter,
  type SharedValue,
} from '../snapshot/many-projects.ts';
import { digestOf } from './effective-bodies.ts';
import { type Evaluated, Evaluations, NOTHING_EVALUATED } from './evaluation.ts';

/** One project in one environment, with what it shows there. */
interface Combination {
  readonly project: Named;
  readonly environment: EnvironmentNode;
  /** Null when it is closed to who asks. */
  readonly shown: readonly ShownName[] | null;
}

interface ShownName {
  readonly parameter: SharedParameter;
  readonly value: SharedValue;
}

type Evaluation = { readonly evaluated: Evaluated } | { readonly failure: Failure };

/** Effective configurations of several projects in several environments, at one point in time. */
@Injectable()
export class EffectiveBatches {
  constructor(
    private readonly moments: Moments,
    private readonly loader: ManyProjectsLoader,
    private readonly evaluations: Evaluations,
    private readonly vault: Vault,
  ) {}

  /** `given` is the query as it was sent. Throws 404 when there was no such project or environment. */
  async of(caller: Caller, given: unknown): Promise<EffectiveBatch> {
    const query = parseQuery(EffectiveBatchQuery, given);
    const { at, environments } = await this.settled(caller, query);
    const { organizationId } = caller;
    const { project: projects } = query;
    const loaded = await this.loader.of({ organizationId, at, projects, environments, names: namesIn(query) });
    const combinations = await combinationsOf(loaded, caller);
    const evaluationOf = await this.evaluated(caller, at, loaded.revision, combinations, query);
    const textOf = await this.vault.valueOpener(organizationId, query.mask_secrets ? [] : loaded.values);
    const present = presenter(loaded, { maskSecrets: query.mask_secrets, textOf });
    const slice = new Slice();
    const results: EffectiveBatchResult[] = [];
    for (const combination of combinations) {
      results.push(present(combination, evaluationOf(combination)));
      if (slice.isOver) await slice.next();
    }
    return { revision: loaded.revision, results };
  }

  private async settled(caller: Caller, { project, environment, as_of, tag, revision }: EffectiveBatchQuery) {
    if (project.length * environment.length > EFFECTIVE_BATCH_LIMITS.combinations) {
      throw Failure.invalid(
        'too_many_combinations',
        `${project.length} projects in ${environment.length} environments are too many at once: ask for at most ${EFFECTIVE_BATCH_LIMITS.combinations} combinations.`,
      );
    }
    const [only] = environment;
    if (tag !== undefined && environment.length > 1) {
      throw Failure.invalid('tag_of_many', 'A tag belongs to one environment: give exactly one environment.');
    }
    const moment = { as_of, tag, revision, environment: only };
    const { at, query } = await this.moments.settled(caller, moment);
    return { at, environments: tag === undefined ? environment : [query.environment ?? ''] };
  }

  /** All texts together; when one of them fails each combination by itself, so that it spoils no other. */
  private async evaluated(
    { organizationId, role, scopes }: Caller,
    at: PointInTime,
    revision: number,
    combinations: readonly Combination[],
    { evaluate }: EffectiveBatchQuery,
  ): Promise<(combination: Combination) => Evaluation> {
    const evaluatedIn = (some: readonly Combination[]) => {
      const wanted = some.flatMap(({ shown, environment }) =>
        (shown ?? []).flatMap(({ value }) =>
          value.interpolated && value.text !== null ? [{ sourceId: value.id, environmentId: environment.id }] : [],
        ),
      );
      if (wanted.length === 0) return NOTHING_EVALUATED;
      const standing = { role, scopes };
      return this.evaluations.of({ organizationId, standing, revision, isPresent: at === 'now', wanted, evaluate });
    };
    const together = await orFailure(() => evaluatedIn(combinations));
    if ('evaluated' in together) return () => together;
    const apart = new Map<Combination, Evaluation>();
    for (const one of combinations) apart.set(one, await orFailure(() => evaluatedIn([one])));
    return (combination) => apart.get(combination) ?? together;
  }
}

async function orFailure(evaluate: () => Evaluated | Promise<Evaluated>): Promise<Evaluation> {
  try {
    return { evaluated: await evaluate() };
  } catch (error) {
    if (error instanceof Failure && error.kind === 'unprocessable') return { failure: error };
    throw error;
  }
}

function namesIn({ name, name__in: among }: EffectiveBatchQuery): readonly string[] | undefined {
  if (name === undefined || among === undefined) return name ?? among;
  const wanted = new Set(among);
  return name.filter((one) => wanted.has(one));
}

/** Project by project, in the order of the question. */
async function combinationsOf(loaded: ManyProjects, standing: Standing): Promise<readonly Combination[]> {
  const mayRead = (id: ProjectId | EnvironmentId) => canOnScope(standing, 'read', id);
  const parametersOf = Map.groupBy(loaded.parameters, ({ projectId }) => projectId);
  const valuesOf = Map.groupBy(loaded.values, ({ parameterId }) => parameterId);
  const slice = new Slice();
  const combinations: Combination[] = [];
  for (const chain of loaded.chains) {
    const [project] = chain;
    if (!project) continue;
    const isOpen = mayRead(project.id) && loaded.outsideChain(project.id).every(mayRead);
    const resolved = isOpen ? resolvedIn(loaded, chain, parametersOf, valuesOf) : null;
    for (const environment of loaded.askedEnvironments) {
      const found = resolved && mayRead(environment.id) ? resolved.inEnvironment(environment.id) : null;
      const shown = found?.flatMap((value, at) => {
        const parameter = resolved?.visible[at]?.parameter;
        return value && parameter ? [{ parameter, value }] : [];
      });
      combinations.push({ project, environment, shown: shown ?? null });
      if (slice.isOver) await slice.next();
    }
  }
  return combinations;
}

function resolvedIn(
  { environments }: ManyProjects,
  chain: readonly ProjectLink[],
  parametersOf: ReadonlyMap<ProjectId, readonly SharedParameter[]>,
  valuesOf: ReadonlyMap<ParameterId, readonly SharedValue[]>,
) {
  const parameters = chain.flatMap(({ id }) => parametersOf.get(id) ?? []);
  const values = parameters.flatMap(({ id }) => valuesOf.get(id) ?? []);
  return resolver({ environments, projectChain: chain, parameters, values });
}

interface Presentation {
  readonly maskSecrets: boolean;
  readonly textOf: (value: SharedValue) => string | null;
}

function presenter({ environments, chains, parameters }: ManyProjects, { maskSecrets, textOf }: Presentation) {
  const environmentsById = byId(environments);
  const projectsById = byId(chains.flat());
  const owners = new Map(parameters.map((parameter) => [parameter.id, parameter]));

  const cell = (value: SharedValue, environmentId: EnvironmentId, evaluated: Evaluated): EffectiveBatchValue => {
    const owner = owners.get(value.parameterId);
    const seen = evaluated.seen({ sourceId: value.id, environmentId });
    // a value is as secret as the parameter it was set on, also where it shows through another one's override
    const secret = (owner?.secret ?? false) || (seen?.secret ?? false);
    const isHidden = maskSecrets && secret;
    return {
      parameter_id: value.parameterId,
      value: isHidden ? masked(value.sealed ?? value.text, true) : (seen?.text ?? textOf(value)),
      secret,
      interpolated: value.interpolated,
      evaluated: typeof seen?.text === 'string',
      value_id: value.id,
      ledger_id: value.ledger_id,
      source_parameter_id: value.parameterId,
      source_project_id: owner?.projectId ?? '',
      source_project_name: projectsById.get(owner?.projectId ?? '')?.name ?? '',
      source_environment_id: value.environmentId,
      source_environment_name: environmentsById.get(value.environmentId)?.name ?? '',
      created_at: value.created_at,
      modified_at: value.modified_at,
    };
  };

  return ({ project, environment, shown }: Combination, evaluation: Evaluation): EffectiveBatchResult => {
    const place = {
      project_id: project.id,
      project_name: project.name,
      environment_id: environment.id,
      environment_name: environment.name,
    };
    const failure = shown === null ? Failure.forbidden() : 'failure' in evaluation ? evaluation.failure : null;
    if (failure || shown === null || !('evaluated' in evaluation)) {
      return { ...place, digest: null, has_secret: false, values: null, error: failure && errorOf(failure) };
    }
    const cells = shown.map(({ parameter, value }) => ({
      name: parameter.name,
      isSecret: parameter.secret,
      cell: { ...cell(value, environment.id, evaluation.evaluated), parameter_id: parameter.id },
    }));
    return {
      ...place,
      digest: digestOf(cells.map(({ name, cell: { value } }) => [name, value])),
      has_secret: cells.some(({ isSecret, cell: { secret } }) => isSecret || secret),
      values: Object.fromEntries(cells.map((one) => [one.name, one.cell])),
      error: null,
    };
  };
}

function errorOf({ code, message, problems }: Failure): EffectiveBatchError {
  return {
    code,
    detail: message,
    problems: (problems as readonly EvaluationProblem[]).map(({ id, field, code: problem, message: detail }) => ({
      parameter_id: id,
      parameter_name: field,
      error_code: problem,
      error_detail: detail,
    })),
  };
}
