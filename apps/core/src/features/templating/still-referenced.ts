import { canOnScope, type Failure, StillReferenced } from '@strata/domain';
import type { NamedText } from './named-texts.ts';
import type { Requester } from './references.ts';

/** Returns a refusal that contains the names of the referring texts. Texts in forbidden projects are only counted. */
export function stillReferenced(
  caller: Requester,
  texts: readonly NamedText[],
  refusal: (referrers: string) => Failure,
): StillReferenced {
  const seen = texts.filter(({ projectId }) => canOnScope(caller, 'read', projectId));
  const names = [...new Set(seen.map(({ name }) => name))].sort();
  const hidden = texts.length - seen.length;
  const list = [...names, ...(hidden > 0 ? [`${hidden} in projects that you have no access to`] : [])].join(', ');
  return new StillReferenced(
    refusal(list),
    seen.map(({ name, project }) => ({ name, project })),
    hidden,
  );
}
