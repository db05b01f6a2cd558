/** The tag that marks what Strata wrote. Its value is the id of the push. */
export const OWNER_TAG = 'strata-push';

export function toAwsTags(tags: Readonly<Record<string, string>>, owner: string): { Key: string; Value: string }[] {
  return Object.entries({ ...tags, [OWNER_TAG]: owner }).map(([Key, Value]) => ({ Key, Value }));
}
