import type { FailureKind } from './failure.ts';

/**
 * Large, because several clients read page 1 alone and without asking for a size; one asks for 2300
 * (behaviour.md §1.6).
 */
export const PAGE_SIZE_DEFAULT = 500;
export const PAGE_SIZE_MAX = 2500;

export interface PageRequest {
  /** Counted from 1. */
  readonly page: number;
  readonly pageSize: number;
}

/** The part of a list that a page shows, and whether there are pages beside it. */
export interface PageWindow {
  readonly offset: number;
  readonly limit: number;
  readonly hasNext: boolean;
  readonly hasPrevious: boolean;
}

/** Larger pages lie beyond any list, and their offset would not be an exact number. */
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
 * A flag in a query; null when it is none of the accepted spellings (behaviour.md §1.1), which is a 400 naming the
 * parameter. The empty text means that the parameter was not given: the caller applies its default before asking.
 */
export function parseQueryBoolean(text: string): boolean | null {
  return BOOLEANS.get(text) ?? null;
}

/**
 * `page` and `page_size` as they stand in the query; undefined or empty when absent (behaviour.md §1.6). A size that
 * makes no sense falls back to the default, because a deployed client sends 0; a page that makes no sense is a 404.
 */
export function parsePage(
  page: string | undefined,
  pageSize: string | undefined,
): PageRequest | Extract<FailureKind, 'not_found'> {
  const number = parseCount(page || '1');
  if (number === null || number > PAGE_MAX) return 'not_found';
  return { page: number, pageSize: Math.min(parseCount(pageSize || '') ?? PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX) };
}

/** Page 1 of an empty list exists; any other page without a row on it does not. */
export function pageWindow(
  { page, pageSize }: PageRequest,
  count: number,
): PageWindow | Extract<FailureKind, 'not_found'> {
  const offset = (page - 1) * pageSize;
  if (offset >= count && page > 1) return 'not_found';
  return { offset, limit: pageSize, hasNext: offset + pageSize < count, hasPrevious: page > 1 };
}

/** A positive decimal number; null for 0, signs, fractions, exponents and words. */
function parseCount(text: string): number | null {
  if (!/^[0-9]+$/.test(text)) return null;
  const number = Number(text);
  return number > 0 ? number : null;
}
