import type { Meter, ObservableResult } from '@opentelemetry/api';

/** The description of a metric. Metrics are created only from descriptions, which docs/reference/metrics.md lists. */
export interface Metric {
  /** The name by the semantic conventions of OpenTelemetry; ours begin with `strata.`. */
  readonly name: string;
  readonly kind: 'counter' | 'histogram' | 'gauge';
  /** A unit of UCUM: `s`, `By`, `1`, or what is counted, in braces. */
  readonly unit: string;
  readonly about: string;
  readonly labels?: readonly string[];
  /** The upper bounds of the buckets of a histogram. */
  readonly buckets?: readonly number[];
}

/** The suffixes of Prometheus by unit. Things that are counted have none. */
const SUFFIXES: Readonly<Record<string, string>> = { s: 'seconds', By: 'bytes', '1': 'ratio' };

/** Returns the unit as Prometheus writes it at the end of a name; empty for things that are counted. */
export const unitSuffix = (unit: string): string => SUFFIXES[unit] ?? '';

/** Returns the name of a metric in Prometheus. */
export function prometheusName({ name, unit, kind }: Metric): string {
  const parts = [name.replaceAll('.', '_'), unitSuffix(unit), kind === 'counter' ? 'total' : ''];
  return parts.filter(Boolean).join('_');
}

/** The buckets of the semantic conventions for durations of requests, in seconds. */
export const REQUEST_SECONDS_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];
/** The buckets of the semantic conventions for operations of databases, in seconds. */
export const DATABASE_SECONDS_BUCKETS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10];

/** Creates a counter. */
export function createCounter(meter: Meter, { name, unit, about }: Metric) {
  return meter.createCounter(name, { unit, description: about });
}

/** Creates a gauge, or a counter that something else counts, whose values are read when the metrics are read. */
export function createObservableGauge(
  meter: Meter,
  { name, kind, unit, about }: Metric,
  read: (result: ObservableResult) => void | Promise<void>,
): void {
  const options = { unit, description: about };
  const instrument =
    kind === 'counter' ? meter.createObservableCounter(name, options) : meter.createObservableGauge(name, options);
  instrument.addCallback(read);
}
