/**
 * What behaviour.md §5.2, §6.3, §7.3 and §11.5 say about configuration, in the fewest words that say it. It shares no line with
 * the service, so that the two can disagree. Everything has a key that stays when it is renamed or moved.
 */
export interface ConfigurationModel {
  /** The first is the root, `default`. */
  readonly environments: readonly ModelEnvironment[];
  readonly projects: readonly ModelProject[];
  readonly parameters: readonly ModelParameter[];
  readonly values: readonly ModelValue[];
  readonly templates: readonly ModelTemplate[];
  /** How many things were ever made; keys and new names come of it. */
  readonly made: number;
}

/** What a scope is to the reader, who is a VIEWER of the organization; its owner may see everything. */
export type ModelAccess = 'open' | 'closed' | 'granted';

export interface ModelEnvironment {
  readonly key: string;
  readonly name: string;
  readonly parent: string | null;
  readonly access: ModelAccess;
}

export interface ModelProject {
  readonly key: string;
  readonly name: string;
  readonly dependsOn: string | null;
  readonly access: ModelAccess;
}

export interface ModelParameter {
  readonly key: string;
  readonly name: string;
  readonly project: string;
  readonly secret: boolean;
  readonly description: string;
}

/** An explicit value; a text of null is an explicit null. */
export interface ModelValue {
  readonly parameter: string;
  readonly environment: string;
  readonly text: string | null;
  readonly dynamic: boolean;
  /** Another one whenever it is set, also to what it says already. */
  readonly version: number;
}

export interface ModelTemplate {
  readonly key: string;
  readonly name: string;
  readonly project: string;
  readonly body: string;
}

/** What somebody sees of a value. */
export interface ModelText {
  readonly text: string | null;
  /** Whether a reader who asked for masks sees asterisks instead. */
  readonly secret: boolean;
}

/** One place that is asked for a value: the one of `parameter` in `environment`. */
export interface ModelCandidate {
  readonly environment: string;
  readonly project: string;
  /** Null when the project owns no parameter of that name. */
  readonly parameter: string | null;
  /** Undefined when nothing is set there. */
  readonly value: ModelValue | undefined;
}

/** A name that a text says, and the project in which it is looked up. */
export interface ModelMention {
  readonly name: string;
  readonly project: string;
  /** The text names the project. */
  readonly named: boolean;
}

/** An organization in which nothing has been made. */
export const EMPTY_MODEL: ConfigurationModel = {
  environments: [{ key: 'root', name: 'default', parent: null, access: 'open' }],
  projects: [],
  parameters: [],
  values: [],
  templates: [],
  made: 0,
};

/** The thing that has a key. */
export function keyed<T extends { readonly key: string }>(things: readonly T[], key: string): T {
  const found = things.find((thing) => thing.key === key);
  if (!found) throw new Error(`The model has no ${key}.`);
  return found;
}

/** The environment, its parent, and so on to the root. */
export function environmentsAbove({ environments }: ConfigurationModel, start: string): readonly ModelEnvironment[] {
  const environment = keyed(environments, start);
  const { parent } = environment;
  return parent === null ? [environment] : [environment, ...environmentsAbove({ environments } as never, parent)];
}

/** The project, the one that it depends on, and so on to the top. */
export function projectsAbove({ projects }: ConfigurationModel, start: string): readonly ModelProject[] {
  const project = keyed(projects, start);
  const { dependsOn } = project;
  return dependsOn === null ? [project] : [project, ...projectsAbove({ projects } as never, dependsOn)];
}

/** The parameter that a project shows under a name: the nearest owner's. */
export function visible(model: ConfigurationModel, project: string, name: string): ModelParameter | undefined {
  for (const { key } of projectsAbove(model, project)) {
    const found = model.parameters.find((parameter) => parameter.project === key && parameter.name === name);
    if (found) return found;
  }
  return undefined;
}

/** The names that a project shows. */
export function visibleNames(model: ConfigurationModel, project: string): string[] {
  const names = new Set(model.parameters.map(({ name }) => name));
  return [...names].filter((name) => visible(model, project, name) !== undefined);
}

