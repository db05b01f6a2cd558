import type { PathScope } from '@strata/domain';
import type { FastifyRequest } from 'fastify';

const SCOPED = /^\/api\/v1\/(?:projects|environments)\/:(\w+)\/?(.*?)\/?$/;

interface ScopedRoute extends Pick<PathScope, 'part'> {
  readonly placeholder: string;
}

/** The cache has one entry per route. */
const routes = new Map<string, ScopedRoute | null>();

/**
 * Returns the project or environment of a path, so that the guard checks its scope for every feature. It uses the route
 * and its decoded placeholder, never the text of the URL, which has many spellings.
 */
export function scopeOfPath({ routeOptions: { url = '' }, params }: FastifyRequest): PathScope | null {
  return scopeOfRoute(url, params as Readonly<Record<string, string>>);
}

/** Returns the scope for a route and its placeholders. */
export function scopeOfRoute(url: string, params: Readonly<Record<string, string>>): PathScope | null {
  const cachedRoute = routes.get(url);
  const route = cachedRoute === undefined ? scopedRoute(url) : cachedRoute;
  if (route === null) return null;
  return { id: params[route.placeholder]?.toLowerCase() ?? '', part: route.part };
}

function scopedRoute(url: string): ScopedRoute | null {
  const [, placeholder, restPath] = SCOPED.exec(url) ?? [];
  const part = restPath === '' ? 'itself' : restPath === 'copy' ? 'copy' : 'contents';
  const route: ScopedRoute | null = placeholder === undefined ? null : { placeholder, part };
  routes.set(url, route);
  return route;
}
