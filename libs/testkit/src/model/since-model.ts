import {
  type ConfigurationModel,
  collectModelMentions,
  evaluateEffective,
  findByKey,
  findEffectiveValue,
  findVisibleParameter,
  listScopeNames,
  type ModelValue,
  projectsAbove,
} from './configuration-model.ts';

/** The model from one revision on. */
export interface ModelPointInTime {
  readonly model: ConfigurationModel;
  readonly revision: number;
}

/** One name in one project and environment, by their keys. */
export interface ModelCell {
  readonly project: string;
  readonly environment: string;
  readonly name: string;
}

/**
 * Returns the revision of the last step before a point in time that changed the effective value (ADR 0036); null if
 * none did. Access control is read from the latest model, so that past values are as restricted as current ones.
 */
export function lastChangeInModel(
  pointsInTime: readonly ModelPointInTime[],
  cell: ModelCell,
  until = pointsInTime.length - 1,
): number | null {
  const isControlled = controlledIn(pointsInTime);
  const contents = pointsInTime.slice(0, until + 1).map(({ model }) => describeContent(model, cell, isControlled));
  const at = contents.findLastIndex((content, index) => index > 0 && content !== contents[index - 1]);
  return pointsInTime[at]?.revision ?? null;
}

type IsControlled = (scope: string) => boolean;

/**
 * Returns whether an environment or a project is controlled, directly or by inheritance. Deleted scopes keep their last
 * state.
 */
function controlledIn(pointsInTime: readonly ModelPointInTime[]): IsControlled {
  return (scope) => {
    const lastPointInTime = pointsInTime.findLast(({ model: { environments, projects } }) =>
      [...environments, ...projects].some(({ key }) => key === scope),
    );
    if (!lastPointInTime) return false;
    const environment = lastPointInTime.model.environments.find(({ key }) => key === scope);
    const ancestors = environment ? [environment] : projectsAbove(lastPointInTime.model, scope);
    return ancestors.some(({ access }) => access !== 'open');
  };
}

/**
 * Returns the effective value as one text: absent, unset, null, the text, or the inputs of a text that must not be
 * compared.
 */
function describeContent(model: ConfigurationModel, cell: ModelCell, isControlled: IsControlled): string {
  const { project, environment, name } = cell;
  const isThere =
    model.projects.some(({ key }) => key === project) && model.environments.some(({ key }) => key === environment);
  if (!isThere || !findVisibleParameter(model, project, name)) return 'absent';
  const value = findEffectiveValue(model, project, environment, name);
  if (!value) return 'unset';
  if (value.text === null) return 'null';
  if (!isHidden(model, value, environment, isControlled)) {
    return JSON.stringify(evaluateEffective(model, project, environment, name)?.text);
  }
  return `made of ${JSON.stringify(describeInputs(model, value, environment, isControlled))}`;
}

/** Returns whether a text is secret, is in a controlled scope, or depends on such a text. */
function isHidden(
  model: ConfigurationModel,
  value: ModelValue,
  environmentKey: string,
  isControlled: IsControlled,
): boolean {
  const { project, secret } = findByKey(model.parameters, value.parameter);
  if (secret || isControlled(project) || isControlled(value.environment)) return true;
  if (!value.dynamic || value.text === null) return false;
  return collectModelMentions(model, { project, text: value.text }).some((mention) => {
    if (isControlled(mention.project) || findVisibleParameter(model, mention.project, mention.name)?.secret)
      return true;
    const winner = findEffectiveValue(model, mention.project, environmentKey, mention.name);
    return winner !== undefined && isHidden(model, winner, environmentKey, isControlled);
  });
}

/**
 * Returns the inputs of a value (ADR 0037): the stored text if it is open, otherwise its version, and the same for every value it
 * refers to. The names of project and environment are included if the text contains them or is hidden.
 */
function describeInputs(
  model: ConfigurationModel,
  value: ModelValue,
  environmentKey: string,
  isControlled: IsControlled,
): unknown {
  const { project, secret } = findByKey(model.parameters, value.parameter);
  const { text, dynamic, environment } = value;
  if (text === null) return 'null';
  const isOpen = !secret && !isControlled(project) && !isControlled(environment);
  const storedContent = isOpen ? [text] : `${value.parameter} in ${environment} ${value.version}`;
  if (!dynamic) return storedContent;
  const names = isOpen
    ? listScopeNames(model, { project, text }, environmentKey)
    : [findByKey(model.environments, environmentKey).name, findByKey(model.projects, project).name];
  const neededValues = collectModelMentions(model, { project, text }).map(({ project: scope, name }) => {
    const winner = findEffectiveValue(model, scope, environmentKey, name);
    return [scope, name, winner ? describeInputs(model, winner, environmentKey, isControlled) : null];
  });
  return [storedContent, names, neededValues];
}