/** Every place that is asked for a name, in the order in which they are asked: environments outside, projects inside. */
export function candidates(
  model: ConfigurationModel,
  project: string,
  environment: string,
  name: string,
): readonly ModelCandidate[] {
  return environmentsAbove(model, environment).flatMap(({ key: where }) =>
    projectsAbove(model, project).map(({ key: owner }) => {
      const parameter = model.parameters.find((each) => each.project === owner && each.name === name);
      const value = model.values.find((each) => each.environment === where && each.parameter === parameter?.key);
      return { environment: where, project: owner, parameter: parameter?.key ?? null, value };
    }),
  );
}

/** The value that applies, as it is set; undefined when none is set anywhere above. */
export function applying(
  model: ConfigurationModel,
  project: string,
  environment: string,
  name: string,
): ModelValue | undefined {
  return candidates(model, project, environment, name).find(({ value }) => value)?.value;
}

/** The value that applies, evaluated where it is looked at. */
export function effective(
  model: ConfigurationModel,
  project: string,
  environment: string,
  name: string,
): ModelText | undefined {
  const found = applying(model, project, environment, name);
  return found && evaluated(model, found, environment);
}

/** An explicit value as it reads in an environment. */
export function evaluated(model: ConfigurationModel, value: ModelValue, environment: string): ModelText {
  const owner = keyed(model.parameters, value.parameter);
  if (!value.dynamic || value.text === null) return { text: value.text, secret: owner.secret };
  return rendered(model, { project: owner.project, text: value.text }, environment);
}

const REFERENCE =
  /\{\{ (?:strata\.projects\.(\w+)\.parameters\.|strata\.parameters\.)?(strata\.environment|strata\.project|\w+) \}\}/g;

/** A text of a project with everything that it refers to put in; secret when one of these is, with or without a value. */
export function rendered(
  model: ConfigurationModel,
  source: { readonly project: string; readonly text: string },
  environment: string,
): ModelText {
  let secret = false;
  const text = source.text.replace(REFERENCE, (_, named: string | undefined, name: string) => {
    if (name === 'strata.environment') return keyed(model.environments, environment).name;
    if (name === 'strata.project') return keyed(model.projects, source.project).name;
    const scope = named === undefined ? source.project : projectNamed(model, named);
    const found = effective(model, scope, environment, name);
    secret ||= visible(model, scope, name)?.secret === true || found?.secret === true;
    return found?.text ?? '';
  });
  return { text, secret };
}

/** The parameters that a text of a project refers to. */
export function mentionsOf(
  model: ConfigurationModel,
  source: { readonly project: string; readonly text: string | null },
): readonly ModelMention[] {
  return [...(source.text ?? '').matchAll(REFERENCE)].flatMap(([, named, name = '']) => {
    if (name.startsWith('strata.')) return [];
    return [
      { name, project: named === undefined ? source.project : projectNamed(model, named), named: named !== undefined },
    ];
  });
}

/** The name of the environment, and that of its project, if a text says it. */
export function placeNamesIn(
  model: ConfigurationModel,
  source: { readonly project: string; readonly text: string },
  environment: string,
): readonly (string | null)[] {
  return [
    source.text.includes('{{ strata.environment }}') ? keyed(model.environments, environment).name : null,
    source.text.includes('{{ strata.project }}') ? keyed(model.projects, source.project).name : null,
  ];
}

/** Every text that may refer to parameters: templates, and the source texts of dynamic values. */
export function textsOf(model: ConfigurationModel): readonly { readonly project: string; readonly text: string }[] {
  const values = model.values.flatMap(({ parameter, text, dynamic }) =>
    dynamic && text !== null ? [{ project: keyed(model.parameters, parameter).project, text }] : [],
  );
  return [...values, ...model.templates.map(({ project, body }) => ({ project, text: body }))];
}

/** Whether the reader may see what lies in a project: the nearest one with control of its own decides. */
export function canReadProject(model: ConfigurationModel, project: string): boolean {
  return projectsAbove(model, project).find(({ access }) => access !== 'open')?.access !== 'closed';
}

/** Whether the reader may look at an environment; from others values are inherited all the same. */
export function canReadEnvironment(model: ConfigurationModel, environment: string): boolean {
  return keyed(model.environments, environment).access !== 'closed';
}

function projectNamed({ projects }: ConfigurationModel, name: string): string {
  return projects.find((project) => project.name === name)?.key ?? '';
}
