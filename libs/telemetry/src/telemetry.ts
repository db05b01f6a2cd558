import type { Meter, Tracer } from '@opentelemetry/api';
import type { TelemetryOptions } from './settings.ts';

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
  /** Sends what is left and stops. Never takes longer than two seconds, and never fails. */
  close(): Promise<void>;
}

/**
 * Starts the telemetry of this process, or returns null if it is off. Without it, no package of the SDK is loaded.
 * Throws an error for the operator if the port of the metrics is not available.
 */
export async function startTelemetry(service: ServiceIdentity, options: TelemetryOptions): Promise<Telemetry | null> {
  if (!options.metrics && !options.sendsMetrics && !options.sendsTraces) return null;
  const { startSdk } = await import('./sdk.ts');
  return startSdk(service, options);
}
