import { useEffect, useEffectEvent, useState } from 'react';
import { findObjectStatus, type ObjectStatus, type ShownObject } from './object-status.ts';

/**
 * Returns the status of the object of a page; null while it is being loaded. Calls `follow` when the object was renamed, so that the page
 * can update its URL.
 */
export function useObjectStatus<Row extends ShownObject>(
  rows: readonly Row[] | undefined,
  name: string,
  follow?: (row: Row) => void,
): ObjectStatus<Row> | null {
  const [shownObject, setShown] = useState<ShownObject | null>(null);
  const status = rows === undefined ? null : findObjectStatus(rows, name, shownObject);
  if (status?.kind === 'here' && (shownObject?.id !== status.row.id || shownObject.name !== name)) {
    setShown({ id: status.row.id, name });
  }
  const renamedRow = status?.kind === 'renamed' ? status.row : null;
  const goOn = useEffectEvent((row: Row) => follow?.(row));
  useEffect(() => {
    if (renamedRow) goOn(renamedRow);
  }, [renamedRow]);
  return status;
}
