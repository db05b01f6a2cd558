import { CORE_METRICS } from '../../apps/core/src/telemetry/metrics.ts';
import { GATEWAY_METRICS } from '../../apps/gateway/src/telemetry/metrics.ts';
import { HTTP_METRICS, type Metric, PROCESS_METRICS, prometheusName } from '../../libs/telemetry/src/index.ts';

/** The metrics of both processes. A test compares them with docs/reference/metrics.md. */
export const METRICS: readonly Metric[] = [HTTP_METRICS, PROCESS_METRICS, CORE_METRICS, GATEWAY_METRICS].flatMap(
  (metrics) => Object.values(metrics) as Metric[],
);

export const labelNames = (metric: Metric): readonly string[] =>
  (metric.labels ?? []).map((label) => label.replaceAll('.', '_'));

const SERIES = new Set(
  METRICS.map(prometheusName).flatMap((name) => [name, `${name}_count`, `${name}_bucket`, `${name}_sum`]),
);
const LABELS = new Set(METRICS.flatMap(labelNames));

/** Returns the names in an expression of PromQL that look like metrics or labels of a process: those that exist, and others. */
export function namesInQuery(query: string): {
  readonly metrics: readonly string[];
  readonly unknown: readonly string[];
} {
  const names = query.match(/\b(?:http|db|nodejs|v8js|process|strata|error|graphql|cpu)_\w+/g) ?? [];
  return {
    metrics: names.filter((name) => SERIES.has(name)),
    unknown: names.filter((name) => !SERIES.has(name) && !LABELS.has(name)),
  };
}
