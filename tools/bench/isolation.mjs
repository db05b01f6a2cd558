// npm run bench -- --isolation: measures what row-level security costs, by one core whose tables have it disabled and
// enforced in turns.
import pg from 'pg';
import { load } from './configuration.mjs';
import { Connection, drive } from './http-load.mjs';
import { percentile } from './measure.mjs';
import { cpuOfFamily, readProcessorTime } from './processes.mjs';
import { api, patches, paths } from './subjects.mjs';

/** The largest ratios of PostgreSQL's processor time, enforced to disabled. */
const RATIO_MAX = { read: 1.02, write: 1.1 };

const PLAN = { projects: 4, loadMs: 30_000 };
const ROUNDS = 16;
const SLICE_MS = 1_000;
/** The plans of prepared statements are made again after each change of the tables. */
const WARM_MS = 400;
const WARM_FIRST_MS = 8_000;
const READS_PER_WRITE = 99;

const TABLES = `select polrelid::regclass as name from pg_policy where polname = 'strata_tenants'`;
const TURNS = { disabled: 'disable row level security', enforced: 'enable row level security' };

export async function measureIsolation(stage, say) {
  const { child, url } = await stage.startCoreWith({});
  const data = await load(url, stage.apiKey, PLAN, () => undefined);
  const core = api(url, stage.apiKey);
  const { compact, list, value } = paths(data);
  const patch = patches(core, data);
  let sent = 0;
  const kinds = [
    { title: 'one value', isRead: true, connections: 10, next: () => core.bytes('GET', value) },
    { title: 'list of 100 parameters of the past', isRead: true, connections: 1, next: pastReads(core, list) },
    { title: 'PATCH of a value, one alone', connections: 1, next: patch },
    { title: 'PATCH, 8 at a time', connections: 8, next: patch },
    { title: 'PATCH, 32 at a time', connections: 32, next: patch },
    {
      title: '99 % compact, 1 % PATCH',
      isRead: true,
      connections: 10,
      next: () => (++sent % (READS_PER_WRITE + 1) === 0 ? patch() : core.bytes('GET', compact)),
    },
  ];
  const client = new pg.Client({ connectionString: stage.postgres.url() });
  await client.connect();
  try {
    await client.query('vacuum analyze');
    const { rows: tables } = await client.query(TABLES);
    for (const kind of kinds) {
      kind.open = await Promise.all(Array.from({ length: kind.connections }, () => Connection.open(core.port)));
      kind.costs = { disabled: [], enforced: [] };
      await drive(kind.open, { next: kind.next, status: 200, ms: WARM_FIRST_MS / kinds.length });
    }
    for (let round = 1; round <= ROUNDS; round += 1) {
      say(`Round ${round} of ${ROUNDS} …`);
      const turns = Object.keys(TURNS);
      for (const turn of round % 2 ? turns : turns.toReversed()) {
        // One statement for each table, so that a statement of the core that locks several of them is no deadlock.
        for (const { name } of tables) await client.query(`alter table ${name} ${TURNS[turn]}`);
        for (const { open, next, costs } of kinds) {
          await drive(open, { next, status: 200, ms: WARM_MS });
          costs[turn].push(await cost(open, next, [child.pid, stage.postgres.pid]));
        }
      }
    }
  } finally {
    await client.end();
    for (const { open = [] } of kinds) for (const connection of open) connection.close();
  }
  return kinds.map(({ title, isRead = false, costs }) => ({ title, isRead, ...summarize(costs) }));
}

/** Returns reads of a moment that no earlier read named, so that nothing is kept in memory. */
function pastReads(core, list) {
  let count = 0;
  return () => core.bytes('GET', `${list}&as_of=2999-01-01T00:00:00.${String(count++).padStart(6, '0')}Z`);
}

async function cost(connections, next, [corePid, postgresPid]) {
  const read = () => [readProcessorTime(corePid), cpuOfFamily(postgresPid)];
  const before = read();
  const { latencies } = await drive(connections, { next, status: 200, ms: SLICE_MS });
  const [core, postgres] = read().map((after, at) => (after - before[at]) / latencies.length);
  return { core, postgres };
}

function summarize({ disabled, enforced }) {
  const ratios = (part) => enforced.map((measured, round) => measured[part] / disabled[round][part]);
  const median = (slices) =>
    percentile(
      slices.map(({ postgres }) => postgres),
      50,
    );
  return {
    disabled: median(disabled),
    enforced: median(enforced),
    ratio: percentile(ratios('postgres'), 50),
    quartiles: [25, 75].map((percent) => percentile(ratios('postgres'), percent)),
    coreRatio: percentile(ratios('core'), 50),
  };
}

/** Formats PostgreSQL's processor time in µs per request, its ratio, and that of the core. */
export function renderIsolation(rows) {
  return [
    '| Requests | disabled, µs | enforced, µs | ratio | half of the rounds | ratio of the core | aim |',
    '|---|--:|--:|--:|--:|--:|--:|',
    ...rows.map(({ title, isRead, disabled, enforced, ratio, quartiles: [low, high], coreRatio }) => {
      const aim = isRead ? RATIO_MAX.read : RATIO_MAX.write;
      const figures = [ratio.toFixed(2), `${low.toFixed(2)} to ${high.toFixed(2)}`, coreRatio.toFixed(2), aim];
      return `| ${title} | ${disabled.toFixed(0)} | ${enforced.toFixed(0)} | ${figures.join(' | ')} |`;
    }),
  ].join('\n');
}
