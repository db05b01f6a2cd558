// npm run bench -- --telemetry: measures what metrics and traces cost, by cores that differ only in that and take turns on
// one database. Two cores have no telemetry: the ratio of one to the other is the noise of the run.
import http from 'node:http';
import { findFreePort } from '../../libs/processes/src/index.ts';
import { load } from './configuration.mjs';
import { Connection, drive } from './http-load.mjs';
import { percentile } from './measure.mjs';
import { readProcessorTime } from './processes.mjs';
import { api, patches, paths } from './subjects.mjs';

/** The largest ratio of processor time with metrics to that without. */
const RATIO_MAX = 1.03;

const PLAN = { projects: 2, loadMs: 10_000 };
const ROUNDS = 120;
const SLICE_MS = 300;
const WARM_MS = 3_000;
/** More often than any Prometheus. */
const SCRAPE_MS = 5_000;

const TITLES = {
  off: 'without telemetry',
  offAgain: 'without telemetry, again',
  metrics: 'with metrics',
  traces: 'with metrics and traces over OTLP, all recorded',
};

export async function measureTelemetry(stage, say) {
  const collector = http.createServer((request, response) => {
    request.resume().once('end', () => response.setHeader('content-type', 'application/json').end('{}'));
  });
  await new Promise((resolve) => collector.listen(0, '127.0.0.1', resolve));
  const port = String(await findFreePort());
  const settings = {
    off: {},
    offAgain: {},
    metrics: { STRATA_METRICS_PORT: port },
    traces: { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${collector.address().port}` },
  };
  // The core that loads the projects has another heap than the others afterwards, so it is not measured.
  const loader = await stage.startCoreWith({});
  const data = await load(loader.url, stage.apiKey, PLAN, () => undefined);
  await stage.stop(loader.child);
  const cores = {};
  for (const name of Object.keys(TITLES)) cores[name] = await stage.startCoreWith(settings[name]);
  const scrapes = setInterval(async () => (await fetch(`http://127.0.0.1:${port}/metrics`)).text(), SCRAPE_MS);
  const subjects = (requestsOf) =>
    Object.entries(cores).map(([name, { child, url }]) => {
      const core = api(url, stage.apiKey);
      return { name, pid: child.pid, port: core.port, next: requestsOf(core) };
    });
  try {
    say('Reading …');
    const { compact } = paths(data);
    const reads = await compare(
      subjects((core) => () => core.bytes('GET', compact)),
      10,
    );
    say('Writing …');
    const writes = await compare(
      subjects((core) => patches(core, data)),
      1,
    );
    return { reads, writes };
  } finally {
    clearInterval(scrapes);
    collector.closeAllConnections();
    collector.close();
  }
}

/**
 * Returns the processor time of each core per request, and the median and the quartiles of its ratio to that of the two
 * cores without telemetry, round by round.
 */
async function compare(subjects, readers) {
  const costs = Object.fromEntries(subjects.map(({ name }) => [name, []]));
  for (const subject of subjects) {
    const connections = Array.from({ length: readers }, () => Connection.open(subject.port));
    subject.connections = await Promise.all(connections);
    await drive(subject.connections, { next: subject.next, status: 200, ms: WARM_MS });
  }
  for (let round = 0; round < ROUNDS; round += 1) {
    // Each core is first, second, third and last equally often.
    for (const at of subjects.keys()) {
      const { name, pid, connections, next } = subjects[(at + round) % subjects.length];
      const before = readProcessorTime(pid);
      const { latencies } = await drive(connections, { next, status: 200, ms: SLICE_MS });
      costs[name].push((readProcessorTime(pid) - before) / latencies.length);
    }
  }
  for (const { connections } of subjects) for (const connection of connections) connection.close();
  const base = (round) => (costs.off[round] + costs.offAgain[round]) / 2;
  const ratios = (name) => costs[name].map((cost, round) => cost / base(round));
  return Object.fromEntries(
    subjects.map(({ name }) => [
      name,
      {
        cpu: percentile(costs[name], 50),
        ratio: percentile(ratios(name), 50),
        quartiles: [25, 75].map((percent) => percentile(ratios(name), percent)),
      },
    ]),
  );
}

export function renderTelemetry({ reads, writes }) {
  const cells = ({ cpu, ratio, quartiles: [low, high] }) =>
    `${cpu.toFixed(0)} | ${ratio.toFixed(3)} | ${low.toFixed(2)} to ${high.toFixed(2)}`;
  return [
    '| Core | read: CPU µs | ratio | half of the rounds | write: CPU µs | ratio | half of the rounds |',
    '|---|--:|--:|--:|--:|--:|--:|',
    ...Object.entries(TITLES).map(([name, title]) => `| ${title} | ${cells(reads[name])} | ${cells(writes[name])} |`),
    '',
    `Aim: a ratio of at most ${RATIO_MAX} with metrics.`,
  ].join('\n');
}
