import { useEffect, useEffectEvent, useState } from 'react';
import { type ObjectStatus, objectStatusOf, type ShownObject } from './object-status.ts';

/**
 * Returns the status of the object of a page; null while it is being loaded. Calls `follow` when the object was renamed, so that the page
 * can update its URL.
 */
export function useObjectStatus<Row extends ShownObject>(
  rows: readonly Row[] | undefined,
  name: string,
  follow?: (row: Row) => void,
): ObjectStatus<Row> | null {
  const [shown, setShown] = useState<ShownObject | null>(null);
  const standing = rows === undefined ? null : objectStatusOf(rows, name, shown);
  if (standing?.kind === 'here' && (shown?.id !== standing.row.id || shown.name !== name)) {
    setShown({ id: standing.row.id, name });
  }
  const renamed = standing?.kind === 'renamed' ? standing.row : null;
  const goOn = useEffectEvent((row: Row) => follow?.(row));
  useEffect(() => {
    if (renamed) goOn(renamed);
  }, [renamed]);
  return standing;
}
