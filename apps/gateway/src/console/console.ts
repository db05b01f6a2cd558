import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type ConsoleFile, type ConsoleFiles, selectEncoding } from './console-files.ts';

/** Allows scripts, styles and connections of this origin only, no inline scripts, and no framing of the page. */
export function consolePolicy(host: string): string {
  // Older browsers do not treat websockets of the same host as 'self'.
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

/** Serves the console at every address without another handler that a browser opens as a page. */
export function serveConsole(server: FastifyInstance, files: ConsoleFiles): void {
  server.get('/*', (request, reply) => {
    const { pathname } = new URL(request.url, 'http://gateway');
    // The pages of the help link each other relative to their addresses, so a folder is redirected to its page.
    const folderPage = `${pathname.replace(/\/$/, '')}/index.html`;
    if (pathname !== '/' && files.at(folderPage) !== null) return reply.redirect(folderPage);
    const file = files.at(pathname) ?? (isPage(request, pathname) ? files.page : null);
    if (file !== null) return send(request, reply, file);
    if (pathname === '/') return reply.type('text/plain; charset=utf-8').send(welcome(request));
    return reply.callNotFound();
  });
}

/** Explains the gateway to clients other than browsers. */
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

/** API clients receive a 404 for unknown addresses; only browsers receive the page, which explains it. */
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
  const { readBody, encoding, etag } = selectEncoding(file, request.headers['accept-encoding']);
  reply.header('etag', etag);
  if (request.headers['if-none-match'] === etag) return reply.status(304).send();
  if (encoding !== null) reply.header('content-encoding', encoding);
  return reply.send(readBody());
}
