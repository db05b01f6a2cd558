import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import { CredentialRejectedError } from './callers.ts';
import type { FollowedScope } from './followed-scope.ts';
import { offlineError } from './gate.ts';
import type { EdgeCall, EdgeOutcome, Reads } from './reads.ts';
import { EdgeError, notAtEdgeError, passOn, readBody, sendError, sendRejection } from './responses.ts';
import type { Streams } from './streams.ts';
import { type Upstream, UpstreamLostError } from './upstream.ts';

const CONFIGURATION = /^\/api\/v1\/projects\/([^/]+)\/effective\/(stream\/)?$/;
const FLAGS = /^\/api\/v1\/projects\/([^/]+)\/environments\/([^/]+)\/ofrep\/v1\/evaluate\/flags(?:\/([^/]+))?\/?$/;
const HEALTH = /^(?:\/api)?\/(healthz|readyz)$/;
/** Requests that the core answers for programs, and for edges behind this one. */
const OF_THE_CORE: readonly string[] = [
  'GET /api/v1/users/current/confirmation/',
  'GET /api/v1/users/current/abilities/',
  'POST /api/v1/rollouts/',
  'POST /api/v1/forwarded-reads/',
  'POST /api/v1/auth/exchange/',
];
const DEFAULT_ENVIRONMENT = 'default';
const CORE_TIMEOUT_MS = 60_000;
const PASSED_TO_CORE = ['accept', 'content-type', 'if-none-match', 'last-event-id', 'x-strata-instance'] as const;
const CREDENTIAL = /^[A-Za-z-]+ [^\s,]{1,8192}$/;

export const OUTCOMES = ['served', 'stale', 'passed_on', 'rejected', 'offline'] as const;
export type OutcomeCounts = Record<(typeof OUTCOMES)[number], number>;

interface ServerContext {
  readonly scopes: readonly FollowedScope[];
  readonly reads: Reads;
  readonly streams: Streams;
  readonly upstream: Upstream;
  readonly isReady: () => boolean;
}

/** The paths of the core's API that an edge answers. */
export class EdgeServer {
  readonly counts: OutcomeCounts = { served: 0, stale: 0, passed_on: 0, rejected: 0, offline: 0 };
  readonly http = http.createServer((request, response) => {
    // An error of one request must not end the process.
    this.#answer(request, response).catch(() => response.destroy());
  });

  constructor(private readonly context: ServerContext) {
    this.http.keepAliveTimeout = 75_000;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const repeated = this.context.reads.repeat(request, response);
      if (repeated === 'served') {
        this.counts.served += 1;
        return;
      }
      const url = parseTarget(request.url ?? '/');
      if (this.#answerHealth(url, response)) return;
      const call = { request, response, url, authorization: readAuthorization(request) };
      const outcome = await this.#route(call);
      if (outcome !== 'pass_on') this.counts[outcome] += 1;
      else await this.#passOn(call);
    } catch (error) {
      this.#fail(request, response, error);
    }
  }

