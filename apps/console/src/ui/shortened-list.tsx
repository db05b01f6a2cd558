import { type ReactNode, useState } from 'react';
import button from './button.module.css';

const STEP = 100;

/** Returns the first rows of a long list, and a button that shows more. */
export function useShortened<Row>(rows: readonly Row[]): { readonly shown: readonly Row[]; readonly more: ReactNode } {
  const [count, setCount] = useState(STEP);
  const left = rows.length - count;
  return {
    shown: rows.slice(0, count),
    more: left > 0 && (
      <button type="button" className={button.quiet} onClick={() => setCount(count + STEP)}>
        Show {Math.min(STEP, left)} more of {left.toLocaleString()}
      </button>
    ),
  };
}
