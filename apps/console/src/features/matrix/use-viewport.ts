import { type RefObject, useCallback, useEffect, useLayoutEffect, useState } from 'react';
import type { GridProps } from './grid-props.ts';
import { visibleRange, visibleSpan } from './matrix-rows.ts';

/** The number of lines and columns that are rendered beyond the visible ones, so that scrolling shows no gaps. */
const SPARE_LINES = 12;
const SPARE_COLUMNS = 2;

interface SeenPart {
  readonly top: number;
  readonly left: number;
  readonly height: number;
  readonly width: number;
  /** The size of a rem in pixels, which depends on the font size of the user. */
  readonly rem: number;
  /** The height of the rows between the head and the lines. */
  readonly lead: number;
}

const NOT_MEASURED: SeenPart = { top: 0, left: 0, height: 800, width: 1_000, rem: 16, lead: 0 };

/** The sizes of the grid in pixels. */
export interface GridSizes {
  readonly line: number;
  readonly head: number;
  /** The space below the last line that a floating bar covers. */
  readonly foot: number;
  readonly name: number;
  /** Where each column begins after the column of names, and where the last one ends. */
  readonly lefts: readonly number[];
  /** The width of the narrowest column. */
  readonly narrowest: number;
}

/** A column with a width of its own has `width`. */
interface SizedColumn {
  readonly width: number | undefined;
  readonly isPinned: boolean;
}

/** Returns the visible lines and columns of a grid, which are the only ones in the document. */
export function useViewport(
  scroller: RefObject<HTMLElement | null>,
  lines: number,
  columns: readonly SizedColumn[],
  { hasFoot, lead }: Pick<GridProps, 'hasFoot' | 'lead'>,
) {
  const hasLead = lead !== false;
  const [seen, setSeen] = useState(NOT_MEASURED);
  const measure = useCallback(() => {
    const element = scroller.current;
    if (!element) return;
    const { scrollTop: top, scrollLeft: left, clientHeight: height, clientWidth: width } = element;
    const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
    const lead = element.querySelector<HTMLElement>('[data-lead]')?.offsetHeight ?? 0;
    const next: SeenPart = { top, left, height, width, rem, lead };
    setSeen((old) => (JSON.stringify(old) === JSON.stringify(next) ? old : next));
  }, [scroller]);

  useLayoutEffect(measure, [measure]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the rows below the head appear later
  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    const lead = element.querySelector('[data-lead]');
    if (lead) observer.observe(lead);
    element.addEventListener('scroll', measure, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', measure);
    };
  }, [scroller, measure, hasLead]);

  const sizes = computeSizes(seen, columns, hasFoot);
  const { lefts } = sizes;
  const pinned = columns.filter(({ isPinned }) => isPinned).length;
  const pinnedWidth = lefts[pinned] ?? 0;
  return {
    sizes,
    lines: visibleRange(seen.top - seen.lead, seen.height - sizes.head, sizes.line, lines, SPARE_LINES),
    columns: {
      ...visibleSpan(lefts, seen.left + pinnedWidth, seen.left + seen.width - sizes.name, SPARE_COLUMNS),
      pinned,
    },
    /** The number of rows that Page Up and Page Down move. */
    page: Math.max(1, Math.floor((seen.height - sizes.head) / sizes.line) - 1),
    /** Scrolls as little as possible to make a cell visible next to the fixed columns. */
    show(line: number, column: number) {
      const element = scroller.current;
      if (!element) return;
      const available = {
        block: element.clientHeight - sizes.head - sizes.foot,
        inline: element.clientWidth - sizes.name - pinnedWidth,
      };
      element.scrollTop = nearest(element.scrollTop, available.block, seen.lead + line * sizes.line, sizes.line);
      if (column < pinned) return;
      const [start = 0, end = 0] = lefts.slice(column, column + 2);
      element.scrollLeft = nearest(element.scrollLeft, available.inline, start - pinnedWidth, end - start);
    },
  };
}

export type GridViewport = ReturnType<typeof useViewport>;

/**
 * Returns the sizes of the grid. The column of names gets a quarter of the width, or half on a phone. The other columns share the rest, but
 * have a minimum width. A column with a width of its own does not change the others, so that a dragged border stays below the pointer.
 */
function computeSizes({ width, rem }: SeenPart, columns: readonly SizedColumn[], hasFoot: boolean): GridSizes {
  const isNarrow = width < 28 * rem;
  const name = isNarrow ? Math.round(width * 0.46) : clamp(Math.round(width * 0.24), 11 * rem, 19 * rem);
  const shared = Math.max(isNarrow ? 8 * rem : 9.5 * rem, Math.floor((width - name) / Math.max(1, columns.length)));
  const widths = columns.map((column) => column.width ?? shared);
  const lefts = [0];
  for (const size of widths) lefts.push((lefts.at(-1) ?? 0) + size);
  return {
    line: 2 * rem,
    head: 3.25 * rem,
    foot: hasFoot ? 3.5 * rem : 0,
    name,
    lefts,
    narrowest: Math.min(...widths),
  };
}

function nearest(from: number, available: number, start: number, size: number): number {
  if (start < from) return start;
  return start + size > from + available ? start + size - available : from;
}

const clamp = (size: number, low: number, high: number) => Math.max(low, Math.min(high, size));
