// Measures a mix of requests at a constant rate: 90 % compact effective values, 9 % single values, 1 % PATCH of a value.
import { Connection, driveAtRate } from './http-load.mjs';
import { percentile } from './measure.mjs';

/** The rates, as shares of what the same mix reached in a closed loop. */
const SHARES = [0.3, 0.6, 0.9];
/** Enough connections that a planned request seldom waits for one. */
const CONNECTIONS = 64;

/**
 * Measures the subjects of `mixedSubjects` in turns. `reached` has the results of the closed loop. Except for the first,
 * no round starts after `phaseMs`.
 */
export async function measureConstantRate(subjects, { reached, rounds, constantMs, phaseMs, tell }) {
  const rates = SHARES.map((share) => Math.round(reached.mixed.perSecond * share));
  const until = performance.now() + phaseMs;
  const rows = rates.flatMap((perSecond) => subjects.map((subject) => ({ subject, perSecond, all: [], took: 0 })));
  for (let round = 1; round <= rounds && (round === 1 || performance.now() < until); round += 1) {
    tell(round, rounds);
    for (const row of round % 2 ? rows : rows.toReversed()) {
      const { latencies, tookMs } = await slice(row, constantMs);
      row.all.push(...latencies);
      row.took += tookMs;
    }
  }
  return rows.map(({ subject: { title }, perSecond, all, took }) => ({
    title,
    perSecond,
    /** Below the planned rate if the service cannot keep up. */
    answeredPerSecond: (all.length / took) * 1_000,
    requests: all.length,
    p50: percentile(all, 50),
    p99: percentile(all, 99),
    p999: percentile(all, 99.9),
    worst: percentile(all, 100),
  }));
}

async function slice({ subject, perSecond }, ms) {
  const { port, next, status } = subject;
  const connections = await Promise.all(Array.from({ length: CONNECTIONS }, () => Connection.open(port)));
  try {
    return await driveAtRate(connections, { next, status, perSecond, ms });
  } finally {
    for (const connection of connections) connection.close();
  }
}
