import http from 'node:http';
import { PrometheusSerializer } from '@opentelemetry/exporter-prometheus';
import { type MetricData, MetricReader, type ResourceMetrics } from '@opentelemetry/sdk-metrics';
import type { Histograms } from './histograms.ts';
import { unitSuffix } from './metric.ts';
import type { TelemetryOptions } from './settings.ts';
import { TelemetryError } from './telemetry-error.ts';

type Address = NonNullable<TelemetryOptions['metrics']>;

/** Prometheus gives up after ten seconds by default. */
const COLLECT_MS_MAX = 5_000;

/** Reads the metrics on request. */
class RequestedReader extends MetricReader {
  protected override async onShutdown(): Promise<void> {}
  protected override async onForceFlush(): Promise<void> {}
}

/** Serves the metrics as Prometheus text at `/metrics`, and nothing else, on a port of its own. */
export class MetricsServer {
  private readonly serializer = new PrometheusSerializer('', false, undefined, false, true);
  private readonly server = http.createServer((request, response) => {
    const isKnown = request.url?.split('?')[0] === '/metrics' && request.method === 'GET';
    if (!isKnown) return void response.writeHead(404).end();
    this.text().then(
      (text) => response.setHeader('content-type', 'text/plain; version=0.0.4; charset=utf-8').end(text),
      () => response.writeHead(500).end(),
    );
  });

  private constructor(readonly reader: MetricReader) {}

  /** Throws an error for the operator if the address is not available. */
  static async open(address: Address, histograms: Histograms): Promise<MetricsServer> {
    const metricsServer = new MetricsServer(new RequestedReader({ metricProducers: [histograms] }));
    await new Promise<void>((resolve, reject) => {
      const onFailed = (error: NodeJS.ErrnoException) => reject(new TelemetryError(describeProblem(address, error)));
      metricsServer.server.once('error', onFailed).listen({ port: address.port, host: address.host }, resolve);
    });
    return metricsServer;
  }

  close(): Promise<void> {
    this.server.closeAllConnections();
    return new Promise((resolve) => this.server.close(() => resolve()));
  }

  private async text(): Promise<string> {
    const { resourceMetrics } = await this.reader.collect({ timeoutMillis: COLLECT_MS_MAX });
    return this.serializer.serialize(withUnits(resourceMetrics));
  }
}

function withUnits({ resource, scopeMetrics }: ResourceMetrics): ResourceMetrics {
  const namedMetrics = scopeMetrics.map(({ scope, metrics }) => ({ scope, metrics: metrics.map(withUnit) }));
  return { resource, scopeMetrics: namedMetrics };
}

/** Adds the unit to the name, as Prometheus expects it. The serializer does not. */
function withUnit(metric: MetricData): MetricData {
  const { name, unit } = metric.descriptor;
  const suffix = unitSuffix(unit);
  const descriptor = { ...metric.descriptor, name: suffix ? `${name}.${suffix}` : name, unit: suffix };
  return { ...metric, descriptor };
}

function describeProblem({ host, port, setting }: Address, { code }: NodeJS.ErrnoException): string {
  if (code === 'EADDRINUSE') return `Another program listens on port ${port}. Set ${setting} to a free port.`;
  if (code === 'EACCES') return `Port ${port} requires root. Set ${setting} to a port above 1023.`;
  return `The metrics cannot be served on ${host} (${code}). Set STRATA_METRICS_HOST to an address of this machine.`;
}
