import { useState } from 'react';
import styles from './name-filter.module.css';

/** The minimum number of rows for which the filter is shown. */
const FILTERED_FROM = 8;

export function useNameFilter() {
  const [filterText, setFilterText] = useState('');
  const filter = filterText.trim().toLowerCase();
  return {
    filterText,
    setFilterText,
    /** Returns whether one of the texts contains the filter. */
    fits: (...texts: readonly (string | null)[]) => texts.some((text) => text?.toLowerCase().includes(filter)),
  };
}

interface NameFilterProps {
  readonly filterText: string;
  onChange(filterText: string): void;
  /** The word for the rows, such as `people`. */
  readonly of: string;
  readonly total: number;
  readonly shown: number;
}

/** A field that filters a list by name. It is hidden for short lists. */
export function NameFilter({ filterText, onChange, of, total, shown }: NameFilterProps) {
  if (total < FILTERED_FROM) return null;
  return (
    <search className={styles.filter}>
      <input
        type="search"
        aria-label={`Filter ${of} by name`}
        placeholder="Filter by name"
        value={filterText}
        onChange={(event) => onChange(event.target.value)}
      />
      <p role="status" className={styles.count}>
        {shown === total ? `${total} ${of}` : `${shown} of ${total} ${of}`}
      </p>
    </search>
  );
}
