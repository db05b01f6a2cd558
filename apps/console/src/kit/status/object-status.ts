interface Named {
  readonly id: string;
  readonly name: string;
}

/** What a page has shown under the name in its address. */
export interface ShownObject {
  readonly id: string;
  readonly name: string;
}

/** What has become of the object that a page is about, whose address has its name. */
export type ObjectStatus<Row> =
  | { readonly kind: 'here'; readonly row: Row }
  /** Somebody has called it otherwise meanwhile. */
  | { readonly kind: 'renamed'; readonly row: Row }
  /** It was shown, and is gone. */
  | { readonly kind: 'gone' }
  /** Nothing is called so. */
  | { readonly kind: 'unknown' };

/** An object that was shown is followed by its id: another one may have its name by now. */
export function objectStatusOf<Row extends Named>(
  rows: readonly Row[],
  name: string,
  shown: ShownObject | null,
): ObjectStatus<Row> {
  const isShown = shown?.name === name;
  const followed = isShown ? rows.find(({ id }) => id === shown.id) : undefined;
  if (followed) return { kind: followed.name === name ? 'here' : 'renamed', row: followed };
  const named = rows.find((row) => row.name === name);
  if (named) return { kind: 'here', row: named };
  return { kind: isShown ? 'gone' : 'unknown' };
}
