import type { MatrixCell, MatrixNext } from '@strata/contract';
import {
  type ConfigurationModel,
  canReadEnvironment,
  canReadProject,
  collectModelMentions,
  evaluateEffective,
  findByKey,
  findEffectiveValue,
  listCandidates,
  listScopeNames,
  listVisibleNames,
  type ModelCandidate,
  type ModelInService,
  type ModelValue,
} from '@strata/testkit';

/** A cell of a matrix in terms of the model. */
export interface ModelMatrixCell {
  readonly project: string;
  readonly environment: string;
  readonly name: string;
}

const MASKED = '*****';

/** Returns the expected content of a cell, computed from the model. */
export function modelCell(model: ConfigurationModel, cell: ModelMatrixCell, isOwner: boolean): MatrixCell {
  const { project, environment, name } = cell;
  if (!isOwner && !canReadEnvironment(model, environment)) return { states: ['closed'] };
  const value = findEffectiveValue(model, project, environment, name);
  const text = seenBy(model, cell, isOwner);
  const differingStates = differsFromParent(model, cell, isOwner) ? (['differs'] as const) : [];
  if (!text || !value) return { states: ['missing', ...differingStates] };
  const owner = findByKey(model.parameters, value.parameter);
  const [first] = listCandidates(model, project, environment, name);
  const isOwn = first?.value === value;
  const isDynamic = value.dynamic && value.text !== null;
  return {
    states: [
      isOwn ? 'own' : 'inherited',
      ...(value.text === null ? (['null'] as const) : []),
      ...(text.secret ? (['secret'] as const) : []),
      ...(isDynamic ? (['dynamic'] as const) : []),
      ...differingStates,
      ...(isOwn && isRedundant(model, cell, isOwner) ? (['redundant'] as const) : []),
    ],
    text: text.secret && text.text !== null ? MASKED : text.text,
    ...(isDynamic && { raw: value.text ?? '' }),
    ...(value.environment !== environment && {
      environment_name: findByKey(model.environments, value.environment).name,
    }),
    ...(owner.project !== project && { project_name: findByKey(model.projects, owner.project).name }),
    ...(isOwn && { next: modelNext(model, cell, isOwner) }),
  };
}

/** Returns the expected value that a cell with its own value would inherit without it. */
function modelNext(model: ConfigurationModel, cell: ModelMatrixCell, isOwner: boolean): MatrixNext {
  const next = nextCandidate(model, cell, isOwner);
  if (next === 'closed') return { state: 'closed' };
  if (!next) return { state: 'unset' };
  const { text, dynamic } = next;
  const { secret, project } = findByKey(model.parameters, next.parameter);
  const isShown = text !== null && !dynamic && !secret;
  return {
    state: text === null ? 'null' : 'set',
    ...(isShown && { text }),
    ...(next.environment !== cell.environment && {
      environment_name: findByKey(model.environments, next.environment).name,
    }),
    ...(project !== cell.project && { project_name: findByKey(model.projects, project).name }),
  };
}

/** Returns the effective text as a caller can read it. A text that depends on a forbidden project is masked like a secret. */
function seenBy(model: ConfigurationModel, { project, environment, name }: ModelMatrixCell, isOwner: boolean) {
  const value = findEffectiveValue(model, project, environment, name);
  if (!isOwner && value && isClosedText(model, value, environment)) return { text: MASKED, secret: true };
  return evaluateEffective(model, project, environment, name);
}

/** Returns what a caller may compare: readable texts, or the inputs of masked ones. */
export function comparableContent(
  model: ConfigurationModel,
  { project, environment, name }: ModelMatrixCell,
  isOwner: boolean,
): string {
  const text = evaluateEffective(model, project, environment, name);
  const value = findEffectiveValue(model, project, environment, name);
  if (!text || !value) return 'nothing';
  if (!isOwner && isClosedText(model, value, environment)) return `closed ${value.text}`;
  if (!text.secret || text.text === null) return JSON.stringify(text.text);
  return `made of ${JSON.stringify(collectIngredients(model, value, environment))}`;
}

/**
 * Returns the inputs of a text (ADR 0037): the stored texts that it references, the value itself if it is secret, and the names of the
 * scopes that it contains.
 */
