import type { EnvironmentId, ParameterId, ProjectId } from './ids.ts';
import { type ProjectLink, projectChain, type ReferenceKind } from './reference.ts';
import type { ReferenceEdge } from './reference-graph.ts';
import { type EnvironmentNode, type ParameterRow, type Resolver, resolver, type ValueRow } from './resolution.ts';

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
export interface EvaluationWorld<
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
export interface TextInPlace {
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
export interface Step extends TextInPlace {
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
export const STEPS_MAX = 100_000;

export class TooManySteps extends Error {
  override readonly name = 'TooManySteps';
}

export function stepKey({ sourceId, environmentId }: TextInPlace): string {
  return `${sourceId} ${environmentId}`;
}

/**
 * What must be evaluated, and in which order, to know some texts in some environments. A name is looked up in the
 * project of the text and in the environment that is looked at, not where a value is stored; a name that leads to a
 * dynamic value takes its evaluated text, which is not evaluated again (behaviour.md §6.3). Whether a result is secret
 * follows from what it depends on, so it is known before anything is evaluated.
 *
 * Throws when the texts form a loop, which the rules of writing exclude, and `TooManySteps`.
 */
export function evaluationSteps(world: EvaluationWorld, wanted: readonly TextInPlace[]): ReadonlyMap<string, Step> {
  return new Planner(world).plan(wanted);
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
  private readonly steps = new Map<string, Step>();
  private readonly open = new Set<string>();

  constructor(private readonly world: EvaluationWorld) {
    this.parameters = new Map(world.parameters.map((parameter) => [parameter.id, parameter]));
    this.references = Map.groupBy(world.references, ({ sourceId }) => sourceId);
    this.projectNames = new Map(world.projects.map(({ id, name }) => [id, name]));
    for (const { id, projectId } of world.templates) this.sources.set(id, { isTemplate: true, projectId });
    for (const { id, parameterId, interpolated } of world.values) {
      const projectId = this.parameters.get(parameterId)?.projectId;
      if (interpolated && projectId) this.sources.set(id, { isTemplate: false, projectId });
    }
  }

  plan(wanted: readonly TextInPlace[]): ReadonlyMap<string, Step> {
    for (const place of wanted) this.step(place);
    return this.steps;
  }

  /** Recursion is as deep as texts hang behind one another, which the rules of writing bound. */
  private step(place: TextInPlace): Step {
    const key = stepKey(place);
    const known = this.steps.get(key);
    if (known) return known;
    const source = this.sources.get(place.sourceId);
    if (!source) throw new Error(`Text ${place.sourceId} is not part of this world.`);
    if (this.open.has(key)) throw new Error(`Text ${place.sourceId} needs itself.`);
    if (this.steps.size >= STEPS_MAX) throw new TooManySteps('Too many dynamic texts for one answer.');
    this.open.add(key);
    const inputs: Input[] = [];
    let secret = false;
    let depth = 0;
    for (const reference of this.references.get(place.sourceId) ?? []) {
      for (const { input, isSecret } of this.inputsOf(reference, place.environmentId)) {
        inputs.push(input);
        const below = input.from === null ? undefined : this.steps.get(input.from);
        secret ||= isSecret || (below?.secret ?? false);
        depth = Math.max(depth, (below?.depth ?? -1) + 1);
      }
    }
    this.open.delete(key);
    const step: Step = { ...place, key, ...source, secret, inputs, depth };
    this.steps.set(key, step);
    return step;
  }

  private inputsOf(
    { kind, projectId, named, name, targetId }: EvaluableReference,
    environmentId: EnvironmentId,
  ): readonly { readonly input: Input; readonly isSecret: boolean }[] {
    const project = named ? (this.projectNames.get(projectId) ?? '') : null;
    if (kind === 'template') {
      const from = targetId === null ? null : this.step({ sourceId: targetId, environmentId }).key;
      return [{ input: { kind, projectId, project, name, valueId: null, from }, isSecret: false }];
    }
    const scope = this.scopeOf(projectId);
    const names = kind === 'parameter' ? [name] : scope.names;
    return names.map((wanted) => this.parameterInput(scope, project, wanted, environmentId));
  }

  private parameterInput(scope: Scope, project: string | null, name: string, environmentId: EnvironmentId) {
    const visible = scope.visible.get(name);
    const value = visible ? scope.resolver.at(visible, environmentId) : null;
    const owner = value && this.parameters.get(value.parameterId);
    const from = value?.interpolated ? this.step({ sourceId: value.id, environmentId }).key : null;
    const input: Input = {
      kind: 'parameter',
      projectId: scope.projectId,
      project,
      name,
      valueId: from === null ? (value?.id ?? null) : null,
      from,
    };
    return { input, isSecret: (visible?.secret ?? false) || (owner?.secret ?? false) };
  }

  private scopeOf(projectId: ProjectId): Scope {
    const known = this.scopes.get(projectId);
    if (known) return known;
    const chain = projectChain(this.world.projects, projectId).map((id) => ({ id, name: '' }));
    const ids = new Set(chain.map(({ id }) => id));
    const parameters = this.world.parameters.filter((parameter) => ids.has(parameter.projectId));
    const own = new Set(parameters.map(({ id }) => id));
    const made = resolver({
      environments: this.world.environments,
      projectChain: chain,
      parameters,
      values: this.world.values.filter(({ parameterId }) => own.has(parameterId)),
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

/** What the texts of one project can see. */
interface Scope {
  readonly projectId: ProjectId;
  readonly resolver: Resolver<EvaluableParameter, EvaluableValue>;
  readonly visible: ReadonlyMap<string, EvaluableParameter>;
  /** In human order. */
  readonly names: readonly string[];
}
