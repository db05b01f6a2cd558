import { Plus } from 'lucide-react';
import { memo, Suspense, useEffect, useRef, useState } from 'react';
import { lazyPart } from '../../ui/lazy-part.tsx';
import styles from './add-rows.module.css';
import type { AddRowsProps } from './add-rows-props.ts';

const NewRows = lazyPart(async () => (await import('./new-rows.tsx')).NewRows);
const AddRow = lazyPart(async () => (await import('./add-row.tsx')).AddRow);

/** The rows at the head of the grid: new parameters that are not applied yet, and the row that adds one. */
export const AddRows = memo(function AddRows(props: AddRowsProps) {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const wasOpen = useRef(false);
  useEffect(() => {
    if (wasOpen.current && !isOpen) button.current?.focus();
    wasOpen.current = isOpen;
  }, [isOpen]);
  const hasNew = [...props.handle.drafts.values()].some((draft) => draft.isNew && draft.projectId === props.project.id);
  const keepIn = (event: React.SyntheticEvent) => event.stopPropagation();
  return (
    // The keys, clicks and clipboard of these rows are not those of the grid.
    <div
      role="rowgroup"
      className={styles.rows}
      data-lead
      onKeyDown={keepIn}
      onClick={keepIn}
      onDoubleClick={keepIn}
      onPaste={keepIn}
      onCopy={keepIn}
      onPointerDown={keepIn}
    >
      {hasNew && (
        <Suspense fallback={null}>
          <NewRows {...props} />
        </Suspense>
      )}
      {isOpen ? (
        <Suspense fallback={<div className={styles.add} />}>
          <AddRow {...props} onClose={() => setOpen(false)} />
        </Suspense>
      ) : (
        <div role="row" className={styles.add}>
          <div role="gridcell" className={styles.addCell}>
            <button ref={button} type="button" className={styles.addButton} onClick={() => setOpen(true)}>
              <Plus size={14} aria-hidden /> Add parameter
            </button>
          </div>
        </div>
      )}
    </div>
  );
});
