interface Named {
  readonly id: string;
  readonly name: string;
}

/** The object that a page showed last. */
export interface ShownObject {
  readonly id: string;
  readonly name: string;
}

/** The status of the object that the URL of a page names. */
export type ObjectStatus<Row> =
  | { readonly kind: 'here'; readonly row: Row }
  /** The object was renamed. */
  | { readonly kind: 'renamed'; readonly row: Row }
  /** The object was deleted while the page showed it. */
  | { readonly kind: 'gone' }
  /** No object has the name. */
  | { readonly kind: 'unknown' };

/** Returns the status of the object. A shown object is found by its id, because another object may have taken its name. */
export function findObjectStatus<Row extends Named>(
  rows: readonly Row[],
  name: string,
  shownObject: ShownObject | null,
): ObjectStatus<Row> {
  const isShown = shownObject?.name === name;
  const sameObject = isShown ? rows.find(({ id }) => id === shownObject.id) : undefined;
  if (sameObject) return { kind: sameObject.name === name ? 'here' : 'renamed', row: sameObject };
  const sameNamedRow = rows.find((row) => row.name === name);
  if (sameNamedRow) return { kind: 'here', row: sameNamedRow };
  return { kind: isShown ? 'gone' : 'unknown' };
}
