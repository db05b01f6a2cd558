import { type RefObject, useCallback, useEffect, useRef } from 'react';
import type { GridHandle } from './grid-props.ts';

/** Elements that keep the focus when a project opens. */
const IN_USE = 'input, textarea, select, [contenteditable], dialog, [role="menu"]';

/**
 * Focuses the grid once its first rows are loaded, unless the user does something else on the page meanwhile. Returns a function that
 * focuses it again.
 */
export function useFocusOnOpen(grid: RefObject<GridHandle | null>, isPending: boolean): () => void {
  const isDone = useRef(false);
  useEffect(() => {
    const onInput = () => {
      isDone.current = true;
    };
    addEventListener('keydown', onInput, { capture: true });
    addEventListener('pointerdown', onInput, { capture: true });
    return () => {
      removeEventListener('keydown', onInput, { capture: true });
      removeEventListener('pointerdown', onInput, { capture: true });
    };
  }, []);
  useEffect(() => {
    if (isPending || isDone.current) return;
    isDone.current = true;
    if (!document.activeElement?.closest(IN_USE)) grid.current?.focus();
  }, [grid, isPending]);
  return useCallback(() => grid.current?.focus(), [grid]);
}
