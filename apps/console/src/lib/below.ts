/** Returns the descendants of a row. Each row must come before its children. */
export function descendantsInOrder<Row extends { readonly id: string }>(
  rows: readonly Row[],
  id: string,
  aboveOf: (row: Row) => string | null,
): readonly Row[] {
  const included = new Set([id]);
  return rows.filter((row) => {
    const parent = aboveOf(row);
    if (parent === null || !included.has(parent)) return false;
    included.add(row.id);
    return true;
  });
}
