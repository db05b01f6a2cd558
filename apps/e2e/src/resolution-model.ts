/**
 * What behaviour.md §5.2, §6.3 and §7.3 say about effective values, in the fewest words that say it. It shares no line
 * with the service, so that the two can disagree.
 */
export interface World {
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

export interface Cell {
  readonly text: string | null;
  /** Whether a reader who asked for masks sees asterisks instead. */
  readonly secret: boolean;
}

const REFERENCE = /\{\{ (\w+) \}\}/g;

function* upwards(links: readonly (number | null | undefined)[], start: number): Generator<number> {
  for (let at: number | null | undefined = start; at !== null && at !== undefined; at = links[at]) yield at;
}

/** Index of the parameter that a project shows under a name: the nearest owner's. */
export function visible({ projects, parameters }: World, project: number, name: string): number | undefined {
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
export function visibleNames(world: World, project: number): string[] {
  const names = new Set(world.parameters.map(({ name }) => name));
  return [...names].filter((name) => visible(world, project, name) !== undefined);
}

/** The value that applies, evaluated; undefined when none is set anywhere above. */
export function effective(world: World, project: number, environment: number, name: string): Cell | undefined {
  const found = applying(world, project, environment, name);
  return found && evaluated(world, found, environment);
}

/** The value that applies, as it is set. */
export function applying(world: World, project: number, environment: number, name: string): Explicit | undefined {
  for (const place of upwards(
    world.environments.map(({ parent }) => parent),
    environment,
  )) {
    for (const owner of upwards(
      world.projects.map(({ dependsOn }) => dependsOn),
      project,
    )) {
      const found = world.values.find(({ parameter, environment: where }) => {
        const of = world.parameters[parameter];
        return where === place && of?.project === owner && of.name === name;
      });
      if (found) return found;
    }
  }
  return undefined;
}

/** An explicit value as it reads in an environment. */
export function evaluated(world: World, { parameter, text, dynamic }: Explicit, environment: number): Cell {
  const owner = world.parameters[parameter];
  if (!owner) throw new Error(`There is no parameter ${parameter}.`);
  if (!dynamic || text === null) return { text, secret: owner.secret };
  let secret = owner.secret;
  const rendered = text.replace(REFERENCE, (_, name: string) => {
    const shown = visible(world, owner.project, name);
    const cell = effective(world, owner.project, environment, name);
    secret ||= world.parameters[shown ?? -1]?.secret === true || cell?.secret === true;
    return cell?.text ?? '';
  });
  return { text: rendered, secret };
}
