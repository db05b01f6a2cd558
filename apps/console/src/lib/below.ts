/** Returns the direct and indirect children of a row in a tree whose rows follow their parents. */
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
