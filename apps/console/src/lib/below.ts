/** Returns the descendants of a row. Each row must come before its children. */
export function descendantsInOrder<Row extends { readonly id: string }>(
  rows: readonly Row[],
  id: string,
  aboveOf: (row: Row) => string | null,
): readonly Row[] {
  const included = new Set([id]);
  return rows.filter((row) => {
    const above = aboveOf(row);
    if (above === null || !included.has(above)) return false;
    included.add(row.id);
    return true;
  });
}
