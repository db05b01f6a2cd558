/** Returns the descendants of a row. Each row must come before its children. */
export function descendantsInOrder<Row extends { readonly id: string }>(
  rows: readonly Row[],
  id: string,
  aboveOf: (row: Row) => string | null,
): readonly Row[] {
  const includedIds = new Set([id]);
  return rows.filter((row) => {
    const parent = aboveOf(row);
    if (parent === null || !includedIds.has(parent)) return false;
    includedIds.add(row.id);
    return true;
  });
}
