import type { Meter, Tracer } from '@opentelemetry/api';

/** The identity of a process in what it exports. */
export interface ServiceIdentity {
  readonly name: string;
  readonly version: string;
}

/** The running telemetry of a process. */
export interface Telemetry {
  readonly meter: Meter;
  /** Null if traces are not recorded. */
  readonly tracer: Tracer | null;
  /** Sends the last metrics and spans, and stops. Never takes longer than two seconds, and never fails. */
  close(): Promise<void>;
}
