import { context, SpanKind, SpanStatusCode, type Tracer, trace } from '@opentelemetry/api';
import { createCounter, createObservableGauge, runWithin, type Telemetry, traceContext } from '@strata/telemetry';
import type { CoreObserver, ObservedWrite } from '../platform/observer.ts';
import { CORE_METRICS } from './metrics.ts';
import { statementObserver } from './statement-observer.ts';

/** Creates the observer that turns the reported work of the core into metrics and spans. */
export function coreObserver(telemetry: Telemetry): CoreObserver {
  const { meter, histogram, tracer } = telemetry;
  const waits = histogram(CORE_METRICS.connectionWait);
  // a number costs less than a record, and these responses are the fastest
  let storedResponses = 0;
  createObservableGauge(meter, CORE_METRICS.storedResponses, (result) => result.observe(storedResponses));
  const reads = createCounter(meter, CORE_METRICS.reads);
  const lags = histogram(CORE_METRICS.feedLag);
  const signIns = createCounter(meter, CORE_METRICS.signIns);
  const rejectedSecrets = createCounter(meter, CORE_METRICS.rejectedSecrets);
  const expirations = createCounter(meter, CORE_METRICS.expirations);
  const checkpoints = createCounter(meter, CORE_METRICS.checkpoints);
  const cosignatures = createCounter(meter, CORE_METRICS.cosignatures);
  // Prometheus sees no increase in a series that begins with 1, so an alert would miss the first event.
  rejectedSecrets.add(0);
  for (const result of ['published', 'damaged']) checkpoints.add(0, { 'strata.result': result });
  for (const result of ['ahead', 'rejected']) cosignatures.add(0, { 'strata.result': result });
  return {
    traceContext: tracer ? traceContext : () => null,
    statement: statementObserver(telemetry),
    connectionWait: () => {
      const startedAt = performance.now();
      return () => waits.record((performance.now() - startedAt) / 1_000);
    },
    read: (reason) =>
      reads.add(1, { 'strata.origin': reason === null ? 'standby' : 'primary', 'strata.reason': reason ?? 'current' }),
    storedResponse: () => {
      storedResponses += 1;
    },
    feedLag: (seconds) => lags.record(Math.max(0, seconds)),
    rejectedSecret: () => rejectedSecrets.add(1),
    signIn: (result) => signIns.add(1, { 'strata.result': result }),
    checkpoint: (result) => checkpoints.add(1, { 'strata.result': result }),
    cosignature: (result) => cosignatures.add(1, { 'strata.result': result }),
    expiration: (state) => expirations.add(1, { 'strata.result': state }),
    ...observeWrites(telemetry),
    ...observeWebhooks(telemetry),
  };
}

function observeWrites({ histogram, tracer }: Telemetry): Pick<CoreObserver, 'writeBatch'> {
  const sizes = histogram(CORE_METRICS.batchSize);
  const waits = histogram(CORE_METRICS.writeWait);
  const measure = async (work: () => Promise<readonly ObservedWrite[]>) => {
    const writes = await work();
    sizes.record(writes.length);
    for (const { since, takenAt } of writes) waits.record((takenAt - since) / 1_000);
    return writes;
  };
  return {
    writeBatch: async (first, work) => {
      if (!tracer || first === null) return void (await measure(work));
      await runWithin(first, () =>
        inSpan(tracer, 'strata.write', SpanKind.INTERNAL, async (span) => {
          const writes = await measure(work);
          span.setAttribute('strata.write.batch.size', writes.length);
          for (const { trace: otherTrace } of writes)
            if (otherTrace !== null && otherTrace !== first) link(span, otherTrace);
        }),
      );
    },
  };
}

function observeWebhooks({ meter, tracer }: Telemetry): Pick<CoreObserver, 'delivery' | 'message'> {
  const attempts = createCounter(meter, CORE_METRICS.webhookAttempts);
  return {
    delivery: (parent, work) =>
      tracer && parent !== null
        ? runWithin(parent, () => inSpan(tracer, 'strata.webhook.delivery', SpanKind.CONSUMER, work))
        : work(),
    message: async (work, outcomeOf) => {
      // The request has no `traceparent`: the chat service is not part of the installation.
      const isTraced = tracer && trace.getSpan(context.active());
      const result = isTraced ? await inSpan(tracer, 'POST chat.postMessage', SpanKind.CLIENT, work) : await work();
      const { outcome, failure } = outcomeOf(result);
      attempts.add(1, { 'strata.outcome': outcome, ...(failure !== null && { 'error.type': failure }) });
      return result;
    },
  };
}

type Span = ReturnType<Tracer['startSpan']>;

function inSpan<Result>(
  tracer: Tracer,
  name: string,
  kind: SpanKind,
  work: (span: Span) => Promise<Result>,
): Promise<Result> {
  return tracer.startActiveSpan(name, { kind }, async (span) => {
    try {
      return await work(span);
    } catch (error) {
      // Without the message, which may quote values.
      span.setStatus({ code: SpanStatusCode.ERROR });
      throw error;
    } finally {
      span.end();
    }
  });
}

/** Links the span to another trace whose write shares its transaction. */
function link(span: Span, traceparent: string): void {
  const linkedSpan = runWithin(traceparent, () => trace.getSpanContext(context.active()));
  if (linkedSpan) span.addLink({ context: linkedSpan });
}
