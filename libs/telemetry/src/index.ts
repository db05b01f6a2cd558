export { HTTP_METRICS, observeRequests } from './http-requests.ts';
export {
  createCounter,
  createObservableGauge,
  DATABASE_SECONDS_BUCKETS,
  type Metric,
  prometheusName,
  REQUEST_SECONDS_BUCKETS,
} from './metric.ts';
export { PROCESS_METRICS } from './process-metrics.ts';
export {
  metricsPort,
  TELEMETRY_SETTINGS,
  type TelemetryOptions,
  telemetryOptions,
  telemetryShape,
} from './settings.ts';
export { startTelemetry } from './start.ts';
export { collectStartGarbage } from './start-garbage.ts';
export type { Telemetry } from './telemetry.ts';
export { TelemetryError } from './telemetry-error.ts';
export { runWithin, traceContext } from './trace-context.ts';
