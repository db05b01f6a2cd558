import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A span in the JSON of OTLP. */
export interface ReceivedSpan {
  readonly service: string;
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
}

interface TraceExport {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly { key: string; value: { stringValue?: string } }[] };
    readonly scopeSpans: readonly { readonly spans: readonly Omit<ReceivedSpan, 'service'>[] }[];
  }[];
}

/** An OpenTelemetry collector that keeps everything it receives. */
export interface OtlpReceiver {
  /** The value for OTEL_EXPORTER_OTLP_ENDPOINT. */
  readonly url: string;
  /** Returns all bodies for a signal. */
  bodies(signal: 'traces' | 'metrics'): readonly string[];
  spans(): readonly ReceivedSpan[];
  close(): Promise<void>;
}

/** Starts the collector on a free port of the loopback interface. If `answers` is false, it never responds. */
export async function startOtlpReceiver({ answers = true } = {}): Promise<OtlpReceiver> {
  const receivedBodies = { traces: [] as string[], metrics: [] as string[] };
  const server = http.createServer(async (request, response) => {
    const body = await text(request);
    if (request.url === '/v1/traces') receivedBodies.traces.push(body);
    if (request.url === '/v1/metrics') receivedBodies.metrics.push(body);
    if (answers) response.setHeader('content-type', 'application/json').end('{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bodies: (signal) => receivedBodies[signal],
    spans: () => receivedBodies.traces.flatMap((body) => listSpans(JSON.parse(body) as TraceExport)),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function listSpans({ resourceSpans }: TraceExport): readonly ReceivedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const name = resource.attributes.find(({ key }) => key === 'service.name');
    const service = name?.value.stringValue ?? '';
    return scopeSpans.flatMap(({ spans }) => spans.map((span) => ({ service, ...span })));
  });
}
