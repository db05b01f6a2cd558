import type { DragEvent } from 'react';

/** The type of data of a dragged column. Other dragged things, such as files, are ignored. */
const DRAGGED = 'text/x-strata-column';

/** Returns the handler that starts the drag of a column. */
export const dragColumn =
  (name: string) =>
  ({ dataTransfer }: DragEvent): void => {
    dataTransfer.setData(DRAGGED, name);
    dataTransfer.effectAllowed = 'move';
  };

/** Lets a column be dropped. */
export function acceptColumn(event: DragEvent): void {
  if (event.dataTransfer.types.includes(DRAGGED)) event.preventDefault();
}

/** Returns the name of the dropped column. */
export function draggedColumn(event: DragEvent): string {
  event.preventDefault();
  return event.dataTransfer.getData(DRAGGED);
}
