import { hash } from 'node:crypto';
import {
  type EvaluationStep,
  findReservedWords,
  type Input,
  indexById,
  RESERVED_WORDS,
  type ReservedWord,
  stepKey,
  type TextInEnvironment,
} from '@strata/domain';
import type { EvaluationInputs, InputValue } from './evaluation-inputs.ts';

/** A stored text in a form that can be compared. */
export interface ComparableSource {
  /** Two stored texts count as equal if their keys are equal. */
  readonly key: string;
  /** The reserved words that may occur in the text, so that evaluation replaces them by names. */
  readonly ownWords: Iterable<ReservedWord>;
}

/** Returns a stored text by its id. */
export type ComparableSources = (id: string) => ComparableSource;

/** Returns a text that may be compared by its content. */
export function comparedByText(text: string | null): ComparableSource {
  let ownWords: ReadonlySet<ReservedWord> | undefined;
  return {
    key: text === null ? 'null' : hash('sha256', text, 'base64url'),
    // Computed on demand, because only dynamic texts need the words.
    get ownWords() {
      ownWords ??= findReservedWords(text ?? '');
      return ownWords;
    },
  };
}

/**
 * Returns a text that must not be compared by its content. Two such texts are equal only if they are the same version
 * of the same object.
 */
export function comparedByVersion(version: string): ComparableSource {
  return { key: JSON.stringify([version]), ownWords: RESERVED_WORDS };
}

/**
 * Returns the version of a secret value, by which it is compared. A value that a plan writes has no version yet and
 * always counts as changed.
 */
export function secretVersion(
  { id, ledger_id: version }: Pick<InputValue, 'id' | 'ledger_id'>,
  writtenIds: ReadonlySet<string> = new Set(),
): string {
  return writtenIds.has(id) ? 'written' : version;
}

/** Returns the stored texts. Secrets are compared by version, and all other texts by content. */
export function storedTexts(
  { values, templates }: Pick<EvaluationInputs, 'values' | 'templates'>,
  writtenIds: ReadonlySet<string> = new Set(),
): ComparableSources {
  const valuesById = indexById(values);
  const templatesById = indexById(templates);
  const comparableSources = new Map<string, ComparableSource>();
  return (id) => {
    const value = valuesById.get(id);
    const source =
      comparableSources.get(id) ??
      (value?.sealed != null
        ? comparedByVersion(secretVersion(value, writtenIds))
        : comparedByText(value ? value.text : (templatesById.get(id)?.body ?? null)));
    comparableSources.set(id, source);
    return source;
  };
}

/**
 * Returns a function that returns digests of hidden texts: two texts have equal digests if they have the same inputs
 * (ADR 0037). The inputs are the stored texts of the text itself and of everything that it refers to, directly or
 * transitively. The names of the environment, the project and the text are inputs, too, if a stored text may contain
 * them. Nothing is decrypted or evaluated.
 *
 * If a text depends on a forbidden project, its own stored text is its only input: the caller must not learn whether
 * the others differ.
 */
export function inputDigests(
  inputs: EvaluationInputs,
  steps: ReadonlyMap<string, EvaluationStep>,
  storedSources: ComparableSources,
  forbiddenKeys: ReadonlySet<string> = new Set(),
): (text: TextInEnvironment) => string {
  const nameOf = ownNames(inputs);
  const digests = new Map<string, string>();
  const inputKey = ({ valueId, from }: Input) =>
    from === null ? valueId && storedSources(valueId).key : (digests.get(from) ?? null);
  for (const step of [...steps.values()].sort((left, right) => left.depth - right.depth)) {
    const { key, ownWords } = storedSources(step.sourceId);
    // The order of the inputs has no meaning, so they are sorted.
    const neededInputs = step.inputs
      .map((input) => JSON.stringify([input.kind, input.project, input.name, inputKey(input)]))
      .sort();
    const names = [...ownWords].sort().map((word) => nameOf[word](step));
    digests.set(
      step.key,
      hash('sha256', JSON.stringify(forbiddenKeys.has(step.key) ? [key] : [key, names, neededInputs]), 'base64url'),
    );
  }
  return (text) => digests.get(stepKey(text)) ?? '';
}

/** Returns functions that resolve each reserved word for a step. */
function ownNames({ environments, projects, parameters, values, templates }: EvaluationInputs) {
  const nameOf = new Map([...environments, ...projects, ...parameters, ...templates].map(({ id, name }) => [id, name]));
  const parameterOf = new Map(values.map(({ id, parameterId }) => [id, parameterId]));
  return {
    environment: ({ environmentId }: EvaluationStep) => nameOf.get(environmentId),
    project: ({ projectId }: EvaluationStep) => nameOf.get(projectId),
    self: ({ sourceId }: EvaluationStep) => nameOf.get(parameterOf.get(sourceId) ?? sourceId),
  } satisfies Record<ReservedWord, (step: EvaluationStep) => string | undefined>;
}
