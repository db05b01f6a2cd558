import { useLayoutEffect, useRef } from 'react';
import { withVisibleCharacters } from '../../ui/visible-characters.ts';
import styles from './grid.module.css';

interface RowCheckProps {
  /** The words after "Select". */
  readonly of: string;
  /** `some` if only some rows of a group are selected. */
  readonly selected: 'all' | 'some' | 'none';
  /** Called when the checkbox of the head is used. The grid handles the others, because the focus stays in its cells. */
  onChange?(): void;
}

/** A checkbox that selects a row, a group, or all rows. With keys, Ctrl+Space selects rows. */
export function RowCheck({ of, selected, onChange }: RowCheckProps) {
  const box = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    if (box.current) box.current.indeterminate = selected === 'some';
  }, [selected]);
  // A click on a label would reach the grid twice.
  const Area = onChange ? 'label' : 'span';
  return (
    <Area className={styles.check} data-action={onChange ? undefined : 'select'}>
      <input
        ref={box}
        type="checkbox"
        tabIndex={onChange ? 0 : -1}
        aria-label={withVisibleCharacters(`Select ${of}`)}
        checked={selected === 'all'}
        onChange={onChange}
        readOnly={!onChange}
      />
    </Area>
  );
}
