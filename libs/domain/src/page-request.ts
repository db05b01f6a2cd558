import type { FailureKind } from './failure.ts';

/**
 * The default page size. It is large because several clients read only page 1 and do not set a size; one client
 * requests 2300 (behaviour.md §1.6).
 */
export const PAGE_SIZE_DEFAULT = 500;
export const PAGE_SIZE_MAX = 2500;

export interface PageRequest {
  /** The number of the page, counted from 1. */
  readonly page: number;
  readonly pageSize: number;
}

/** The range of a list that a page shows, and whether pages precede and follow it. */
interface PageWindow {
  readonly offset: number;
  readonly limit: number;
  readonly hasNext: boolean;
  readonly hasPrevious: boolean;
}

/** The maximum page number. Larger ones exceed any list, and their offset would not be an exact number. */
const PAGE_MAX = 1_000_000_000;

const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['True', true],
  ['1', true],
  ['false', false],
  ['False', false],
  ['0', false],
]);

/**
 * Parses a flag in a query; returns null for a spelling that is not accepted (behaviour.md §1.1), which results in a
 * 400 that names the parameter. An empty text means that the parameter is absent; the caller applies its default before
 * the call.
 */
export function parseQueryBoolean(text: string): boolean | null {
  return BOOLEANS.get(text) ?? null;
}

/**
 * Parses `page` and `page_size` from a query; undefined or empty means absent (behaviour.md §1.6). An invalid size
 * falls back to the default, because a deployed client sends 0. An invalid page is a 404.
 */
export function parsePage(
  page: string | undefined,
  pageSize: string | undefined,
): PageRequest | Extract<FailureKind, 'not_found'> {
  const number = parseCount(page || '1');
  if (number === null || number > PAGE_MAX) return 'not_found';
  return { page: number, pageSize: Math.min(parseCount(pageSize || '') ?? PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX) };
}

/** Page 1 of an empty list exists. Any other page without rows does not. */
export function pageWindow(
  { page, pageSize }: PageRequest,
  count: number,
): PageWindow | Extract<FailureKind, 'not_found'> {
  const offset = (page - 1) * pageSize;
  if (offset >= count && page > 1) return 'not_found';
  return { offset, limit: pageSize, hasNext: offset + pageSize < count, hasPrevious: page > 1 };
}

/** Parses a positive decimal number; returns null for 0, signs, fractions, exponents and words. */
function parseCount(text: string): number | null {
  if (!/^[0-9]+$/.test(text)) return null;
  const number = Number(text);
  return number > 0 ? number : null;
}
