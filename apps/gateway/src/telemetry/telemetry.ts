import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { SpanKind } from '@opentelemetry/api';
import { RELEASE } from '@strata/domain';
import {
  createCounter,
  createObservableGauge,
  observeRequests,
  startTelemetry,
  type Telemetry,
} from '@strata/telemetry';
import type { FastifyInstance } from 'fastify';
import type { GatewayEnv } from '../env.ts';
import { type GatewayObserver, setObserver } from '../observer.ts';
import { observeCoreRequests } from './core-requests.ts';
import { GATEWAY_METRICS } from './metrics.ts';

/** The numbers that the metrics of the gateway read. */
export interface GatewayCounts {
  readonly sockets: number;
  readonly subscriptions: number;
  readonly streams: number;
}

export interface GatewayTelemetry {
  /** Measures the requests of the application. Call it before other hooks are added. */
  observeApplication(app: NestFastifyApplication): void;
  addGauges(counts: () => GatewayCounts): void;
  close(): Promise<void>;
}

/** Starts the telemetry of the gateway. Returns null if it is off. Throws if the port of the metrics is taken. */
export async function startGatewayTelemetry(env: GatewayEnv): Promise<GatewayTelemetry | null> {
  const service = { name: 'strata-gateway', version: RELEASE.version };
  const telemetry = await startTelemetry(service, env.telemetry);
  if (!telemetry) return null;
  setObserver(createObserver(telemetry));
  const stopObserving = observeCoreRequests(telemetry, env.coreUrl);
  return {
    observeApplication: (app) =>
      observeRequests(app.getHttpAdapter().getInstance() as unknown as FastifyInstance, telemetry),
    addGauges: (counts) => {
      for (const name of ['sockets', 'subscriptions', 'streams'] as const)
        createObservableGauge(telemetry.meter, GATEWAY_METRICS[name], (result) => result.observe(counts()[name]));
    },
    close: async () => {
      setObserver(null);
      stopObserving();
      await telemetry.close();
    },
  };
}

function createObserver({ meter, histogram, tracer }: Telemetry): GatewayObserver {
  const durations = histogram(GATEWAY_METRICS.socketOperations);
  const storedResponses = createCounter(meter, GATEWAY_METRICS.storedResponses);
  const errors = createCounter(meter, GATEWAY_METRICS.errors);
  const rejectedSockets = createCounter(meter, GATEWAY_METRICS.rejectedSockets);
  return {
    socketOperation: (type, work) => {
      const startedAt = performance.now();
      const attributes = { 'graphql.operation.type': type };
      const recordDuration = (end?: () => void) => {
        const result = work();
        void Promise.resolve(result)
          .catch(() => undefined)
          .then(() => {
            durations.record((performance.now() - startedAt) / 1_000, attributes);
            end?.();
          });
        return result;
      };
      if (!tracer) return recordDuration();
      const options = { kind: SpanKind.SERVER, attributes };
      return tracer.startActiveSpan(`graphql ${type}`, options, (span) => recordDuration(() => span.end()));
    },
    storedResponse: () => storedResponses.add(1),
    graphqlError: (code) => errors.add(1, { 'error.type': code }),
    socketRejected: (status) => rejectedSockets.add(1, { 'http.response.status_code': status }),
  };
}
