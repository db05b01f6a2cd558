import { hash } from 'node:crypto';
import { type EvaluationStep, type Input, stepKey, type TextInEnvironment } from '@strata/domain';
import type { EvaluationInputs } from './evaluation-inputs.ts';

/** The language's own words tell of the environment and the project, except where they lead to another project. */
const OWN_WORDS = /\bstrata\b(?!\s*\.\s*projects\b)/;

/**
 * Names what a text is made of: the stored texts of itself and of everything that it needs, sealed ones as they are sealed. Two that
 * are made of the same read the same, so that texts nobody may see can be told apart without opening or running them. Of a text that
 * depends on something closed only its own stored text counts: how that differs elsewhere is not for who asks to know. Of a value
 * that is being `written` only that counts, for it is another one whatever it says.
 */
export function ingredients(
  inputs: EvaluationInputs,
  steps: ReadonlyMap<string, EvaluationStep>,
  closed: ReadonlySet<string>,
  written: ReadonlySet<string> = new Set(),
): (text: TextInEnvironment) => string {
  let known: ReadonlyMap<string, string> | null = null;
  return (text) => {
    known ??= named(inputs, steps, closed, written);
    return known.get(stepKey(text)) ?? '';
  };
}

/** All steps, those that others need first. */
function named(
  inputs: EvaluationInputs,
  steps: ReadonlyMap<string, EvaluationStep>,
  closed: ReadonlySet<string>,
  written: ReadonlySet<string>,
): ReadonlyMap<string, string> {
  const stored = new Map<string, string>();
  for (const { id, sealed, text } of inputs.values) {
    stored.set(id, written.has(id) && sealed !== null ? 'written' : JSON.stringify([sealed, text]));
  }
  for (const { id, body } of inputs.templates) stored.set(id, body);
  const names = new Map([...inputs.environments, ...inputs.projects].map(({ id, name }) => [id, name]));
  const found = new Map<string, string>();
  const textOf = ({ valueId, from }: Input) => (from === null ? valueId && stored.get(valueId) : found.get(from));
  for (const step of [...steps.values()].sort((left, right) => left.depth - right.depth)) {
    const text = stored.get(step.sourceId) ?? '';
    const isOpen = !closed.has(step.key);
    // in an order of their own: that of the rows is any
    const needed = step.inputs.map((input) => JSON.stringify([input.kind, input.name, textOf(input)])).sort();
    const place = OWN_WORDS.test(text) ? [names.get(step.environmentId), names.get(step.projectId)] : null;
    found.set(step.key, hash('sha256', JSON.stringify(isOpen ? [text, place, needed] : [text]), 'base64url'));
  }
  return found;
}
