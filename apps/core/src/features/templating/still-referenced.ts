import { canOnScope, type Failure, type Sentence, StillReferencedError } from '@strata/domain';
import type { NamedText } from './named-texts.ts';
import type { Requester } from './references.ts';

/** The names of the referring texts. */
export type ReferrerNames = Sentence<'names' | 'hidden'>;

/** Returns an error that contains the names of the referring texts. Texts in forbidden projects are only counted. */
export function createStillReferencedError(
  caller: Requester,
  texts: readonly NamedText[],
  createError: (referrers: ReferrerNames) => Failure,
): StillReferencedError {
  const visibleTexts = texts.filter(({ projectId }) => canOnScope(caller, 'read', projectId));
  const names = [...new Set(visibleTexts.map(({ name }) => name))].sort();
  const hiddenCount = texts.length - visibleTexts.length;
  const entries = [...names, ...(hiddenCount > 0 ? [`${hiddenCount} in projects that you have no access to`] : [])];
  return new StillReferencedError(
    createError({ message: entries.join(', '), params: { names, ...(hiddenCount > 0 && { hidden: hiddenCount }) } }),
    visibleTexts.map(({ name, project }) => ({ name, project })),
    hiddenCount,
  );
}
