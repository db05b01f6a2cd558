import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type ConsoleFile, type ConsoleFiles, formOf } from './console-files.ts';

/** Only files of this origin run, look and speak; no text ever becomes a program, and nobody frames the page. */
export function consolePolicy(host: string): string {
  // Older browsers do not count websockets of the same host as 'self'.
  const sockets = /^[\w.:[\]-]+$/.test(host) ? ` ws://${host} wss://${host}` : '';
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "font-src 'self'",
    "img-src 'self'",
    `connect-src 'self'${sockets}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
}

const A_YEAR = 'public, max-age=31536000, immutable';

/** Serves the console at every address that nothing else answers at and that a browser opens as a page. */
export function serveConsole(server: FastifyInstance, files: ConsoleFiles): void {
  server.get('/*', (request, reply) => {
    const { pathname } = new URL(request.url, 'http://gateway');
    const file = files.at(pathname) ?? (isPage(request, pathname) ? files.page : null);
    if (file !== null) return send(request, reply, file);
    if (pathname === '/') return reply.type('text/plain; charset=utf-8').send(welcome(request));
    return reply.callNotFound();
  });
}

/** For who asks without a browser what is here. */
function welcome({ protocol, host }: FastifyRequest): string {
  const origin = `${protocol}://${host}`;
  return [
    'This is Strata, a configuration service.',
    '',
    `Console   ${origin}/ in a browser`,
    `GraphQL   ${origin}/graphql`,
    'REST API  /api/v1/ at the address of the core',
    '',
  ].join('\n');
}

/** Programs that ask for what is not there are told so; only people get the page that says it in words. */
function isPage({ headers }: FastifyRequest, pathname: string): boolean {
  return (headers.accept ?? '').includes('text/html') && !pathname.startsWith('/assets/');
}

function send(request: FastifyRequest, reply: FastifyReply, file: ConsoleFile): FastifyReply {
  reply.headers({
    'content-type': file.type,
    'cache-control': file.isHashed ? A_YEAR : 'no-cache',
    vary: 'accept-encoding',
  });
  if (file.type.startsWith('text/html')) {
    reply.headers({
      'content-security-policy': consolePolicy(request.host),
      'cross-origin-opener-policy': 'same-origin',
      'permissions-policy': 'camera=(), microphone=(), geolocation=()',
    });
  }
  const { body, encoding, etag } = formOf(file, request.headers['accept-encoding']);
  reply.header('etag', etag);
  if (request.headers['if-none-match'] === etag) return reply.status(304).send();
  if (encoding !== null) reply.header('content-encoding', encoding);
  return reply.send(body);
}
