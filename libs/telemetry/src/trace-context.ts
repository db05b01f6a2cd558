import { context, propagation, ROOT_CONTEXT, trace } from '@opentelemetry/api';

/** Returns the W3C trace context of the running work as text, to store it or to pass it on; null outside of a trace. */
export function traceContext(): string | null {
  if (!trace.getSpanContext(context.active())) return null;
  const carrier: { traceparent?: string } = {};
  propagation.inject(context.active(), carrier);
  return carrier.traceparent ?? null;
}

/** Runs work as part of the trace that `traceContext` returned, possibly in another process. */
export function runWithin<Result>(traceparent: string | null, work: () => Result): Result {
  if (traceparent === null) return work();
  return context.with(propagation.extract(ROOT_CONTEXT, { traceparent }), work);
}
