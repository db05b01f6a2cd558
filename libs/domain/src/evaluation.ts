import type { EnvironmentId, ParameterId, ProjectId } from './ids.ts';
import type { ValueRow } from './precedence.ts';
import { type ProjectLink, projectChain, type ReferenceKind } from './reference.ts';
import type { ReferenceEdge } from './reference-graph.ts';
import { createResolver, type EnvironmentNode, type ParameterRow, type Resolver } from './resolution.ts';

interface EvaluableParameter extends ParameterRow {
  readonly secret: boolean;
}

interface EvaluableValue extends ValueRow {
  readonly interpolated: boolean;
}

interface EvaluableTemplate {
  readonly id: string;
  readonly projectId: ProjectId;
  readonly name: string;
}

export interface EvaluableReference extends ReferenceEdge {
  /** Whether the text names the project. */
  readonly named: boolean;
}

/**
 * The rows that are needed to evaluate some texts and everything they depend on, at one point in time. Other rows may
 * be absent.
 */
export interface EvaluationScope<
  P extends EvaluableParameter = EvaluableParameter,
  V extends EvaluableValue = EvaluableValue,
  T extends EvaluableTemplate = EvaluableTemplate,
> {
  readonly environments: readonly EnvironmentNode[];
  readonly projects: readonly ProjectLink[];
  readonly parameters: readonly P[];
  readonly values: readonly V[];
  readonly templates: readonly T[];
  readonly references: readonly EvaluableReference[];
}

/** A text to evaluate in an environment. */
export interface TextInEnvironment {
  readonly sourceId: string;
  readonly environmentId: EnvironmentId;
}

/** An input that a text depends on. */
export interface Input {
  readonly kind: Exclude<ReferenceKind, 'parameters'>;
  /** The project whose scope resolves the name. */
  readonly projectId: ProjectId;
  /** The project that the text names; null if it names none and therefore uses its own. */
  readonly project: string | null;
  readonly name: string;
  /**
   * The source of the text: a literal value as stored, or the result of the step `from`. If there is no value, both are
   * null.
   */
  readonly valueId: string | null;
  readonly from: string | null;
}

/** One text to evaluate. The steps that it depends on come before it. */
export interface EvaluationStep extends TextInEnvironment {
  readonly key: string;
  readonly isTemplate: boolean;
  readonly projectId: ProjectId;
  /** Whether it depends on a secret parameter, even one without a value in this environment (behaviour.md §7.1). */
  readonly secret: boolean;
  readonly inputs: readonly Input[];
  /** The length of the longest chain of steps below this one. Steps of the same depth do not depend on each other. */
  readonly depth: number;
}

/** A response that needs more texts is rejected. The limit protects memory and the response times of other requests. */
export const STEPS_MAX = 50_000;
/**
 * A response that needs more inputs, summed over all texts, is rejected. One text that iterates over all parameters has
 * thousands.
 */
export const INPUTS_MAX = 500_000;
/** The number of lookups between two pauses that let other requests run. */
const PAUSE_AFTER = 250;

export class TooManyStepsError extends Error {
  override readonly name = 'TooManySteps';
}

export function stepKey({ sourceId, environmentId }: TextInEnvironment): string {
  return `${sourceId} ${environmentId}`;
}

/**
 * Returns the texts that must be evaluated, in order, to evaluate the requested texts. Names are resolved in the
 * project of the text and in the requested environment, not in the environment where a value is stored. A reference to
 * a dynamic value uses its evaluated text, which is not evaluated again (behaviour.md §6.3). Whether a result is secret
 * follows from its dependencies, so it is known before evaluation. Yields regularly so that the caller can let other
 * requests run. Throws `TooManyStepsError`, and an error if the texts form a loop, which the write rules exclude.
 */
export function evaluationSteps(
  inputs: EvaluationScope,
  texts: readonly TextInEnvironment[],
): Generator<void, ReadonlyMap<string, EvaluationStep>> {
  return new Planner(inputs).plan(texts);
}

/** A name in a text and the value that it resolves to in one environment. */
interface Found {
  readonly input: Omit<Input, 'from'>;
  /** The id of the text to evaluate if the value is dynamic; otherwise null. */
  readonly sourceId: string | null;
  readonly isSecret: boolean;
}

/** A text whose inputs are being resolved. */
interface Open {
  readonly text: TextInEnvironment;
  readonly key: string;
  readonly source: Source;
  readonly rest: Iterator<Found>;
  /** The reference whose text must be planned first. */
  waiting: Found | null;
  readonly inputs: Input[];
  secret: boolean;
  depth: number;
}

interface Source {
  readonly isTemplate: boolean;
  readonly projectId: ProjectId;
}

class Planner {
  private readonly sources = new Map<string, Source>();
  private readonly parameters: ReadonlyMap<ParameterId, EvaluableParameter>;
  private readonly references: ReadonlyMap<string, readonly EvaluableReference[]>;
  private readonly projectNames: ReadonlyMap<ProjectId, string>;
  private readonly scopes = new Map<ProjectId, Scope>();
  private readonly steps = new Map<string, EvaluationStep>();
  private readonly open = new Set<string>();
  private looked = 0;
  private taken = 0;

