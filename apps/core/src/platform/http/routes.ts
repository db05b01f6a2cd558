import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify';

const ROUTES = Symbol.for('strata.routes');
const ORDER = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'];

interface KnownPath {
  readonly pattern: RegExp;
  readonly literals: number;
  /** The methods in the order of the contract. */
  readonly methods: readonly string[];
  /** The methods in the form of the Allow header. */
  readonly allow: string;
}

interface Routes {
  /** The path patterns without their final slash. */
  readonly paths: Map<string, KnownPath>;
  /** The paths that a request may mean, by path of the router, the most literal one first. */
  readonly meanings: Map<string, readonly KnownPath[]>;
}

type WithRoutes = { [ROUTES]?: Routes };

const NONE: Routes = { paths: new Map(), meanings: new Map() };
const routesOf = (fastify: object): Routes => (fastify as WithRoutes)[ROUTES] ?? NONE;
const withoutSlash = (path: string) => path.replace(/\/$/, '');

/** Records every route when it is added, for the Allow header and to distinguish 405 from 404. */
export function recordRoutes(fastify: FastifyInstance): void {
  const paths = new Map<string, KnownPath>();
  Object.defineProperty(fastify, ROUTES, { value: { paths, meanings: new Map() } satisfies Routes });
  fastify.addHook('onRoute', ({ url, method }: RouteOptions) => {
    const path = withoutSlash(url);
    if (path.includes('*')) return;
    const takenMethods = new Set(['OPTIONS', ...(paths.get(path)?.methods ?? []), ...[method].flat()]);
    const methods = ORDER.filter((name) => takenMethods.has(name));
    paths.set(path, {
      pattern: new RegExp(`^${path.replace(/[.]/g, '\\.').replace(/:[^/]+/g, '[^/]+')}/?$`),
      literals: path.replace(/:[^/]+/g, '').length,
      methods,
      allow: methods.join(', '),
    });
  });
}

/**
 * Returns the path that a request means, with its methods, or null if no path matches. If several match, it returns the
 * most literal one, even if that path does not support the method. The router itself compares the method first, so it
 * would take `DELETE users/current/` for the deletion of a user with the id "current".
 */
export function matchedPath({
  server,
  url,
  routeOptions,
}: FastifyRequest): Pick<KnownPath, 'methods' | 'allow'> | null {
  const possible = listMeanings(routesOf(server), routeOptions?.url);
  if (possible.length === 1 && routeOptions?.url !== undefined) return possible[0] ?? null;
  const path = url.replace(/[?#].*$/, '');
  return possible.find(({ pattern }) => pattern.test(path)) ?? null;
}

function listMeanings({ paths, meanings }: Routes, route: string | undefined): readonly KnownPath[] {
  const cachedMeanings = meanings.get(route ?? '');
  if (cachedMeanings) return cachedMeanings;
  const pattern = paths.get(withoutSlash(route ?? ''))?.pattern;
  const fittingPaths = [...paths].filter(([path]) => route === undefined || pattern?.test(path));
  const sortedMeanings = fittingPaths.map(([, entry]) => entry).sort((left, right) => right.literals - left.literals);
  meanings.set(route ?? '', sortedMeanings);
  return sortedMeanings;
}

/** Returns every method and path pattern that is served. */
export function servedRoutes(fastify: FastifyInstance): { method: string; url: string }[] {
  return [...routesOf(fastify).paths].flatMap(([url, { methods }]) =>
    methods.map((method) => ({ method, url: `${url}/` })),
  );
}
