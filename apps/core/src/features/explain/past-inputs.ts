import {
  type EvaluationStep,
  indexById,
  type Revision,
  type ScopeId,
  stepKey,
  type TextInEnvironment,
} from '@strata/domain';
import type { ValueVersion } from '../snapshot/configuration-history.ts';
import type { Version } from '../snapshot/versions.ts';
import type { EvaluationInputs, InputTemplate, InputValue } from '../templating/evaluation-inputs.ts';
import {
  type ComparableSource,
  type ComparableSources,
  comparedByText,
  comparedByVersion,
} from '../templating/input-digests.ts';

export type TemplateVersion = InputTemplate & Version;

/** The inputs of evaluations at one revision. */
export interface PastInputs extends EvaluationInputs {
  readonly values: readonly (InputValue & ValueVersion)[];
  readonly templates: readonly TemplateVersion[];
}

/** Returns whether a text is secret, or depends on a secret or on a value in a hidden scope. */
export function isHidden(
  { values }: PastInputs,
  steps: ReadonlyMap<string, EvaluationStep>,
  scopes: ReadonlySet<ScopeId>,
  text: TextInEnvironment,
): boolean {
  if (steps.get(stepKey(text))?.secret) return true;
  const hiddenIds = new Set(values.flatMap((value) => (value.isHidden ? [value.id] : [])));
  // `steps` contains only the inputs of this text.
  return [...steps.values()].some(
    ({ sourceId, projectId, inputs }) =>
      hiddenIds.has(sourceId) ||
      scopes.has(projectId) ||
      inputs.some((input) => scopes.has(input.projectId) || (input.valueId !== null && hiddenIds.has(input.valueId))),
  );
}

/**
 * Returns a function that makes the texts of one revision comparable. The result is the same for every caller, so texts
 * in controlled scopes are compared by version, as secrets are. `sources` caches the texts that were compared at other
 * revisions.
 */
export function createPastTexts(
  { values, templates }: PastInputs,
  scopes: ReadonlySet<ScopeId>,
  comparableSources: Map<string, ComparableSource>,
): ComparableSources {
  const valuesById = indexById(values);
  const templatesById = indexById(templates);
  return (id) => {
    const [value, template] = [valuesById.get(id), templatesById.get(id)];
    const row = value ?? template;
    if (!row) return comparedByText(null);
    const version = versionKey(row);
    const isHiddenText = value
      ? value.isHidden && !value.isNull
      : template !== undefined && scopes.has(template.projectId);
    const text = value ? value.text : (template?.body ?? null);
    const source = comparableSources.get(version) ?? (isHiddenText ? comparedByVersion(version) : comparedByText(text));
    comparableSources.set(version, source);
    return source;
  };
}

export function versionKey({ id, revision }: { readonly id: string; readonly revision: Revision }): string {
  return `${id} ${revision}`;
}
