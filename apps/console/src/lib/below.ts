/** Returns the descendants of a row. Each row must come before its children. */
export function descendantsInOrder<Row extends { readonly id: string }>(
  rows: readonly Row[],
  id: string,
  aboveOf: (row: Row) => string | null,
): readonly Row[] {
  const found = new Set([id]);
  return rows.filter((row) => {
    const above = aboveOf(row);
    if (above === null || !found.has(above)) return false;
    found.add(row.id);
    return true;
  });
}
