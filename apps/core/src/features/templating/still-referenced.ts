import { canOnScope, type Failure, type Sentence, StillReferenced } from '@strata/domain';
import type { NamedText } from './named-texts.ts';
import type { Requester } from './references.ts';

/** The names of the referring texts. */
export type ReferrerNames = Sentence<'names' | 'hidden'>;

/** Returns an error that contains the names of the referring texts. Texts in forbidden projects are only counted. */
export function stillReferenced(
  caller: Requester,
  texts: readonly NamedText[],
  createError: (referrers: ReferrerNames) => Failure,
): StillReferenced {
  const seen = texts.filter(({ projectId }) => canOnScope(caller, 'read', projectId));
  const names = [...new Set(seen.map(({ name }) => name))].sort();
  const hidden = texts.length - seen.length;
  const entries = [...names, ...(hidden > 0 ? [`${hidden} in projects that you have no access to`] : [])];
  return new StillReferenced(
    createError({ message: entries.join(', '), params: { names, ...(hidden > 0 && { hidden }) } }),
    seen.map(({ name, project }) => ({ name, project })),
    hidden,
  );
}
