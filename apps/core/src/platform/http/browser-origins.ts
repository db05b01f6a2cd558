import type { FastifyReply, FastifyRequest } from 'fastify';

/** The routes that pages of other origins may call. `:x` stands for one segment of the path. */
const ROUTES = [
  // A page that knows only the name of its project looks it up.
  ['GET', '/api/v1/projects'],
  ['GET', '/api/v1/projects/:id/effective'],
  ['GET', '/api/v1/projects/:id/effective/stream'],
  ['POST', '/api/v1/rollouts'],
  ['POST', '/api/v1/projects/:project/environments/:environment/ofrep/v1/evaluate/flags'],
  ['POST', '/api/v1/projects/:project/environments/:environment/ofrep/v1/evaluate/flags/:key'],
] as const;
const PATTERNS = ROUTES.map(([method, path]) => ({
  method,
  path: new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}/?$`),
}));

/** The headers that a page may send and read, besides those that browsers always allow. */
const SENT = 'Authorization, Content-Type, If-None-Match, X-Strata-Instance, Last-Event-ID';
const READ = 'ETag, X-Revision, X-Error-Code, X-Request-Id, Retry-After, RateLimit';
/** The time for which a browser remembers that it may send such a request. */
const REMEMBER_SECONDS = 600;

type Stage = (request: FastifyRequest, reply: FastifyReply) => void;

/**
 * Returns a stage that lets pages of these origins call the routes above (CORS). Cookies are never allowed: a page needs
 * a credential of its own. `Vary: Origin` is among the headers of every response.
 */
export function allowBrowserOrigins(origins: readonly string[]): Stage {
  const allowedOrigins = new Set(origins);
  return ({ method, headers, url }, reply) => {
    const { origin } = headers;
    if (origin === undefined || !allowedOrigins.has(origin)) return;
    const requestedMethod = method === 'OPTIONS' ? headers['access-control-request-method'] : method;
    const path = url.replace(/[?#].*$/, '');
    const route = PATTERNS.find((candidate) => candidate.method === requestedMethod && candidate.path.test(path));
    if (!route) return;
    reply.header('access-control-allow-origin', origin);
    if (method !== 'OPTIONS') return void reply.header('access-control-expose-headers', READ);
    reply
      .header('access-control-allow-methods', route.method)
      .header('access-control-allow-headers', SENT)
      .header('access-control-max-age', String(REMEMBER_SECONDS));
  };
}
