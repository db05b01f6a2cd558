import type { FastifyInstance, RouteOptions } from 'fastify';

const ROUTES = Symbol.for('strata.routes');
const ORDER = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'];

interface KnownPath {
  readonly pattern: RegExp;
  readonly literals: number;
  readonly methods: Set<string>;
}

type WithRoutes = { [ROUTES]?: Map<string, KnownPath> };

/** Remembers every route as it is added, for the Allow header and for telling 405 from 404. */
export function rememberRoutes(fastify: FastifyInstance): void {
  const known = new Map<string, KnownPath>();
  Object.defineProperty(fastify, ROUTES, { value: known });
  fastify.addHook('onRoute', ({ url, method }: RouteOptions) => {
    const path = url.replace(/\/$/, '');
    if (path.includes('*')) return;
    const entry = known.get(path) ?? {
      pattern: new RegExp(`^${path.replace(/[.]/g, '\\.').replace(/:[^/]+/g, '[^/]+')}/?$`),
      literals: path.replace(/:[^/]+/g, '').length,
      methods: new Set(['OPTIONS']),
    };
    for (const name of [method].flat()) entry.methods.add(name);
    known.set(path, entry);
  });
}

/** The methods of the path, in the order that the contract shows; null for a path that nobody has. */
export function allowedMethods(fastify: FastifyInstance, url: string): string[] | null {
  const path = url.replace(/[?#].*$/, '');
  let best: KnownPath | null = null;
  for (const entry of (fastify as WithRoutes)[ROUTES]?.values() ?? []) {
    if (entry.pattern.test(path) && (!best || entry.literals > best.literals)) best = entry;
  }
  return best && ORDER.filter((method) => best.methods.has(method));
}

/** Every method and path pattern that is served. */
export function servedRoutes(fastify: FastifyInstance): { method: string; url: string }[] {
  return [...((fastify as WithRoutes)[ROUTES] ?? [])].flatMap(([url, { methods }]) =>
    [...methods].map((method) => ({ method, url: `${url}/` })),
  );
}

const allowCache = new Map<string, string>();

/** The Allow header of a matched route. */
export function allowHeader(fastify: FastifyInstance, pattern: string | undefined, url: string): string | null {
  const key = pattern ?? '';
  const cached = allowCache.get(key);
  if (cached !== undefined && key) return cached;
  const allow = allowedMethods(fastify, url)?.join(', ') ?? null;
  if (key && allow) allowCache.set(key, allow);
  return allow;
}
