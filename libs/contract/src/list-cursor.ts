import { encodeListCursor } from '@strata/domain';

/**
 * The members that define the default order of a list, the most significant first. A dot separates nested members. The
 * last one is the id, which is unique in the list.
 */
export type SortedBy = readonly string[];

export const BY_NAME: SortedBy = ['name', 'id'];
export const NEWEST_FIRST: SortedBy = ['created_at', 'id'];

/**
 * Returns the cursor of a row, which `after=` of the list accepts. The cursor is computed from the members of the row,
 * so a client can compute the cursor of every row of a page. `path` is the path of the list that was requested
 * (`projects/<id>/parameters/`), because a cursor is valid for one list only. Returns null for lists whose rows do not
 * contain their sort keys: only the core can create the cursors of these lists (`next` of a page). A cursor refers to
 * the default order; lists with `ordering` have no cursors.
 */
export function listCursor(
  { sortedBy }: { readonly sortedBy?: SortedBy | undefined },
  path: string,
  row: object,
): string | null {
  if (sortedBy === undefined) return null;
  return encodeListCursor(path, sortKey(sortedBy, row));
}

/** Returns the values of the members that a row is sorted by. Throws if one is missing, which is a bug. */
export function sortKey(members: SortedBy, row: object): (string | null)[] {
  return members.map((member) => {
    const part = member.split('.').reduce<unknown>((inside, name) => (inside as Record<string, unknown>)?.[name], row);
    if (typeof part === 'string' || part === null) return part;
    throw new Error(`A row of this list has no ${member}.`);
  });
}
