/**
 * A minimal implementation of what behaviour.md §5.2, §6.3, §7.3 and §11.5 say about configuration. It shares no code
 * with the service, so that tests can compare the two. Every object has a key that survives renaming and moving.
 */
export interface ConfigurationModel {
  /** The first one is the root, `default`. */
  readonly environments: readonly ModelEnvironment[];
  readonly projects: readonly ModelProject[];
  readonly parameters: readonly ModelParameter[];
  readonly values: readonly ModelValue[];
  readonly templates: readonly ModelTemplate[];
  /** The number of objects ever created. Keys and new names are derived from it. */
  readonly createdCount: number;
}

/** The reader's access to a scope. The reader is a VIEWER of the organization; the owner has access to everything. */
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

/** An explicit value. A null text is an explicit null. */
export interface ModelValue {
  readonly parameter: string;
  readonly environment: string;
  readonly text: string | null;
  readonly dynamic: boolean;
  /** Changes whenever the value is set, even to the same text. */
  readonly version: number;
}

export interface ModelTemplate {
  readonly key: string;
  readonly name: string;
  readonly project: string;
  readonly body: string;
}

/** A value as a caller reads it. */
export interface ModelText {
  readonly text: string | null;
  /** Whether the value is shown as asterisks to a reader who requested masks. */
  readonly secret: boolean;
}

/** One cell that resolution checks for a value: that of `parameter` in `environment`. */
export interface ModelCandidate {
  readonly environment: string;
  readonly project: string;
  /** Null if the project owns no parameter of that name. */
  readonly parameter: string | null;
  /** Undefined if nothing is set in the cell. */
  readonly value: ModelValue | undefined;
}

/** A name in a text, with the project that resolves it. */
export interface ModelMention {
  readonly name: string;
  readonly project: string;
  /** Whether the text names the project. */
  readonly named: boolean;
}

/** The configuration of a new organization. */
export const EMPTY_MODEL: ConfigurationModel = {
  environments: [{ key: 'root', name: 'default', parent: null, access: 'open' }],
  projects: [],
  parameters: [],
  values: [],
  templates: [],
  createdCount: 0,
};

/** Returns the object with a key. */
export function findByKey<T extends { readonly key: string }>(objects: readonly T[], key: string): T {
  const match = objects.find((candidate) => candidate.key === key);
  if (!match) throw new Error(`The model has no ${key}.`);
  return match;
}

/** Returns the environment, its parent, and so on to the root. */
export function environmentsAbove({ environments }: ConfigurationModel, start: string): readonly ModelEnvironment[] {
  const environment = findByKey(environments, start);
  const { parent } = environment;
  return parent === null ? [environment] : [environment, ...environmentsAbove({ environments } as never, parent)];
}

/** Returns the project, the one that it depends on, and so on to the top. */
export function projectsAbove({ projects }: ConfigurationModel, start: string): readonly ModelProject[] {
  const project = findByKey(projects, start);
  const { dependsOn } = project;
  return dependsOn === null ? [project] : [project, ...projectsAbove({ projects } as never, dependsOn)];
}

/** Returns the parameter that a project uses for a name: that of the nearest owner. */
export function findVisibleParameter(
  model: ConfigurationModel,
  project: string,
  name: string,
): ModelParameter | undefined {
  for (const { key } of projectsAbove(model, project)) {
    const match = model.parameters.find((parameter) => parameter.project === key && parameter.name === name);
    if (match) return match;
  }
  return undefined;
}

/** Returns the names that a project owns or inherits. */
export function listVisibleNames(model: ConfigurationModel, project: string): string[] {
  const names = new Set(model.parameters.map(({ name }) => name));
  return [...names].filter((name) => findVisibleParameter(model, project, name) !== undefined);
}

/**
 * Returns every cell that resolution checks for a name, in order: environments in the outer loop, projects in the inner
 * one.
 */
export function listCandidates(
  model: ConfigurationModel,
  project: string,
  environment: string,
  name: string,
): readonly ModelCandidate[] {
  return environmentsAbove(model, environment).flatMap(({ key: environmentKey }) =>
    projectsAbove(model, project).map(({ key: owner }) => {
      const parameter = model.parameters.find((candidate) => candidate.project === owner && candidate.name === name);
      const value = model.values.find(
        (candidate) => candidate.environment === environmentKey && candidate.parameter === parameter?.key,
      );
      return { environment: environmentKey, project: owner, parameter: parameter?.key ?? null, value };
    }),
  );
}

