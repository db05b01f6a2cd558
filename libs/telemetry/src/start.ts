import type { TelemetryOptions } from './settings.ts';
import type { ServiceIdentity, Telemetry } from './telemetry.ts';

/**
 * Starts the telemetry of this process, or returns null if it is off. Without it, no package of the SDK is loaded.
 * Throws an error for the operator if the port of the metrics is not available.
 */
export async function startTelemetry(service: ServiceIdentity, options: TelemetryOptions): Promise<Telemetry | null> {
  if (!options.metrics && !options.sendsMetrics && !options.sendsTraces) return null;
  const { startSdk } = await import('./sdk.ts');
  return startSdk(service, options);
}
