import { isChange, OPERATIONS } from '@strata/contract';
import type { FastifyRequest } from 'fastify';
import { toRoute } from './operation-controller.ts';

const routeName = (method: string, path: string): string => `${method.toUpperCase()} ${path.replace(/\/$/, '')}`;

/** Routes of methods other than GET that change nothing. */
const UNCHANGING_ROUTES: ReadonlySet<string> = new Set(
  OPERATIONS.filter((operation) => !isChange(operation)).map(({ method, path }) => routeName(method, toRoute(path))),
);

/** Returns whether a request changes something, so that an API key needs the scope `write` for it. */
export function changesSomething({
  method,
  routeOptions: { url = '' },
}: Pick<FastifyRequest, 'method' | 'routeOptions'>): boolean {
  return method !== 'GET' && method !== 'HEAD' && !UNCHANGING_ROUTES.has(routeName(method, url));
}