function collectIngredients(model: ConfigurationModel, value: ModelValue, environment: string): unknown {
  const { project, secret } = findByKey(model.parameters, value.parameter);
  const { text, dynamic } = value;
  if (text === null) return 'null';
  if (!dynamic) return secret ? [value.parameter, value.environment] : [text];
  const neededCells = collectModelMentions(model, { project, text }).map(({ project: scope, name }) =>
    findEffectiveValue(model, scope, environment, name),
  );
  const names = listScopeNames(model, { project, text }, environment);
  return [
    text,
    names,
    neededCells.map((neededValue) => (neededValue ? collectIngredients(model, neededValue, environment) : null)),
  ];
}

/** Returns whether a text depends on a project that the reader cannot access, directly or through other texts. */
function isClosedText(model: ConfigurationModel, value: ModelValue, environment: string): boolean {
  if (!value.dynamic || value.text === null) return false;
  const { project } = findByKey(model.parameters, value.parameter);
  return collectModelMentions(model, { project, text: value.text }).some((mention) => {
    if (mention.named && !canReadProject(model, mention.project)) return true;
    const mentionedValue = findEffectiveValue(model, mention.project, environment, mention.name);
    return mentionedValue !== undefined && isClosedText(model, mentionedValue, environment);
  });
}

function differsFromParent(model: ConfigurationModel, cell: ModelMatrixCell, isOwner: boolean): boolean {
  const { parent } = findByKey(model.environments, cell.environment);
  if (parent === null || (!isOwner && !canReadEnvironment(model, parent))) return false;
  return (
    comparableContent(model, cell, isOwner) !== comparableContent(model, { ...cell, environment: parent }, isOwner)
  );
}

/**
 * Returns whether the value equals the next one in the resolution order, if the reader can access everything up to that one. Secret values
 * are never redundant.
 */
function isRedundant(model: ConfigurationModel, cell: ModelMatrixCell, isOwner: boolean): boolean {
  if (seenBy(model, cell, isOwner)?.secret) return false;
  const effectiveValue = findEffectiveValue(model, cell.project, cell.environment, cell.name);
  const candidate = nextCandidate(model, cell, isOwner);
  if (!effectiveValue || !candidate || candidate === 'closed') return false;
  const [parameter, farther] = [
    findByKey(model.parameters, effectiveValue.parameter),
    findByKey(model.parameters, candidate.parameter),
  ];
  if (
    effectiveValue.text !== candidate.text ||
    effectiveValue.dynamic !== candidate.dynamic ||
    parameter.secret ||
    farther.secret
  )
    return false;
  return !effectiveValue.dynamic || parameter.key === farther.key;
}

/** Returns the next value in the resolution order after the own one; `closed` if the reader cannot access everything up to it. */
function nextCandidate(
  model: ConfigurationModel,
  { project, environment, name }: ModelMatrixCell,
  isOwner: boolean,
): ModelValue | 'closed' | undefined {
  const isClosed = (candidate: ModelCandidate) =>
    !isOwner && !(canReadEnvironment(model, candidate.environment) && canReadProject(model, candidate.project));
  const places = listCandidates(model, project, environment, name);
  const at = places.findIndex(({ parameter }) => parameter !== null);
  const next = places.slice(at + 1).find((candidate) => isClosed(candidate) || candidate.value !== undefined);
  return next && (isClosed(next) ? 'closed' : next.value);
}

export const namesInOrder = (model: ConfigurationModel, project: string) => listVisibleNames(model, project).sort();

/** Repeats some values unchanged in child environments. */
export async function setSameValuesBelow(service: ModelInService): Promise<void> {
  const { values, environments } = service.state;
  for (const { parameter, environment, text, dynamic } of values.slice(-6)) {
    const childEnvironment = environments.find(({ parent }) => parent === environment)?.key;
    const isFree = service.state.values.every(
      (modelValue) => modelValue.parameter !== parameter || modelValue.environment !== childEnvironment,
    );
    if (childEnvironment !== undefined && isFree) {
      await service.apply({ kind: 'set value', parameter, environment: childEnvironment, text, dynamic });
    }
  }
}
