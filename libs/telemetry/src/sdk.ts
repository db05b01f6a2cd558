import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { context, propagation, type Tracer, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { detectResources, envDetector, type Resource, resourceFromAttributes } from '@opentelemetry/resources';
import { type IMetricReader, MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { Histograms } from './histograms.ts';
import { MetricsServer } from './metrics-server.ts';
import { observeProcess } from './process-metrics.ts';
import type { TelemetryOptions } from './settings.ts';
import type { ServiceIdentity, Telemetry } from './telemetry.ts';

/** A collector that does not respond must not delay the end of the process. */
const CLOSE_MS_MAX = 2_000;
/** An export must be over before the next one of metrics begins. */
const EXPORT_MS_MAX = 10_000;

/** Starts the SDK of OpenTelemetry. `startTelemetry` loads this module only if telemetry is on. */
export async function startSdk(service: ServiceIdentity, options: TelemetryOptions): Promise<Telemetry> {
  const resource = buildResource(service);
  const histograms = new Histograms(service.name);
  const server = options.metrics && (await MetricsServer.open(options.metrics, histograms));
  const readers: IMetricReader[] = [...(server ? [server.reader] : []), ...sendingReaders(options, histograms)];
  const meters = new MeterProvider({ resource, readers });
  const meter = meters.getMeter(service.name);
  const stopObserving = observeProcess(meter);
  const traces = options.sendsTraces ? startTraces(service, resource, options) : null;
  return {
    meter,
    histogram: (metric) => histograms.create(metric),
    tracer: traces?.tracer ?? null,
    close: async () => {
      stopObserving();
      const closePromises = [traces?.close(), meters.shutdown(), server?.close()];
      // An export that fails was reported nowhere before either.
      await Promise.race([Promise.allSettled(closePromises), sleep(CLOSE_MS_MAX, undefined, { ref: false })]);
    },
  };
}

/** The attributes of the process. Those of OTEL_RESOURCE_ATTRIBUTES and OTEL_SERVICE_NAME replace ours. */
function buildResource({ name, version }: ServiceIdentity): Resource {
  const attributes = { 'service.name': name, 'service.version': version, 'service.instance.id': randomUUID() };
  return resourceFromAttributes(attributes).merge(detectResources({ detectors: [envDetector] }));
}

function sendingReaders(
  { sendsMetrics, metricsEveryMs }: TelemetryOptions,
  histograms: Histograms,
): readonly IMetricReader[] {
  if (!sendsMetrics) return [];
  const timing = {
    exportIntervalMillis: metricsEveryMs,
    exportTimeoutMillis: Math.min(metricsEveryMs, EXPORT_MS_MAX),
  };
  return [
    new PeriodicExportingMetricReader({ exporter: new OTLPMetricExporter(), metricProducers: [histograms], ...timing }),
  ];
}

/** Makes traces available to the API of OpenTelemetry in the whole process. */
function startTraces(
  { name }: ServiceIdentity,
  resource: Resource,
  { sampler, tracesEveryMs }: TelemetryOptions,
): { readonly tracer: Tracer; close(): Promise<void> } {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  const processor = new BatchSpanProcessor({
    exporter: new OTLPTraceExporter(),
    scheduledDelayMillis: tracesEveryMs,
    exportTimeoutMillis: EXPORT_MS_MAX,
  });
  const provider = new TracerProvider({ resource, sampler: createSampler(sampler), spanProcessors: [processor] });
  return {
    tracer: provider.getTracer(name),
    close: async () => {
      await provider.shutdown();
      for (const api of [context, propagation, trace]) api.disable();
    },
  };
}

function createSampler({ name, ratio }: TelemetryOptions['sampler']): Sampler {
  const root = rootSampler(name.replace('parentbased_', ''), ratio);
  return name.startsWith('parentbased_') ? new ParentBasedSampler({ root }) : root;
}

function rootSampler(name: string, ratio: number): Sampler {
  if (name === 'always_off') return new AlwaysOffSampler();
  return name === 'traceidratio' ? new TraceIdRatioBasedSampler(ratio) : new AlwaysOnSampler();
}