  #answerHealth({ pathname }: URL, response: ServerResponse): boolean {
    const [, check] = HEALTH.exec(pathname) ?? [];
    if (check === undefined) return false;
    const isReady = check === 'healthz' || this.context.isReady();
    response.writeHead(isReady ? 200 : 503, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ status: check === 'healthz' ? 'alive' : isReady ? 'ready' : 'not ready' }));
    return true;
  }

  #route(call: EdgeCall): Promise<EdgeOutcome> | EdgeOutcome {
    const { reads, streams } = this.context;
    const { pathname, searchParams } = call.url;
    const method = call.request.method === 'HEAD' ? 'GET' : call.request.method;
    if (OF_THE_CORE.includes(`${method} ${pathname}`)) return 'pass_on';
    const [, project, stream] = (method === 'GET' && CONFIGURATION.exec(pathname)) || [];
    if (project !== undefined) {
      const environment = searchParams.get('environment') || DEFAULT_ENVIRONMENT;
      const scope = this.#find(decodeURIComponent(project), environment, 'id');
      return stream === undefined ? reads.effective(call, scope) : streams.open(call, scope);
    }
    const [, flagProject, environment = '', key] = (method === 'POST' && FLAGS.exec(pathname)) || [];
    if (flagProject !== undefined) {
      const scope = this.#find(decodeURIComponent(flagProject), decodeURIComponent(environment));
      return reads.flags(call, scope, key === undefined ? undefined : decodeURIComponent(key));
    }
    if (method === 'GET' && pathname === '/api/v1/effective/')
      return reads.batch(call, (projectName, environmentName) => this.#find(projectName, environmentName));
    if (method === 'GET' && pathname === '/api/v1/projects/' && searchParams.has('name'))
      return this.#listProjects(call);
    throw notAtEdgeError('An edge answers only reads of effective values and flags.');
  }

  /** Programs look up the id of their project by its name. */
  async #listProjects(call: EdgeCall): Promise<EdgeOutcome> {
    const name = call.url.searchParams.get('name');
    const scope = this.context.scopes.find(({ identity }) => identity?.project_name === name);
    return scope === undefined ? 'pass_on' : this.context.reads.project(call, scope);
  }

  #find(project: string, environment: string, by: 'id' | 'id_or_name' = 'id_or_name'): FollowedScope {
    const scope = this.context.scopes.find(({ identity }) => {
      if (identity === null) return false;
      const { project_id, project_name, environment_id, environment_name } = identity;
      const isProject = project.toLowerCase() === project_id || (by === 'id_or_name' && project === project_name);
      return isProject && (environment.toLowerCase() === environment_id || environment === environment_name);
    });
    if (scope !== undefined) return scope;
    if (this.context.scopes.some(({ identity }) => identity === null))
      throw offlineError('The edge has not received all of its configurations yet.');
    throw notAtEdgeError('This edge does not serve this project in this environment.', 404);
  }

  /** Lets the core answer with the credential of the caller. Nothing of its response is kept. */
  async #passOn({ request, response, url, authorization }: EdgeCall): Promise<void> {
    const headers = PASSED_TO_CORE.flatMap((name) => {
      const value = request.headers[name];
      return value === undefined ? [] : [[name, String(value)] as const];
    });
    const leaving = new AbortController();
    response.once('close', () => leaving.abort());
    const isLong = url.pathname.endsWith('/stream/') || url.searchParams.has('wait');
    const body = request.method === 'POST' ? await readBody(request) : undefined;
    const fromCore = await this.context.upstream.send(`${url.pathname}${url.search}`, {
      method: request.method as 'GET' | 'HEAD' | 'POST',
      authorization,
      headers: Object.fromEntries(headers),
      ...(body !== undefined && { body }),
      ...(!isLong && { timeoutMs: CORE_TIMEOUT_MS }),
      signal: leaving.signal,
    });
    this.counts.passed_on += 1;
    passOn(response, fromCore);
  }

  #fail(request: IncomingMessage, response: ServerResponse, error: unknown): void {
    if (response.headersSent || response.destroyed) return void response.destroy();
    if (error instanceof CredentialRejectedError) {
      this.counts.rejected += 1;
      return void sendRejection(response, error.rejection);
    }
    const edgeError = toEdgeError(error);
    this.counts[edgeError.status === 503 ? 'offline' : 'rejected'] += 1;
    sendError(request, response, edgeError);
  }
}

function toEdgeError(error: unknown): EdgeError {
  if (error instanceof EdgeError) return error;
  if (error instanceof UpstreamLostError) return offlineError('The core has to answer this request, and it does not.');
  if (error instanceof URIError) return new EdgeError(400, 'malformed_request', 'The request is malformed.');
  console.error(error);
  return new EdgeError(500, 'internal', 'The edge failed. Its log has the reason.');
}

function parseTarget(target: string): URL {
  if (URL.canParse(target, 'http://edge')) return new URL(target, 'http://edge');
  throw new EdgeError(400, 'malformed_request', 'The request is malformed.');
}

function readAuthorization({ headers, rawHeaders }: IncomingMessage): string {
  const { authorization } = headers;
  if (authorization === undefined)
    throw new EdgeError(401, 'unauthenticated', 'Authentication credentials were not provided.');
  const count = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'authorization').length;
  if (count === 1 && CREDENTIAL.test(authorization)) return authorization;
  throw new EdgeError(403, 'bad_credential', 'The Authorization header is malformed.');
}
