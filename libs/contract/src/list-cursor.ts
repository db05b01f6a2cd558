import { encodeListCursor } from '@strata/domain';

/**
 * The members of a row that place it in the default order of its list, the outermost first; a dot leads into a member.
 * The last one is the id, which no other row of the list has.
 */
export type SortedBy = readonly string[];

export const BY_NAME: SortedBy = ['name', 'id'];
export const NEWEST_FIRST: SortedBy = ['created_at', 'id'];

/**
 * The cursor that goes on after a row of a list, as `after=` of the list takes it: made from what the list shows of the
 * row, so that whoever holds a page holds the cursors of all its rows. `path` is the path of the list as it was asked
 * (`projects/<id>/parameters/`): a cursor belongs to that list alone. Null where a list does not show what it is sorted
 * by; only the core makes cursors of those (`next` of a page after a cursor).
 *
 * It is the cursor of the default order. A list that was asked with `ordering` has none.
 */
export function listCursor(
  { sortedBy }: { readonly sortedBy?: SortedBy | undefined },
  path: string,
  row: object,
): string | null {
  if (sortedBy === undefined) return null;
  return encodeListCursor(path, keyOfRow(sortedBy, row));
}

/** What a row shows of the members that it is sorted by. Throws for one that is not there: it is a mistake of ours. */
export function keyOfRow(members: SortedBy, row: object): (string | null)[] {
  return members.map((member) => {
    const part = member.split('.').reduce<unknown>((inside, name) => (inside as Record<string, unknown>)?.[name], row);
    if (typeof part === 'string' || part === null) return part;
    throw new Error(`A row of this list has no ${member}.`);
  });
}
