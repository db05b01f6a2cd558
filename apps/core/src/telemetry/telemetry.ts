import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { RELEASE } from '@strata/domain';
import { observeRequests, startTelemetry, type Telemetry, TelemetryError, telemetryOptions } from '@strata/telemetry';
import type { FastifyInstance } from 'fastify';
import type { Env } from '../platform/env.ts';
import { setObserver } from '../platform/observer.ts';
import { StartError } from '../platform/start-errors.ts';
import { coreObserver } from './core-observer.ts';
import { addGauges } from './gauges.ts';

/** Starts the telemetry of the core. Returns null if it is off. Throws if the port of the metrics is taken. */
export async function startCoreTelemetry(env: Env): Promise<Telemetry | null> {
  const options = telemetryOptions(env, 'STRATA_METRICS_PORT', env.STRATA_METRICS_PORT);
  const service = { name: 'strata-core', version: RELEASE.version };
  const telemetry = await startTelemetry(service, options).catch((error: unknown) => {
    throw error instanceof TelemetryError ? new StartError(error.message) : error;
  });
  if (telemetry) setObserver(coreObserver(telemetry));
  return telemetry;
}

/** Measures the requests of the application. Call it before the stages of a request are added. */
export function observeApplication(app: NestFastifyApplication, telemetry: Telemetry): void {
  observeRequests(app.getHttpAdapter().getInstance() as unknown as FastifyInstance, telemetry);
  addGauges(app, telemetry);
}

export async function stopCoreTelemetry(telemetry: Telemetry | null): Promise<void> {
  if (telemetry) setObserver(null);
  await telemetry?.close();
}
