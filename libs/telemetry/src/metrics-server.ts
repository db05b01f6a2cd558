import http from 'node:http';
import { PrometheusExporter } from '@opentelemetry/exporter-prometheus';
import type { TelemetryOptions } from './settings.ts';
import { TelemetryError } from './telemetry-error.ts';

type Address = NonNullable<TelemetryOptions['metrics']>;

/** Serves the metrics as Prometheus text at `/metrics`, and nothing else, on a port of its own. */
export class MetricsServer {
  private constructor(
    readonly reader: PrometheusExporter,
    private readonly server: http.Server,
  ) {}

  /** Throws an error for the operator if the address is not available. */
  static async open(address: Address): Promise<MetricsServer> {
    // Its own server reports an unavailable port only to a log.
    const reader = new PrometheusExporter({ preventServerStart: true, withoutScopeInfo: true });
    const server = http.createServer((request, response) => {
      if (request.url?.split('?')[0] === '/metrics' && request.method === 'GET')
        return reader.getMetricsRequestHandler(request, response);
      response.writeHead(404).end();
    });
    await new Promise<void>((resolve, reject) => {
      server.once('error', (error: NodeJS.ErrnoException) => reject(new TelemetryError(problemOf(address, error))));
      server.listen({ port: address.port, host: address.host }, resolve);
    });
    return new MetricsServer(reader, server);
  }

  close(): Promise<void> {
    this.server.closeAllConnections();
    return new Promise((resolve) => this.server.close(() => resolve()));
  }
}

function problemOf({ host, port, setting }: Address, { code }: NodeJS.ErrnoException): string {
  if (code === 'EADDRINUSE') return `Another program listens on port ${port}. Set ${setting} to a free port.`;
  if (code === 'EACCES') return `Port ${port} requires root. Set ${setting} to a port above 1023.`;
  return `The metrics cannot be served on ${host} (${code}). Set STRATA_METRICS_HOST to an address of this machine.`;
}
