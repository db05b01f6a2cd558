import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { context, propagation, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { Telemetry } from '@strata/telemetry';
import { GATEWAY_METRICS } from './metrics.ts';

/** The request in the messages of undici (https://undici.nodejs.org, "Diagnostics Channel Support"). */
interface UndiciRequest {
  readonly origin: string | URL;
  readonly method: string;
  readonly path: string;
  addHeader(name: string, value: string): void;
}

interface UndiciMessage {
  readonly request: UndiciRequest;
  readonly response?: { readonly statusCode: number };
  readonly error?: { readonly code?: string };
}

interface Running {
  readonly began: number;
  readonly span: Span | null;
  status: number | null;
}

/** Streams last for hours, so their duration says nothing about the core. */
const STREAM = '/api/v1/events/stream/';

/**
 * Measures the requests to the core, and passes the trace of the caller on to it. undici publishes them, so the code that
 * sends them does not know it. Returns a function that stops measuring.
 */
export function observeCoreRequests({ histogram, tracer }: Telemetry, coreUrl: string): () => void {
  const durations = histogram(GATEWAY_METRICS.coreRequests);
  const { origin } = new URL(coreUrl);
  const runningRequests = new WeakMap<object, Running>();
  const end = (request: UndiciRequest, errorType: string | null) => {
    const run = runningRequests.get(request);
    if (!run || !runningRequests.delete(request)) return;
    const { began, span, status } = run;
    const attributes = {
      'http.request.method': request.method,
      ...(status !== null && { 'http.response.status_code': status }),
      ...(errorType !== null && { 'error.type': errorType }),
    };
    durations.record((performance.now() - began) / 1_000, attributes);
    span?.setAttributes(attributes);
    if (errorType !== null) span?.setStatus({ code: SpanStatusCode.ERROR });
    span?.end();
  };
  const listeners: Readonly<Record<string, (message: UndiciMessage) => void>> = {
    create: ({ request }) => {
      if (String(request.origin) !== origin || request.path.startsWith(STREAM)) return;
      const span = tracer && trace.getSpan(context.active()) ? startSpan(tracer, request) : null;
      runningRequests.set(request, { began: performance.now(), span, status: null });
    },
    headers: ({ request, response }) => {
      const run = runningRequests.get(request);
      if (run) run.status = response?.statusCode ?? null;
    },
    trailers: ({ request }) => end(request, null),
    error: ({ request, error }) => end(request, error?.code ?? 'aborted'),
  };
  const entries = Object.entries(listeners).map(
    ([name, listener]) => [`undici:request:${name}`, listener as (message: unknown) => void] as const,
  );
  for (const [name, listener] of entries) subscribe(name, listener);
  return () => {
    for (const [name, listener] of entries) unsubscribe(name, listener);
  };
}

/** The path is not part of the span, because it contains names. The span of the core has its route. */
function startSpan(tracer: NonNullable<Telemetry['tracer']>, request: UndiciRequest): Span {
  const span = tracer.startSpan(`${request.method} core`, { kind: SpanKind.CLIENT });
  const headers: Record<string, string> = {};
  propagation.inject(trace.setSpan(context.active(), span), headers);
  for (const [name, value] of Object.entries(headers)) request.addHeader(name, value);
  return span;
}