  constructor(private readonly inputs: EvaluationScope) {
    this.parameters = new Map(inputs.parameters.map((parameter) => [parameter.id, parameter]));
    this.references = Map.groupBy(inputs.references, ({ sourceId }) => sourceId);
    this.projectNames = new Map(inputs.projects.map(({ id, name }) => [id, name]));
    for (const { id, projectId } of inputs.templates) this.sources.set(id, { isTemplate: true, projectId });
    for (const { id, parameterId, interpolated } of inputs.values) {
      const projectId = this.parameters.get(parameterId)?.projectId;
      if (interpolated && projectId) this.sources.set(id, { isTemplate: false, projectId });
    }
  }

  *plan(texts: readonly TextInEnvironment[]): Generator<void, ReadonlyMap<string, EvaluationStep>> {
    for (const text of texts) if (!this.steps.has(stepKey(text))) yield* this.walk(text);
    return this.steps;
  }

  /** Walks depth first. `path` holds the texts that wait for the texts they refer to. */
  private *walk(start: TextInEnvironment): Generator<void, void> {
    const path = [this.enter(start)];
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const input = top.waiting ?? next(top.rest);
      if (input === null) {
        this.leave(top);
        path.pop();
        continue;
      }
      const text = input.sourceId === null ? null : { ...top.text, sourceId: input.sourceId };
      const referencedStep = text && this.steps.get(stepKey(text));
      top.waiting = text && !referencedStep ? input : null;
      if (text && !referencedStep) path.push(this.enter(text));
      else this.take(top, input, referencedStep ?? null);
      this.looked += 1;
      if (this.looked % PAUSE_AFTER === 0) yield;
    }
  }

  private enter(text: TextInEnvironment): Open {
    const key = stepKey(text);
    const source = this.sources.get(text.sourceId);
    if (!source) throw new Error(`Text ${text.sourceId} is not part of this world.`);
    if (this.open.has(key)) throw new Error(`Text ${text.sourceId} needs itself.`);
    if (this.steps.size + this.open.size >= STEPS_MAX)
      throw new TooManyStepsError('Too many dynamic texts for one response.');
    this.open.add(key);
    const restInputs = this.listInputs(text);
    return { text, key, source, rest: restInputs, waiting: null, inputs: [], secret: false, depth: 0 };
  }

  private take(open: Open, { input, isSecret }: Found, referencedStep: EvaluationStep | null): void {
    this.taken += 1;
    if (this.taken > INPUTS_MAX)
      throw new TooManyStepsError('The dynamic texts of one response can refer to too many values.');
    open.inputs.push({ ...input, from: referencedStep?.key ?? null });
    open.secret ||= isSecret || (referencedStep?.secret ?? false);
    open.depth = Math.max(open.depth, (referencedStep?.depth ?? -1) + 1);
  }

  private leave({ text, key, source, secret, inputs, depth }: Open): void {
    this.open.delete(key);
    this.steps.set(key, { ...text, key, ...source, secret, inputs, depth });
  }

  private *listInputs({ sourceId, environmentId }: TextInEnvironment): Generator<Found, void> {
    for (const { kind, projectId, named, name, targetId } of this.references.get(sourceId) ?? []) {
      const project = named ? (this.projectNames.get(projectId) ?? '') : null;
      if (kind === 'template') {
        const input = { kind, projectId, project, name, valueId: null };
        yield { input, sourceId: targetId, isSecret: false };
        continue;
      }
      const scope = this.cachedScope(projectId);
      for (const inputName of kind === 'parameter' ? [name] : scope.names) {
        yield this.parameterInput(scope, project, inputName, environmentId);
      }
    }
  }

  private parameterInput(scope: Scope, project: string | null, name: string, environmentId: EnvironmentId): Found {
    const visibleMember = scope.visible.get(name);
    const value = visibleMember ? scope.resolver.at(visibleMember, environmentId) : null;
    const owner = value && this.parameters.get(value.parameterId);
    const sourceId = value?.interpolated ? value.id : null;
    const valueId = sourceId === null ? (value?.id ?? null) : null;
    return {
      input: { kind: 'parameter', projectId: scope.projectId, project, name, valueId },
      sourceId,
      isSecret: (visibleMember?.secret ?? false) || (owner?.secret ?? false),
    };
  }

  private cachedScope(projectId: ProjectId): Scope {
    const cachedScope = this.scopes.get(projectId);
    if (cachedScope) return cachedScope;
    const chain = projectChain(this.inputs.projects, projectId).map((id) => ({ id, name: '' }));
    const ids = new Set(chain.map(({ id }) => id));
    const parameters = this.inputs.parameters.filter((parameter) => ids.has(parameter.projectId));
    const parameterIds = new Set(parameters.map(({ id }) => id));
    const scopeResolver = createResolver({
      environments: this.inputs.environments,
      projectChain: chain,
      parameters,
      values: this.inputs.values.filter(({ parameterId }) => parameterIds.has(parameterId)),
    });
    const scope: Scope = {
      projectId,
      resolver: scopeResolver,
      visible: new Map(scopeResolver.visible.map(({ parameter }) => [parameter.name, parameter])),
      names: scopeResolver.visible.map(({ parameter }) => parameter.name),
    };
    this.scopes.set(projectId, scope);
    return scope;
  }
}

function next<T>(iterator: Iterator<T>): T | null {
  const { done, value } = iterator.next();
  return done ? null : value;
}

/** The names that texts of one project can refer to. */
interface Scope {
  readonly projectId: ProjectId;
  readonly resolver: Resolver<EvaluableParameter, EvaluableValue>;
  readonly visible: ReadonlyMap<string, EvaluableParameter>;
  /** Sorted in human order. */
  readonly names: readonly string[];
}
