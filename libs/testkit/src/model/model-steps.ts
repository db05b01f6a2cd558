import {
  type ConfigurationModel,
  collectModelMentions,
  environmentsAbove,
  findByKey,
  findVisibleParameter,
  listTexts,
  listVisibleNames,
  type ModelAccess,
  projectsAbove,
} from './configuration-model.ts';

/**
 * The names of all parameters. A text refers only to names before that of its own parameter, so that there are no
 * loops. Two of the names change in exports.
 */
export const MODEL_NAMES = ['alpha', 'Beta', 'gamma', 'host_1'] as const;

/** An edit of existing objects that the service must accept. */
export type ModelStep =
  | { readonly kind: 'create environment'; readonly name: string; readonly parent: string }
  | { readonly kind: 'move environment'; readonly environment: string; readonly parent: string }
  | { readonly kind: 'rename environment'; readonly environment: string; readonly name: string }
  | { readonly kind: 'delete environment'; readonly environment: string }
  | { readonly kind: 'create project'; readonly name: string; readonly dependsOn: string | null }
  | { readonly kind: 'move project'; readonly project: string; readonly dependsOn: string | null }
  | { readonly kind: 'rename project'; readonly project: string; readonly name: string }
  | { readonly kind: 'delete project'; readonly project: string }
  | ({ readonly kind: 'create parameter' } & Omit<ConfigurationModel['parameters'][number], 'key'>)
  | { readonly kind: 'rename parameter'; readonly parameter: string; readonly name: string }
  | { readonly kind: 'delete parameter'; readonly parameter: string }
  | ({ readonly kind: 'set value' } & Omit<ConfigurationModel['values'][number], 'version'>)
  | { readonly kind: 'delete value'; readonly parameter: string; readonly environment: string }
  | { readonly kind: 'create template'; readonly name: string; readonly project: string; readonly body: string }
  | { readonly kind: 'delete template'; readonly template: string }
  | { readonly kind: 'control environment'; readonly environment: string; readonly access: ModelAccess }
  | { readonly kind: 'control project'; readonly project: string; readonly access: ModelAccess };

export type ModelStepKind = ModelStep['kind'];

/** Returns the model after a step. */
export function applyToModel(model: ConfigurationModel, step: ModelStep): ConfigurationModel {
  const { environments, projects, parameters, values, templates, createdCount } = model;
  const key = createdKey(model, step.kind);
  const grownModel = { ...model, createdCount: createdCount + 1 };
  switch (step.kind) {
    case 'create environment':
      return {
        ...grownModel,
        environments: [...environments, { key, name: step.name, parent: step.parent, access: 'open' }],
      };
    case 'move environment':
      return { ...model, environments: changed(environments, step.environment, { parent: step.parent }) };
    case 'rename environment':
      return { ...grownModel, environments: changed(environments, step.environment, { name: step.name }) };
    case 'control environment':
      return { ...model, environments: changed(environments, step.environment, { access: step.access }) };
    case 'delete environment':
      return {
        ...model,
        environments: without(environments, step.environment),
        values: values.filter(({ environment }) => environment !== step.environment),
      };
    case 'create project':
      return {
        ...grownModel,
        projects: [...projects, { key, name: step.name, dependsOn: step.dependsOn, access: 'open' }],
      };
    case 'move project':
      return { ...model, projects: changed(projects, step.project, { dependsOn: step.dependsOn }) };
    case 'rename project':
      return { ...grownModel, projects: changed(projects, step.project, { name: step.name }) };
    case 'control project':
      return { ...model, projects: changed(projects, step.project, { access: step.access }) };
    case 'delete project':
      return withoutProject(model, step.project);
    case 'create parameter': {
      const { name, project, secret, description } = step;
      return { ...grownModel, parameters: [...parameters, { key, name, project, secret, description }] };
    }
    case 'rename parameter':
      return { ...model, parameters: changed(parameters, step.parameter, { name: step.name }) };
    case 'delete parameter':
      return {
        ...model,
        parameters: without(parameters, step.parameter),
        values: values.filter(({ parameter }) => parameter !== step.parameter),
      };
    case 'set value': {
      const { parameter, environment, text, dynamic } = step;
      const value = { parameter, environment, text, dynamic, version: createdCount };
      return { ...grownModel, values: [...valuesInOtherCells(model, step), value] };
    }
    case 'delete value':
      return { ...model, values: valuesInOtherCells(model, step) };
    case 'create template': {
      const { name, project, body } = step;
      return { ...grownModel, templates: [...templates, { key, name, project, body }] };
    }
    case 'delete template':
      return { ...model, templates: without(templates, step.template) };
  }
}

