import type { ImportItem, ObjectLink } from './import-item.ts';
import { nameClashes } from './name-clash.ts';
import type { PlatformParameter, PlatformProject, PlatformValue } from './platform.ts';
import type { ExistingContents, ExistingParameter } from './present.ts';
import { planRules } from './rule-items.ts';

type Links = ReadonlyMap<string, ObjectLink>;

interface ProjectContext {
  readonly project: PlatformProject;
  readonly link: ObjectLink;
  readonly environments: Links;
  readonly types: Links;
  readonly current: ExistingContents;
}

const NOTHING: ExistingContents = { parameters: new Map(), templates: new Map() };

/**
 * Plans the contents of a project: parameters, rules, literal values, templates, and then dynamic values, which refer to the others.
 */
export function planContents(
  context: Omit<ProjectContext, 'current'>,
  existingContents = NOTHING,
): readonly ImportItem[] {
  const { project } = context;
  const projectContext: ProjectContext = { ...context, current: existingContents };
  const clash = nameClashes({
    existing: existingContents.parameters.keys(),
    imported: project.parameters.map(({ name }) => name),
  });
  const plannedParameters = project.parameters.map((parameter) => planParameter(projectContext, parameter, clash));
  const usableParameters = plannedParameters.flatMap(({ link, parameter }) =>
    link === undefined ? [] : [{ link, parameter }],
  );
  const values = usableParameters.flatMap(({ link, parameter }) =>
    parameter.values.map((value) => ({ value, item: planValue(projectContext, parameter, link, value) })),
  );
  const valuesThat = (isDynamic: boolean) =>
    values.filter(({ value }) => value.isDynamic === isDynamic).map(({ item }) => item);
  return [
    ...plannedParameters.flatMap(({ items }) => items),
    ...valuesThat(false),
    ...planTemplates(projectContext),
    ...valuesThat(true),
  ];
}

interface PlannedParameter {
  readonly parameter: PlatformParameter;
  readonly items: readonly ImportItem[];
  /** Undefined if no values can be imported. */
  readonly link?: ObjectLink;
}

function planParameter(
  context: ProjectContext,
  parameter: PlatformParameter,
  clash: (name: string) => string | null,
): PlannedParameter {
  const { link, types, current: existingContents } = context;
  const { name, type, secret, description, expires = null } = parameter;
  const base = { ...itemBase(context, 'parameter', name), name };
  const existingParameter = existingContents.parameters.get(name);
  const path = { project_pk: link };
  if (existingParameter) {
    const reason = mismatch(parameter, existingParameter);
    if (reason !== null) return { parameter, items: [{ ...base, effect: 'conflict', reason }] };
    const rules = planParameterRules(context, parameter, existingParameter.id, existingParameter);
    // Descriptions and expirations are optional in the source.
    const body = {
      description: description || existingParameter.description,
      expires: expires ?? existingParameter.expires,
    };
    const isSame = body.description === existingParameter.description && body.expires === existingParameter.expires;
    const operation = {
      operation: 'projects_parameters_partial_update',
      path: { ...path, id: existingParameter.id },
      body,
    };
    const item: ImportItem = isSame
      ? { ...base, effect: 'unchanged' }
      : {
          ...base,
          effect: 'changed',
          before: describeProperties(existingParameter),
          after: describeProperties(body),
          operation,
        };
    return { parameter, items: [item, ...rules], link: existingParameter.id };
  }
  const typeLink = types.get(type);
  const reason =
    clash(name) ??
    (typeLink === undefined ? `Its type ${type} is neither in the source nor here. Create the type first.` : null);
  if (reason !== null) return { parameter, items: [{ ...base, effect: 'conflict', reason }] };
  const operation = {
    operation: 'projects_parameters_create',
    path,
    body: { name, description, secret, type, expires },
  };
  const needs = typeLink !== undefined && typeof typeLink !== 'string' ? [typeLink.$ref] : [];
  const createdLink = { $ref: base.key };
  const item: ImportItem = { ...base, effect: 'created', needs, operation };
  return { parameter, items: [item, ...planParameterRules(context, parameter, createdLink)], link: createdLink };
}

