import type { Attributes, Meter, Tracer } from '@opentelemetry/api';
import type { Metric } from './metric.ts';

/** The identity of a process in what it exports. */
export interface ServiceIdentity {
  readonly name: string;
  readonly version: string;
}

/** Counts values by ranges. Pass the same object for the same labels where it matters how long a record takes. */
export interface Histogram {
  record(value: number, labels?: Attributes): void;
}

/** The running telemetry of a process. */
export interface Telemetry {
  readonly meter: Meter;
  readonly histogram: (metric: Metric) => Histogram;
  /** Null if traces are not recorded. */
  readonly tracer: Tracer | null;
  /** Sends the last metrics and spans, and stops. Never takes longer than two seconds, and never fails. */
  close(): Promise<void>;
}