/** Returns the key of the object that a step creates. */
export function createdKey({ createdCount }: ConfigurationModel, kind: ModelStepKind): string {
  return `${kind.split(' ')[1]} ${createdCount}`;
}

/**
 * Returns whether the service must accept a step. It must not create a cycle or a duplicate name, and it must not
 * delete an object that still has children or references (behaviour.md §2, §4, §5.4).
 */
export function isPermitted(model: ConfigurationModel, step: ModelStep): boolean {
  switch (step.kind) {
    case 'move environment':
      return !environmentsAbove(model, step.parent).some(({ key }) => key === step.environment);
    case 'delete environment':
      return model.environments.every(({ parent }) => parent !== step.environment);
    case 'move project': {
      const ancestors = step.dependsOn === null ? [] : projectsAbove(model, step.dependsOn);
      return ancestors.every(({ key }) => key !== step.project) && isWhole(applyToModel(model, step));
    }
    case 'rename project':
      return isWhole(applyToModel(model, step));
    case 'delete project':
      return model.projects.every(({ dependsOn }) => dependsOn !== step.project) && isWhole(applyToModel(model, step));
    case 'create parameter':
      return isFree(model, step.project, step.name);
    case 'rename parameter':
      return isRenamable(model, step);
    case 'delete parameter':
      return isWhole(applyToModel(model, step));
    case 'set value':
      return isWritable(model, step);
    default:
      return true;
  }
}

/** Returns whether every reference of every text resolves. */
function isWhole(model: ConfigurationModel): boolean {
  return listTexts(model).every((source) =>
    collectModelMentions(model, source).every(
      ({ name, project }) =>
        model.projects.some(({ key }) => key === project) && findVisibleParameter(model, project, name) !== undefined,
    ),
  );
}

function isFree(model: ConfigurationModel, project: string, name: string): boolean {
  return model.parameters.every((parameter) => parameter.project !== project || parameter.name !== name);
}

/** A parameter with references keeps its name, and its own texts must respect the order of names. */
function isRenamable(model: ConfigurationModel, step: ModelStep & { readonly kind: 'rename parameter' }): boolean {
  const { key, project } = findByKey(model.parameters, step.parameter);
  const isReferredTo = listTexts(model).some((source) =>
    collectModelMentions(model, source).some(
      (mention) => findVisibleParameter(model, mention.project, mention.name)?.key === key,
    ),
  );
  const ownValues = model.values.filter(({ parameter, dynamic }) => parameter === key && dynamic);
  const mentionedValues = ownValues.flatMap((value) => collectModelMentions(model, { ...value, project }));
  return (
    !isReferredTo && isFree(model, project, step.name) && mentionedValues.every(({ name }) => isBefore(name, step.name))
  );
}

/** A secret is never dynamic. The references of a text must exist and precede its parameter's name. */
function isWritable(model: ConfigurationModel, step: ModelStep & { readonly kind: 'set value' }): boolean {
  const { name, project, secret } = findByKey(model.parameters, step.parameter);
  if (!step.dynamic) return true;
  const mentions = collectModelMentions(model, { project, text: step.text });
  return (
    !secret &&
    mentions.every(
      (mention) => isBefore(mention.name, name) && listVisibleNames(model, mention.project).includes(mention.name),
    )
  );
}

/** Returns whether a text of a parameter named `name` may refer to the other name. */
export function isBefore(mentionedName: string, name: string): boolean {
  return MODEL_NAMES.indexOf(mentionedName as never) < MODEL_NAMES.indexOf(name as never);
}

function changed<T extends { readonly key: string }>(objects: readonly T[], key: string, change: Partial<T>): T[] {
  return objects.map((object) => (object.key === key ? { ...object, ...change } : object));
}

function without<T extends { readonly key: string }>(objects: readonly T[], key: string): T[] {
  return objects.filter((object) => object.key !== key);
}

function valuesInOtherCells(
  { values }: ConfigurationModel,
  { parameter, environment }: { readonly parameter: string; readonly environment: string },
): ConfigurationModel['values'] {
  return values.filter((value) => value.parameter !== parameter || value.environment !== environment);
}

function withoutProject(model: ConfigurationModel, project: string): ConfigurationModel {
  const deletedParameters = new Set(
    model.parameters.filter((parameter) => parameter.project === project).map(({ key }) => key),
  );
  return {
    ...model,
    projects: without(model.projects, project),
    parameters: model.parameters.filter(({ key }) => !deletedParameters.has(key)),
    values: model.values.filter(({ parameter }) => !deletedParameters.has(parameter)),
    templates: model.templates.filter((template) => template.project !== project),
  };
}