/** Returns the properties that an import can change, as a text to compare. */
const describeProperties = ({ description, expires }: Pick<ExistingParameter, 'description' | 'expires'>): string =>
  [description, expires === null ? '' : `expires after ${expires}`].filter((text) => text !== '').join(', ');

function mismatch({ type, secret }: PlatformParameter, existingParameter: ExistingParameter): string | null {
  if (existingParameter.secret !== secret) {
    const [currentKind, plannedKind] = secret ? ['not secret', 'secret'] : ['secret', 'not secret'];
    return `It is ${currentKind} here and ${plannedKind} in the source. Its values are not imported; delete or rename one of the parameters first.`;
  }
  if (existingParameter.type === type) return null;
  return `Its type is ${existingParameter.type} here and ${type} in the source. Its values are not imported; change the type first.`;
}

const planParameterRules = (
  { project, link }: ProjectContext,
  { name, rules }: PlatformParameter,
  parameter: ObjectLink,
  existingParameter?: ExistingParameter,
) =>
  planRules(
    {
      part: project.name,
      name,
      project: project.name,
      collection: 'projects_parameters_rules',
      path: { project_pk: link, parameter_pk: parameter },
    },
    rules,
    existingParameter?.rules,
  );

function planValue(
  context: ProjectContext,
  { name, secret }: PlatformParameter,
  parameter: ObjectLink,
  { environment, text, isDynamic, difference }: PlatformValue,
): ImportItem {
  const base = { ...itemBase(context, 'value', `${name}\n${environment}`), name, environment, difference };
  const environmentLink = context.environments.get(environment);
  if (environmentLink === undefined) {
    return { ...base, effect: 'conflict', reason: `The environment ${environment} is not imported.` };
  }
  const path = { project_pk: context.link, parameter_pk: parameter };
  const content = { internal_value: text, interpolated: isDynamic };
  const existingValue = context.current.parameters.get(name)?.values.get(environment);
  if (!existingValue) {
    const body = { environment: environmentLink, ...content };
    return { ...base, effect: 'created', operation: { operation: 'projects_parameters_values_create', path, body } };
  }
  const operation = {
    operation: 'projects_parameters_values_partial_update',
    path: { ...path, id: existingValue.id },
    body: content,
  };
  if (secret) return { ...base, effect: 'secret', operation };
  if (existingValue.text === text && existingValue.isDynamic === isDynamic) return { ...base, effect: 'unchanged' };
  return { ...base, effect: 'changed', before: existingValue.text, after: text, operation };
}

function planTemplates(context: ProjectContext): readonly ImportItem[] {
  const { project, link, current: existingContents } = context;
  const clash = nameClashes({
    existing: existingContents.templates.keys(),
    imported: project.templates.map(({ name }) => name),
  });
  return project.templates.map(({ name, description, body }): ImportItem => {
    const base = { ...itemBase(context, 'template', name), name };
    const existingTemplate = existingContents.templates.get(name);
    const path = { project_pk: link };
    const content = { description, body };
    if (existingTemplate) {
      if (existingTemplate.body === body && (description === '' || existingTemplate.description === description))
        return { ...base, effect: 'unchanged' };
      const operation = {
        operation: 'projects_templates_partial_update',
        path: { ...path, id: existingTemplate.id },
        body: content,
      };
      return { ...base, effect: 'changed', before: existingTemplate.body, after: body, operation };
    }
    const reason = clash(name);
    if (reason !== null) return { ...base, effect: 'conflict', reason };
    return {
      ...base,
      effect: 'created',
      operation: { operation: 'projects_templates_create', path, body: { name, ...content } },
    };
  });
}

const itemBase = ({ project }: ProjectContext, kind: 'parameter' | 'value' | 'template', name: string) =>
  ({ key: `${kind}:${project.name}\n${name}`, part: project.name, kind, project: project.name }) as const;
