import { defaultStringifySearch, parseSearchWith } from '@tanstack/react-router';

/**
 * Writes the search parameters of a URL. A list of plain names is separated by commas, so that a person can read and type it; other lists
 * are JSON arrays, as the router writes them.
 */
export function searchText(search: Readonly<Record<string, unknown>>): string {
  const writtenEntries = Object.entries(search).map(([key, value]) => [
    key,
    isPlainList(value) ? value.join(',') : value,
  ]);
  return defaultStringifySearch(Object.fromEntries(writtenEntries)).replaceAll('%2C', ',').replaceAll('%3A', ':');
}

const isPlainList = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.length > 0 && value.every((text) => typeof text === 'string' && isPlain(text));

/** Returns whether a name can be part of a list that is separated by commas. */
const isPlain = (name: string): boolean => name !== '' && !/[,"[\]{}]/.test(name) && name.trim() === name;

/**
 * Reads the search parameters of a URL, which a program or a person can have written. A number that is not written as JavaScript writes it,
 * such as `1.10` or one with more digits than a double has, stays text. So does `null`.
 */
export const parseSearchText = parseSearchWith((text) => {
  const value: unknown = JSON.parse(text);
  return value === null || (typeof value === 'number' && String(value) !== text) ? text : value;
});
