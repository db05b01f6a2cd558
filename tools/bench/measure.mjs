// Measures the subjects in alternating short slices, so that other load on the machine affects all of them equally.
import { Connection, drive } from './http-load.mjs';
import { cpuOfFamily, readProcessorTime } from './processes.mjs';

/**
 * Compares subjects. Each is { key, title, port, connections, status, next, pids }. `next()` returns the bytes of the
 * next request. The optional `before()` runs unmeasured before each window. With `batch`, a window ends after that many
 * requests, and a slice has as many windows as fit. Except for the first, no round starts `phaseMs` after the warm-up. A
 * subject with `isNew` may send a query that an older core does not support. In that case it is left out, and `skip(title,
 * reason)` is called.
 */
export async function measure(subjects, { rounds, sliceMs, warmMs, phaseMs, postgresPid, tell, skip }) {
  const running = [];
  try {
    for (const subject of subjects) {
      const open = Array.from({ length: subject.connections }, () => Connection.open(subject.port));
      const connections = await Promise.all(open);
      const unknown = subject.isNew && (await unsupportedError(subject, connections[0]));
      if (!unknown) running.push({ subject, connections, slices: [] });
      else {
        skip(subject.title, unknown);
        for (const connection of connections) connection.close();
      }
    }
    for (const run of running) await slice(run, warmMs, postgresPid);
    const until = performance.now() + phaseMs;
    for (let round = 1; round <= rounds && (round === 1 || performance.now() < until); round += 1) {
      tell(round, rounds);
      // Alternates the order, so that no subject always runs after the same other one.
      const order = round % 2 ? running : [...running].reverse();
      for (const run of order) run.slices.push(await slice(run, sliceMs, postgresPid));
    }
  } finally {
    for (const { connections } of running) for (const connection of connections) connection.close();
  }
  return Object.fromEntries(running.map(({ subject, slices }) => [subject.key, summary(subject, slices)]));
}

/** Returns the error of an older core for an unsupported query; null if it supports the query. */
async function unsupportedError({ next }, connection) {
  const { status, head } = await connection.ask(next());
  return [404, 405, 501].includes(status) ? head.split('\r\n')[0] : null;
}

async function slice({ subject, connections }, sliceMs, postgresPid) {
  const total = { requests: 0, ms: 0, postgres: 0, servers: subject.pids.map(() => 0), latencies: [], bytes: 0 };
  do {
    await subject.before?.();
    let left = subject.batch ?? Number.POSITIVE_INFINITY;
    const next = () => (left-- > 0 ? subject.next() : undefined);
    const before = [cpuOfFamily(postgresPid), ...subject.pids.map(readProcessorTime)];
    const ms = subject.batch ? undefined : sliceMs;
    const { latencies, bytes, tookMs } = await drive(connections, { next, status: subject.status, ms });
    const [postgres, ...servers] = [cpuOfFamily(postgresPid), ...subject.pids.map(readProcessorTime)].map(
      (after, at) => after - before[at],
    );
    total.requests += latencies.length;
    total.ms += tookMs;
    total.postgres += postgres;
    total.servers = total.servers.map((sum, at) => sum + servers[at]);
    total.latencies.push(...latencies);
    total.bytes = bytes;
  } while (total.ms < sliceMs);
  return total;
}

function summary({ title, pids, connections }, slices) {
  const perRequest = (cost) =>
    readProcessorTime(pids[0]) === null ? null : median(slices.map((measured) => cost(measured) / measured.requests));
  const latencies = slices.flatMap((measured) => measured.latencies);
  return {
    title,
    connections,
    requests: latencies.length,
    bytes: slices.at(-1).bytes,
    perSecond: median(slices.map((measured) => (measured.requests / measured.ms) * 1_000)),
    p50: percentile(latencies, 50),
    p99: percentile(latencies, 99),
    /** The processor time in µs per request: of all Node processes that respond, of each of them, and of PostgreSQL. */
    serverCpu: perRequest((measured) => measured.servers.reduce((sum, cost) => sum + cost, 0)),
    serverCpuEach: pids.map((_, at) => perRequest((measured) => measured.servers[at])),
    postgresCpu: perRequest((measured) => measured.postgres),
  };
}

export function median(numbers) {
  return percentile(numbers, 50);
}

/** Returns the nearest-rank percentile of some numbers, or null if there are none. */
export function percentile(numbers, percent) {
  if (numbers.length === 0) return null;
  const sorted = Float64Array.from(numbers).sort();
  return sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)];
}
