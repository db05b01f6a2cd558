import type { Filter } from '../postgres/snapshot-reader.ts';

/** The filters that lists of named objects share, as the contract parses them. */
export interface NameFilters {
  readonly id__in?: readonly string[] | undefined;
  readonly name?: string | undefined;
  readonly name__iexact?: string | undefined;
  readonly name__contains?: string | undefined;
  readonly name__icontains?: string | undefined;
  readonly name__startswith?: string | undefined;
  readonly name__istartswith?: string | undefined;
  readonly description__icontains?: string | undefined;
}

const NAME_FILTERS: Readonly<Record<keyof NameFilters, (value: never) => Filter>> = {
  id__in: (value: readonly string[]) => ({ sql: 'object.id = any(?::uuid[])', value }),
  name: (value: string) => ({ sql: 'object.name = ?', value }),
  name__iexact: (value: string) => ({ sql: 'lower(object.name) = lower(?)', value }),
  name__contains: (value: string) => ({ sql: 'object.name like ?', value: `%${escapeLike(value)}%` }),
  name__icontains: (value: string) => ({ sql: 'object.name ilike ?', value: `%${escapeLike(value)}%` }),
  name__startswith: (value: string) => ({ sql: 'object.name like ?', value: `${escapeLike(value)}%` }),
  name__istartswith: (value: string) => ({ sql: 'object.name ilike ?', value: `${escapeLike(value)}%` }),
  description__icontains: (value: string) => ({ sql: 'object.description ilike ?', value: `%${escapeLike(value)}%` }),
};

/**
 * Returns only the filters that were given, always in the same order, so that the same query uses the same prepared
 * statement.
 */
export function nameFilters(query: NameFilters): Filter[] {
  return (Object.keys(NAME_FILTERS) as (keyof NameFilters)[]).flatMap((key) => {
    const value = query[key];
    return value === undefined ? [] : [NAME_FILTERS[key](value as never)];
  });
}

/** Escapes a text for LIKE, so that it matches only itself. */
export function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}
