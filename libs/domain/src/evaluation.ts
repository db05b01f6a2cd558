import type { EnvironmentId, ParameterId, ProjectId } from './ids.ts';
import type { ValueRow } from './precedence.ts';
import { type ProjectLink, projectChain, type ReferenceKind } from './reference.ts';
import type { ReferenceEdge } from './reference-graph.ts';
import { type EnvironmentNode, type ParameterRow, type Resolver, resolver } from './resolution.ts';

export interface EvaluableParameter extends ParameterRow {
  readonly secret: boolean;
}

export interface EvaluableValue extends ValueRow {
  readonly interpolated: boolean;
}

export interface EvaluableTemplate {
  readonly id: string;
  readonly projectId: ProjectId;
  readonly name: string;
}

export interface EvaluableReference extends ReferenceEdge {
  /** The text names the project. */
  readonly named: boolean;
}

/** What some texts and everything they need are made of, at one point in time. Rows that nothing needs may be left out. */
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

/** A text seen in an environment. */
export interface TextInEnvironment {
  readonly sourceId: string;
  readonly environmentId: EnvironmentId;
}

/** One thing that a text gets to see. */
export interface Input {
  readonly kind: Exclude<ReferenceKind, 'parameters'>;
  /** In whose scope the name is looked up. */
  readonly projectId: ProjectId;
  /** Null: the text does not name the project, so it is its own. */
  readonly project: string | null;
  readonly name: string;
  /** The text to take: a literal value as it is stored, or what the step `from` gives; both null when there is none. */
  readonly valueId: string | null;
  readonly from: string | null;
}

/** One text to evaluate; those that it needs come before it. */
export interface EvaluationStep extends TextInEnvironment {
  readonly key: string;
  readonly isTemplate: boolean;
  readonly projectId: ProjectId;
  /** Depends on a secret parameter, whether that has a value there or not (behaviour.md §7.1). */
  readonly secret: boolean;
  readonly inputs: readonly Input[];
  /** How many steps hang below it; steps of one depth do not need each other. */
  readonly depth: number;
}

/** More texts than this in one answer are not served: the limit protects memory and everybody else's time. */
export const STEPS_MAX = 50_000;
/** More than this of what texts see, each for itself: a text that goes through all parameters sees thousands. */
export const INPUTS_MAX = 500_000;
/** How much is looked up before whoever asks may do something else. */
const PAUSE_AFTER = 250;

export class TooManySteps extends Error {
  override readonly name = 'TooManySteps';
}

export function stepKey({ sourceId, environmentId }: TextInEnvironment): string {
  return `${sourceId} ${environmentId}`;
}

/**
 * What must be evaluated, and in which order, to know some texts in some environments. A name is looked up in the
 * project of the text and in the environment that is looked at, not where a value is stored; a name that leads to a
 * dynamic value takes its evaluated text, which is not evaluated again (behaviour.md §6.3). Whether a result is secret
 * follows from what it depends on, so it is known before anything is evaluated.
 *
 * Yields after every little piece of work, so that whoever asks can let others run; the steps are what it returns.
 * Throws when the texts form a loop, which the rules of writing exclude, and `TooManySteps`.
 */
export function evaluationSteps(
  inputs: EvaluationScope,
  wanted: readonly TextInEnvironment[],
): Generator<void, ReadonlyMap<string, EvaluationStep>> {
  return new Planner(inputs).plan(wanted);
}

/** A name that a text says, and what stands behind it in one environment. */
interface Found {
  readonly input: Omit<Input, 'from'>;
  /** The text to take, when it is one to evaluate. */
  readonly sourceId: string | null;
  readonly isSecret: boolean;
}

/** A text whose inputs are being looked up. */
interface Open {
  readonly text: TextInEnvironment;
  readonly key: string;
  readonly source: Source;
  readonly rest: Iterator<Found>;
  /** What waits for the step of another text. */
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

  *plan(wanted: readonly TextInEnvironment[]): Generator<void, ReadonlyMap<string, EvaluationStep>> {
    for (const text of wanted) if (!this.steps.has(stepKey(text))) yield* this.walk(text);
    return this.steps;
  }

