import { Socket } from 'node:net';
import {
  type Context,
  context,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { createCounter, type Metric, REQUEST_SECONDS_BUCKETS } from './metric.ts';
import type { Telemetry } from './telemetry.ts';

/** The metrics of a process with an HTTP server. */
export const HTTP_METRICS = {
  duration: {
    ...{ name: 'http.server.request.duration', kind: 'histogram', unit: 's', buckets: REQUEST_SECONDS_BUCKETS },
    about: 'Time from the head of a request until its response was sent or the client disconnected.',
    labels: ['http.request.method', 'http.route', 'http.response.status_code'],
  },
  errors: {
    ...{ name: 'strata.refusals', kind: 'counter', unit: '{response}' },
    about: 'Responses with an error, by the code in `X-Error-Code`.',
    labels: ['error.type'],
  },
} as const satisfies Record<string, Metric>;

/** The route of requests that match none. A path may contain names, so it is never exported. */
const UNMATCHED = 'unmatched';
const METHODS: ReadonlySet<string> = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']);

const CONTEXT = Symbol('strata.trace');
type TracedRequest = FastifyRequest & { [CONTEXT]?: Context };

/** The attributes of a response. They are created once for each route, method and status. */
class Attributes {
  private readonly byRoute = new Map<string, Map<string, Map<number, Readonly<Record<string, string | number>>>>>();

  of({ method, routeOptions: { url: route = UNMATCHED } }: FastifyRequest, status: number) {
    const ofRoute = inserted(this.byRoute, route, () => new Map());
    const ofMethod = inserted(ofRoute, METHODS.has(method) ? method : '_OTHER', () => new Map());
    return inserted(ofMethod, status, () => ({
      'http.request.method': METHODS.has(method) ? method : '_OTHER',
      'http.route': route,
      'http.response.status_code': status,
    }));
  }
}

function inserted<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const existingValue = map.get(key);
  if (existingValue !== undefined) return existingValue;
  const createdValue = make();
  map.set(key, createdValue);
  return createdValue;
}

/**
 * Measures every request of a server, and records its span. Call it before other hooks are added. Requests that run
 * inside the process, as in a batch, belong to the request that contains them.
 */
export function observeRequests(fastify: FastifyInstance, { meter, histogram, tracer }: Telemetry): void {
  const durations = histogram(HTTP_METRICS.duration);
  const errorCounter = createCounter(meter, HTTP_METRICS.errors);
  const attributes = new Attributes();
  fastify.addHook('onRequest', (request: TracedRequest, reply, done) => {
    if (!(request.raw.socket instanceof Socket)) return done();
    const startedAt = performance.now();
    const span = tracer && startSpan(tracer, request);
    // Unlike the hook for responses, it also runs if the client disconnects and for streams.
    reply.raw.once('close', () => {
      const labels = attributes.of(request, reply.raw.statusCode);
      durations.record((performance.now() - startedAt) / 1_000, labels);
      const errorCode = reply.raw.statusCode >= 400 && reply.getHeader('x-error-code');
      if (errorCode) errorCounter.add(1, { 'error.type': String(errorCode) });
      if (span) endSpan(span, labels, reply);
    });
    done();
  });
  if (!tracer) return;
  // The body is read on the connection, which has no request, so the context begins afterwards.
  fastify.addHook('preHandler', (request: TracedRequest, _, done) => {
    const traced = request[CONTEXT];
    if (traced) context.with(traced, done);
    else done();
  });
}

function startSpan(tracer: Tracer, request: TracedRequest): Span {
  const parent = propagation.extract(ROOT_CONTEXT, request.headers);
  const { method, routeOptions } = request;
  const name = [METHODS.has(method) ? method : 'HTTP', routeOptions.url].filter(Boolean).join(' ');
  const span = tracer.startSpan(name, { kind: SpanKind.SERVER }, parent);
  request[CONTEXT] = trace.setSpan(parent, span);
  return span;
}

function endSpan(span: Span, labels: Readonly<Record<string, string | number>>, { raw }: FastifyReply): void {
  span.setAttributes(labels);
  if (raw.statusCode >= 500 || !raw.writableFinished) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}
