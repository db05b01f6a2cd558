const API = '/api/v1';

/** A path below the API; every id is escaped, since some are opaque (`auth0|…`). */
export function apiPath(parts: TemplateStringsArray, ...ids: readonly string[]): string {
  return API + parts.reduce((path, part, index) => path + encodeURIComponent(ids[index - 1] ?? '') + part);
}

/** A query as a caller writes it: everything optional. */
export type QueryOf<Q> = { readonly [K in keyof Q]?: K extends 'ordering' | 'after' ? string : Q[K] };

/** A body as a caller writes it: what the schema fills in may be left out. */
export type Wish<T, Required extends keyof T> = Pick<T, Required> & Partial<Omit<T, Required>>;