  /** Deepest first; texts that wait for others are kept in `path`. */
  private *walk(start: TextInEnvironment): Generator<void, void> {
    const path = [this.enter(start)];
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const found = top.waiting ?? next(top.rest);
      if (found === null) {
        this.leave(top);
        path.pop();
        continue;
      }
      const text = found.sourceId === null ? null : { ...top.text, sourceId: found.sourceId };
      const below = text && this.steps.get(stepKey(text));
      top.waiting = text && !below ? found : null;
      if (text && !below) path.push(this.enter(text));
      else this.take(top, found, below ?? null);
      this.looked += 1;
      if (this.looked % PAUSE_AFTER === 0) yield;
    }
  }

  private enter(text: TextInEnvironment): Open {
    const key = stepKey(text);
    const source = this.sources.get(text.sourceId);
    if (!source) throw new Error(`Text ${text.sourceId} is not part of this world.`);
    if (this.open.has(key)) throw new Error(`Text ${text.sourceId} needs itself.`);
    if (this.steps.size + this.open.size >= STEPS_MAX) throw new TooManySteps('Too many dynamic texts for one answer.');
    this.open.add(key);
    const rest = this.inputsOf(text);
    return { text, key, source, rest, waiting: null, inputs: [], secret: false, depth: 0 };
  }

  private take(open: Open, { input, isSecret }: Found, below: EvaluationStep | null): void {
    this.taken += 1;
    if (this.taken > INPUTS_MAX) throw new TooManySteps('The dynamic texts of one answer see too much.');
    open.inputs.push({ ...input, from: below?.key ?? null });
    open.secret ||= isSecret || (below?.secret ?? false);
    open.depth = Math.max(open.depth, (below?.depth ?? -1) + 1);
  }

  private leave({ text, key, source, secret, inputs, depth }: Open): void {
    this.open.delete(key);
    this.steps.set(key, { ...text, key, ...source, secret, inputs, depth });
  }

  private *inputsOf({ sourceId, environmentId }: TextInEnvironment): Generator<Found, void> {
    for (const { kind, projectId, named, name, targetId } of this.references.get(sourceId) ?? []) {
      const project = named ? (this.projectNames.get(projectId) ?? '') : null;
      if (kind === 'template') {
        const input = { kind, projectId, project, name, valueId: null };
        yield { input, sourceId: targetId, isSecret: false };
        continue;
      }
      const scope = this.scopeOf(projectId);
      for (const wanted of kind === 'parameter' ? [name] : scope.names) {
        yield this.parameterInput(scope, project, wanted, environmentId);
      }
    }
  }

  private parameterInput(scope: Scope, project: string | null, name: string, environmentId: EnvironmentId): Found {
    const visible = scope.visible.get(name);
    const value = visible ? scope.resolver.at(visible, environmentId) : null;
    const owner = value && this.parameters.get(value.parameterId);
    const sourceId = value?.interpolated ? value.id : null;
    const valueId = sourceId === null ? (value?.id ?? null) : null;
    return {
      input: { kind: 'parameter', projectId: scope.projectId, project, name, valueId },
      sourceId,
      isSecret: (visible?.secret ?? false) || (owner?.secret ?? false),
    };
  }

  private scopeOf(projectId: ProjectId): Scope {
    const known = this.scopes.get(projectId);
    if (known) return known;
    const chain = projectChain(this.inputs.projects, projectId).map((id) => ({ id, name: '' }));
    const ids = new Set(chain.map(({ id }) => id));
    const parameters = this.inputs.parameters.filter((parameter) => ids.has(parameter.projectId));
    const own = new Set(parameters.map(({ id }) => id));
    const made = resolver({
      environments: this.inputs.environments,
      projectChain: chain,
      parameters,
      values: this.inputs.values.filter(({ parameterId }) => own.has(parameterId)),
    });
    const scope: Scope = {
      projectId,
      resolver: made,
      visible: new Map(made.visible.map(({ parameter }) => [parameter.name, parameter])),
      names: made.visible.map(({ parameter }) => parameter.name),
    };
    this.scopes.set(projectId, scope);
    return scope;
  }
}

function next<T>(iterator: Iterator<T>): T | null {
  const { done, value } = iterator.next();
  return done ? null : value;
}

/** What the texts of one project can see. */
interface Scope {
  readonly projectId: ProjectId;
  readonly resolver: Resolver<EvaluableParameter, EvaluableValue>;
  readonly visible: ReadonlyMap<string, EvaluableParameter>;
  /** In human order. */
  readonly names: readonly string[];
}
