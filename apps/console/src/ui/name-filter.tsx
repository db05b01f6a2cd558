import { useState } from 'react';
import styles from './name-filter.module.css';

/** Below this a list is seen at a glance. */
const FILTERED_FROM = 8;

export function useNameFilter() {
  const [words, setWords] = useState('');
  const wanted = words.trim().toLowerCase();
  return {
    words,
    setWords,
    /** Whether one of these texts has the words in it. */
    fits: (...texts: readonly (string | null)[]) => texts.some((text) => text?.toLowerCase().includes(wanted)),
  };
}

interface NameFilterProps {
  readonly words: string;
  onChange(words: string): void;
  /** What is listed: `people`. */
  readonly of: string;
  readonly total: number;
  readonly shown: number;
}

/** Narrows a list that was read whole by names; where it is short, there is nothing to narrow. */
export function NameFilter({ words, onChange, of, total, shown }: NameFilterProps) {
  if (total < FILTERED_FROM) return null;
  return (
    <search className={styles.filter}>
      <input
        type="search"
        aria-label={`Filter ${of} by name`}
        placeholder="Filter by name"
        value={words}
        onChange={(event) => onChange(event.target.value)}
      />
      <p role="status" className={styles.count}>
        {shown === total ? `${total} ${of}` : `${shown} of ${total} ${of}`}
      </p>
    </search>
  );
}