/** Returns the effective value as stored; undefined if none is set. */
export function findEffectiveValue(
  model: ConfigurationModel,
  project: string,
  environment: string,
  name: string,
): ModelValue | undefined {
  return listCandidates(model, project, environment, name).find(({ value }) => value)?.value;
}

/** Returns the effective value, evaluated in the requested environment. */
export function evaluateEffective(
  model: ConfigurationModel,
  project: string,
  environment: string,
  name: string,
): ModelText | undefined {
  const winner = findEffectiveValue(model, project, environment, name);
  return winner && evaluateValue(model, winner, environment);
}

/** Returns the evaluated text of an explicit value in an environment. */
export function evaluateValue(model: ConfigurationModel, value: ModelValue, environment: string): ModelText {
  const owner = findByKey(model.parameters, value.parameter);
  if (!value.dynamic || value.text === null) return { text: value.text, secret: owner.secret };
  return renderText(model, { project: owner.project, text: value.text }, environment);
}

const REFERENCE =
  /\{\{ (?:strata\.projects\.(\w+)\.parameters\.|strata\.parameters\.)?(strata\.environment|strata\.project|\w+) \}\}/g;

/**
 * Replaces every reference in a text with its value. The result is secret if one of the references is, even one without
 * a value.
 */
export function renderText(
  model: ConfigurationModel,
  source: { readonly project: string; readonly text: string },
  environment: string,
): ModelText {
  let secret = false;
  const text = source.text.replace(REFERENCE, (_, projectName: string | undefined, name: string) => {
    if (name === 'strata.environment') return findByKey(model.environments, environment).name;
    if (name === 'strata.project') return findByKey(model.projects, source.project).name;
    const scope = projectName === undefined ? source.project : requireProject(model, projectName);
    const winner = evaluateEffective(model, scope, environment, name);
    secret ||= findVisibleParameter(model, scope, name)?.secret === true || winner?.secret === true;
    return winner?.text ?? '';
  });
  return { text, secret };
}

/** Returns the parameters that a text of a project refers to. */
export function collectModelMentions(
  model: ConfigurationModel,
  source: { readonly project: string; readonly text: string | null },
): readonly ModelMention[] {
  return [...(source.text ?? '').matchAll(REFERENCE)].flatMap(([, projectName, name = '']) => {
    if (name.startsWith('strata.')) return [];
    return [
      {
        name,
        project: projectName === undefined ? source.project : requireProject(model, projectName),
        named: projectName !== undefined,
      },
    ];
  });
}

/** The name of the environment, and that of its project, if a text says it. */
export function listScopeNames(
  model: ConfigurationModel,
  source: { readonly project: string; readonly text: string },
  environment: string,
): readonly (string | null)[] {
  return [
    source.text.includes('{{ strata.environment }}') ? findByKey(model.environments, environment).name : null,
    source.text.includes('{{ strata.project }}') ? findByKey(model.projects, source.project).name : null,
  ];
}

/** Every text that may refer to parameters: templates, and the source texts of dynamic values. */
export function listTexts(model: ConfigurationModel): readonly { readonly project: string; readonly text: string }[] {
  const values = model.values.flatMap(({ parameter, text, dynamic }) =>
    dynamic && text !== null ? [{ project: findByKey(model.parameters, parameter).project, text }] : [],
  );
  return [...values, ...model.templates.map(({ project, body }) => ({ project, text: body }))];
}

/**
 * Returns whether the reader may see the contents of a project. The nearest project with its own access control
 * decides.
 */
export function canReadProject(model: ConfigurationModel, project: string): boolean {
  return projectsAbove(model, project).find(({ access }) => access !== 'open')?.access !== 'closed';
}

/** Returns whether the reader may see an environment. Values are inherited from forbidden environments too. */
export function canReadEnvironment(model: ConfigurationModel, environment: string): boolean {
  return findByKey(model.environments, environment).access !== 'closed';
}

function requireProject({ projects }: ConfigurationModel, name: string): string {
  return projects.find((project) => project.name === name)?.key ?? '';
}
