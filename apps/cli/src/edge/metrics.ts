import http from 'node:http';
import type { Callers } from './callers.ts';
import type { FollowedScope } from './followed-scope.ts';
import type { ReadRecord } from './record.ts';
import type { EdgeServer } from './server.ts';
import type { EdgeSnapshot } from './snapshot.ts';
import type { Streams } from './streams.ts';
import type { Upstream } from './upstream.ts';

/** The parts of an edge that have metrics. */
interface EdgeParts {
  readonly upstream: Upstream;
  readonly scopes: readonly FollowedScope[];
  readonly callers: Callers;
  readonly streams: Streams;
  readonly record: ReadRecord;
  readonly snapshot: EdgeSnapshot;
  readonly server: EdgeServer;
}

interface Metric {
  readonly name: string;
  readonly type: 'gauge' | 'counter';
  readonly help: string;
  readonly values: readonly (readonly [labels: Readonly<Record<string, string>>, value: number])[];
}

function write({ name, type, help, values }: Metric): string {
  const lines = values.map(([labels, value]) => {
    const pairs = Object.entries(labels).map(([label, text]) => `${label}="${text}"`);
    return `${name}${pairs.length > 0 ? `{${pairs.join()}}` : ''} ${value}`;
  });
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines, ''].join('\n');
}

/** Returns the metrics of an edge in the text format of Prometheus. */
export function writeMetrics({ upstream, scopes, callers, streams, record, snapshot, server }: EdgeParts): string {
  const single = (value: number) => [[{}, value]] as const;
  const metrics: readonly Metric[] = [
    {
      ...{ name: 'strata_edge_upstream_connected', type: 'gauge', help: 'Whether the core answers: 1 or 0.' },
      values: single(upstream.isLost ? 0 : 1),
    },
    {
      ...{ name: 'strata_edge_configuration_age_seconds', type: 'gauge' },
      help: 'The time since the core last confirmed the oldest configuration.',
      values: single(Math.max(0, ...scopes.map(({ confirmedAt }) => (Date.now() - confirmedAt) / 1_000))),
    },
    {
      ...{
        name: 'strata_edge_callers',
        type: 'gauge',
        help: 'Credentials that the core has confirmed, by configuration.',
      },
      values: single(callers.size),
    },
    { name: 'strata_edge_streams', type: 'gauge', help: 'Open event streams.', values: single(streams.size) },
    {
      ...{ name: 'strata_edge_requests_total', type: 'counter' },
      help: 'Requests by outcome: served, stale (served without the core), passed_on, rejected, offline (503).',
      values: Object.entries(server.counts).map(([outcome, count]) => [{ outcome }, count] as const),
    },
    {
      ...{
        name: 'strata_edge_record_bytes',
        type: 'gauge',
        help: 'The size of the reads that the core does not know of yet.',
      },
      values: single(record.bytes),
    },
    {
      ...{
        name: 'strata_edge_record_limit_bytes',
        type: 'gauge',
        help: 'The size at which the edge returns no secrets.',
      },
      values: single(record.bytesMax),
    },
    {
      ...{ name: 'strata_edge_forwarded_reads_total', type: 'counter', help: 'Reads that the core has received.' },
      values: single(record.forwarded),
    },
    {
      ...{ name: 'strata_edge_unrecorded_reads_total', type: 'counter' },
      help: 'Reads that were not recorded, because the record is full or the disk failed.',
      values: single(record.unrecorded),
    },
    {
      ...{ name: 'strata_edge_snapshot_failures_total', type: 'counter', help: 'Writes of the snapshot that failed.' },
      values: single(snapshot.failures),
    },
    {
      ...{ name: 'process_resident_memory_bytes', type: 'gauge', help: 'Resident memory.' },
      values: single(process.memoryUsage.rss()),
    },
  ];
  return metrics.map(write).join('');
}

/** Serves the metrics under `/metrics`. */
export const createMetricsServer = (edge: EdgeParts): http.Server =>
  http.createServer((request, response) => {
    const isMetrics = request.method === 'GET' && request.url === '/metrics';
    response.writeHead(isMetrics ? 200 : 404, { 'content-type': 'text/plain; version=0.0.4' });
    response.end(isMetrics ? writeMetrics(edge) : '');
  });
