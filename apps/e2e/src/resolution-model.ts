/**
 * What behaviour.md §5.2, §6.3 and §7.3 say about effective values, in the fewest words that say it. It shares no line
 * with the service, so that the two can disagree.
 */
export interface Model {
  /** Each names its parent's index; the first is the root. */
  readonly environments: readonly { readonly name: string; readonly parent: number | null }[];
  /** Each names the index of the project that it depends on. */
  readonly projects: readonly { readonly name: string; readonly dependsOn: number | null }[];
  readonly parameters: readonly { readonly name: string; readonly project: number; readonly secret: boolean }[];
  readonly values: readonly Explicit[];
}

export interface Explicit {
  readonly parameter: number;
  readonly environment: number;
  readonly text: string | null;
  readonly dynamic: boolean;
}

export interface ModelValue {
  readonly text: string | null;
  /** Whether a reader who asked for masks sees asterisks instead. */
  readonly secret: boolean;
}

const REFERENCE = /\{\{ (\w+) \}\}/g;

function* upwards(links: readonly (number | null | undefined)[], start: number): Generator<number> {
  for (let at: number | null | undefined = start; at !== null && at !== undefined; at = links[at]) yield at;
}

/** Index of the parameter that a project shows under a name: the nearest owner's. */
export function visible({ projects, parameters }: Model, project: number, name: string): number | undefined {
  for (const owner of upwards(
    projects.map(({ dependsOn }) => dependsOn),
    project,
  )) {
    const found = parameters.findIndex((parameter) => parameter.project === owner && parameter.name === name);
    if (found >= 0) return found;
  }
  return undefined;
}

/** The names that a project shows. */
export function visibleNames(model: Model, project: number): string[] {
  const names = new Set(model.parameters.map(({ name }) => name));
  return [...names].filter((name) => visible(model, project, name) !== undefined);
}

/** The value that applies, evaluated; undefined when none is set anywhere above. */
export function effective(model: Model, project: number, environment: number, name: string): ModelValue | undefined {
  const found = applying(model, project, environment, name);
  return found && evaluated(model, found, environment);
}

/** The value that applies, as it is set. */
export function applying(model: Model, project: number, environment: number, name: string): Explicit | undefined {
  for (const position of upwards(
    model.environments.map(({ parent }) => parent),
    environment,
  )) {
    for (const owner of upwards(
      model.projects.map(({ dependsOn }) => dependsOn),
      project,
    )) {
      const found = model.values.find(({ parameter, environment: where }) => {
        const of = model.parameters[parameter];
        return where === position && of?.project === owner && of.name === name;
      });
      if (found) return found;
    }
  }
  return undefined;
}

/** An explicit value as it reads in an environment. */
export function evaluated(model: Model, { parameter, text, dynamic }: Explicit, environment: number): ModelValue {
  const owner = model.parameters[parameter];
  if (!owner) throw new Error(`There is no parameter ${parameter}.`);
  if (!dynamic || text === null) return { text, secret: owner.secret };
  let secret = owner.secret;
  const rendered = text.replace(REFERENCE, (_, name: string) => {
    const shown = visible(model, owner.project, name);
    const expectedValue = effective(model, owner.project, environment, name);
    secret ||= model.parameters[shown ?? -1]?.secret === true || expectedValue?.secret === true;
    return expectedValue?.text ?? '';
  });
  return { text: rendered, secret };
}
