import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort } from '@strata/processes';
import { ledgerProblems, runsAllCases, testCredentials } from '@strata/testkit';
import {
  buildMissingApps,
  eventually,
  fetchStatus,
  migrate,
  type Service,
  startService,
} from '../../apps/e2e/src/processes.ts';
import { type Installation, requestCore } from '../acceptance/journey.ts';
import { describeWith, installDebianProgram, installSharedPythonProgram } from '../acceptance/tools.ts';
import { type Follower, followEvents } from './followers.ts';
import { KeyedWriters, type TextRevisions } from './keyed-writers.ts';
import { IDENTITY, type Machine, PatroniCluster } from './patroni-cluster.ts';

const HAPROXY = installDebianProgram('/usr/sbin/haproxy', 'haproxy');
const ETCD = installDebianProgram('/usr/bin/etcd', 'etcd-server');
const POSTGRES = installDebianProgram('/usr/lib/postgresql/15/bin/postgres', 'postgresql-15');
const PATRONI = await installSharedPythonProgram(
  IDENTITY,
  'patroni',
  'patroni[etcd3]==4.1.5',
  'psycopg[binary]==3.3.9',
);

const IS_STRICT = process.env.STRATA_DRILL === 'strict';
const CORES = 2;
/** The number of acknowledged writes during and after each fault. */
const WRITES = runsAllCases ? 10_000 : 500;
/** The limits after which writes continue, in milliseconds. */
const RESTART_MS_MAX = 15_000;
const FAILOVER_MS_MAX = 30_000;
/** The connections that the guides document for each core. */
const CONNECTIONS_PER_CORE = 25;
/** The number of writes that take less than two minutes on a busy machine. */
const WRITES_AT_ONCE = 100;
const REPLAYED_MAX = 100;
const SAMPLE_MS = 500;
/** How long a standby is stopped, in milliseconds. */
const STOPPED_MS = runsAllCases ? 60_000 : 20_000;
/** The number of writes that only the lost disks have. */
const LOST_WRITES = 50;
/** How long there is no majority of the machines, in milliseconds. It is longer than the `ttl` of Patroni. */
const OUTAGE_MS = 30_000;

interface Phase {
  readonly fault: string;
  readonly acknowledged: number;
  readonly failures: Readonly<Record<string, number>>;
  readonly pauseMs: number;
  readonly connectionsMax: number;
}

describeWith([HAPROXY, ETCD, POSTGRES, PATRONI], 'two cores on PostgreSQL under Patroni', () => {
  let folder: string;
  let cluster: PatroniCluster;
  let writers: KeyedWriters;
  const { apiKey, ownerPassword, rootKey } = testCredentials();
  const cores: Service[] = [];
  let followers: readonly Follower[] = [];
  const phases: Phase[] = [];

  beforeAll(async () => {
    await buildMissingApps('core');
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'strata-failover-'));
    const programs = { patroni: PATRONI.program, etcd: ETCD.program, haproxy: HAPROXY.program };
    cluster = new PatroniCluster(folder, programs, IS_STRICT);
    await cluster.start();
    const settings = {
      DATABASE_URL: cluster.databaseUrl,
      STRATA_UNSAFE_DATABASE: 'false',
      STRATA_ROOT_KEY: rootKey,
      STRATA_BOOTSTRAP_PASSWORD: ownerPassword,
      STRATA_BOOTSTRAP_API_KEY: apiKey,
      STRATA_LOG_LEVEL: 'error',
    };
    await eventually('the proxy has found the primary server', () =>
      migrate(settings).then(
        () => true,
        () => false,
      ),
    );
    for (let index = 0; index < CORES; index += 1)
      cores.push(await startService('core', await findFreePort(), settings));
    const installations = cores.map(({ origin }) => ({ core: origin, gateway: '', apiKey }));
    const [installation] = installations as [Installation];
    const { cursor } = await requestCore<{ cursor: string }>(installation, 'events/?after=now');
    writers = await KeyedWriters.start(installations);
    followers = installations.map((installation) => followEvents(installation, cursor));
  });
  afterAll(async () => {
    await writers?.stop();
    for (const follower of followers) await follower.stop();
    for (const { process: child } of cores) child.kill('SIGKILL');
    await cluster?.stop();
    if (phases.length > 0) console.log(report(phases));
    fs.rmSync(folder, { recursive: true, force: true });
  });

  /** Causes a fault under writes, heals it, and compares the ledger with the responses. */
  async function observe(fault: string, cause: () => Promise<void>, heal: () => Promise<void>): Promise<Phase> {
    const from = writers.writes.length;
    const connections = sampleConnections();
    await storeMore(WRITES / 5);
    writers.takeReadFailures();
    const startedAt = performance.now();
    await cause();
    await storeMore((WRITES * 4) / 5);
    const pauseMs = writers.longestPause(from, startedAt);
    await heal();
    await cluster.untilWhole();
    await areReady();
    const failures = countTexts(writers.writes.slice(from).flatMap((write) => write.failures));
    const phase = {
      fault,
      acknowledged: writers.countStored(from),
      failures,
      pauseMs,
      connectionsMax: await connections(),
    };
    phases.push(phase);
    await writers.replay(
      writers.writes
        .slice(from)
        .filter(({ outcome }) => outcome === 'stored')
        .slice(0, REPLAYED_MAX),
    );
    return phase;
  }

  /** Waits until this many further writes are stored. It fails only if a part of them takes very long. */
  async function storeMore(count: number): Promise<void> {
    const end = writers.countStored() + count;
    for (let goal = writers.countStored(); goal < end; ) {
      goal = Math.min(end, goal + WRITES_AT_ONCE);
      await eventually('further writes are stored', () => writers.countStored() >= goal);
    }
  }

  const areReady = () =>
    eventually('the cores are ready', async () => {
      const statuses = await Promise.all(cores.map(({ origin }) => fetchStatus(origin, 'readyz')));
      return statuses.every((status) => status === 200);
    });

  /** Counts the connections of the cores on each machine until the returned function is called, which returns the largest number. */
  function sampleConnections(): () => Promise<number> {
    let [isOver, largest] = [false, 0];
    const count = async (machine: Machine) => {
      const text = `select count(*)::int as count from pg_stat_activity where usename = 'strata'`;
      const [row] = await cluster.query<{ count: number }>(machine, text).catch(() => []);
      largest = Math.max(largest, row?.count ?? 0);
    };
    const run = async () => {
      while (!isOver) {
        await Promise.all(cluster.machines.map(count));
        await sleep(SAMPLE_MS);
      }
    };
    const sampling = run();
    return async () => {
      isOver = true;
      await sampling;
      return largest;
    };
  }

  /** Compares the ledger with the responses. */
  async function compare() {
    const primary = await cluster.primary();
    const until = performance.now();
    const storedTexts = await cluster.query<TextRevisions>(
      primary,
      `select text, array_agg(distinct revision::int) as revisions
         from (select text, revision from value union all select text, revision from value_history) version group by text`,
      'strata',
    );
    const ledger = await ledgerProblems(cluster.superuserUrl(primary));
    return { ledger, problems: writers.contradictions(storedTexts, until) };
  }

  const expectNothingLost = async () => expect(await compare()).toEqual({ ledger: [], problems: [] });

  const expectBounded = ({ connectionsMax }: Phase) =>
    expect(connectionsMax).toBeLessThanOrEqual(CORES * CONNECTIONS_PER_CORE);

  test('writes continue after PostgreSQL was killed', async () => {
    const primary = await cluster.primary();
    const phase = await observe(
      'kill -9 of PostgreSQL',
      async () => cluster.killPostgres(primary),
      async () => undefined,
    );
    await expectNothingLost();
    expect(phase.pauseMs).toBeLessThan(RESTART_MS_MAX);
    expectBounded(phase);
  });

  test('writes continue after the machine of the primary server was lost', async () => {
    const primary = await cluster.primary();
    const phase = await observe(
      'loss of the primary machine',
      async () => cluster.lose(primary),
      async () => cluster.startMachine(primary),
    );
    await expectNothingLost();
    expect(phase.pauseMs).toBeLessThan(FAILOVER_MS_MAX);
    expectBounded(phase);
  });

  test('writes continue after the primary server was separated from etcd and from its standbys', async () => {
    const primary = await cluster.primary();
    const phase = await observe(
      'partition of the primary machine',
      async () => cluster.separate(primary),
      async () => cluster.join(primary),
    );
    await expectNothingLost();
    expect(phase.pauseMs).toBeLessThan(FAILOVER_MS_MAX);
    expectBounded(phase);
  });

  test('writes continue while a standby is stopped', async () => {
    const [standby] = (await cluster.standbys()) as [Machine];
    const phase = await observe(
      'SIGSTOP of a standby',
      async () => {
        cluster.signalPostgres(standby, 'SIGSTOP');
        await sleep(STOPPED_MS);
      },
      async () => cluster.signalPostgres(standby, 'SIGCONT'),
    );
    await expectNothingLost();
    expect(phase.pauseMs).toBeLessThan(RESTART_MS_MAX);
    expectBounded(phase);
  });

  test('while both standbys are stopped, writes wait and open no further connections', async () => {
    const standbys = await cluster.standbys();
    const signalAll = (name: 'SIGSTOP' | 'SIGCONT') => {
      for (const standby of standbys) cluster.signalPostgres(standby, name);
    };
    const phase = await observe(
      'SIGSTOP of both standbys',
      async () => {
        signalAll('SIGSTOP');
        await sleep(STOPPED_MS);
        signalAll('SIGCONT');
      },
      async () => undefined,
    );
    await expectNothingLost();
    expect(phase.failures['503 outcome_unknown']).toBeGreaterThan(0);
    expectBounded(phase);
  });

  test(`after the loss of PostgreSQL on both standbys, writes ${IS_STRICT ? 'wait for a standby' : 'continue without them'}`, async () => {
    const standbys = await cluster.standbys();
    let storedAlone = 0;
    const phase = await observe(
      'loss of PostgreSQL on both standbys',
      async () => {
        for (const standby of standbys) cluster.loseServer(standby);
        await sleep(OUTAGE_MS / 2);
        const stored = writers.countStored();
        await sleep(OUTAGE_MS);
        storedAlone = writers.countStored() - stored;
        for (const standby of standbys) cluster.startMachine(standby);
      },
      async () => undefined,
    );
    await expectNothingLost();
    if (IS_STRICT) expect(storedAlone).toBe(0);
    else expect(storedAlone).toBeGreaterThan(0);
    expectBounded(phase);
  });

  test('writes continue after a switchover', async () => {
    const [primary, [standby]] = [await cluster.primary(), (await cluster.standbys()) as [Machine]];
    const phase = await observe(
      'switchover',
      () => cluster.switchOver(primary, standby),
      async () => undefined,
    );
    await expectNothingLost();
    expect(phase.pauseMs).toBeLessThan(RESTART_MS_MAX);
    expectBounded(phase);
  });

  test.each([
    [
      'the primary and a standby machine',
      async () => [await cluster.primary(), ...(await cluster.standbys()).slice(1)],
    ],
    ['both standby machines', () => cluster.standbys()],
  ])('after the loss of %s, no server is promoted, and writes return 503 until they are back', async (name, choose) => {
    const lostMachines = await choose();
    const phase = await observe(
      `loss of ${name}`,
      async () => {
        for (const machine of lostMachines) cluster.lose(machine);
        await eventually('there is no primary server', async () => (await cluster.listPrimaries()).length === 0);
        const [stored, until] = [writers.countStored(), performance.now() + OUTAGE_MS];
        while (performance.now() < until) {
          expect(await cluster.listPrimaries()).toEqual([]);
          await sleep(SAMPLE_MS);
        }
        expect(writers.countStored()).toBe(stored);
        for (const machine of lostMachines) cluster.startMachine(machine);
      },
      async () => undefined,
    );
    await expectNothingLost();
    expect(Object.keys(phase.failures).every((failure) => failure.startsWith('503 '))).toBe(true);
    expectBounded(phase);
  });

  test('streams continued without a gap or a repetition', async () => {
    const changes = await cluster.query<{ revision: number }>(
      await cluster.primary(),
      `select revision::int from change where object_type = 'Value' and action = 'update' order by revision`,
      'strata',
    );
    const revisions = changes.map(({ revision }) => revision);
    const isUpToDate = ({ received }: Follower) => (received.revisions.at(-1) ?? 0) >= (revisions.at(-1) ?? 0);
    await eventually('streams have delivered the last change', () => followers.every(isUpToDate));
    for (const { received } of followers) expect(received.revisions.slice(0, revisions.length)).toEqual(revisions);
  });

  test('after the loss of both disks with the last writes, an operator promotes the rest, and old cursors return 410', async () => {
    const primary = await cluster.primary();
    const [confirming, behind] = (await cluster.standbys()) as [Machine, Machine];
    cluster.lose(behind);
    await storeMore(LOST_WRITES);
    const [{ origin }] = cores as [Service];
    const installation = { core: origin, gateway: '', apiKey };
    const { cursor } = await requestCore<{ cursor: string }>(installation, 'events/?after=now');
    for (const machine of [primary, confirming]) {
      cluster.lose(machine);
      cluster.removeData(machine);
    }
    for (const machine of cluster.machines) cluster.startMachine(machine);
    await sleep(OUTAGE_MS);
    expect(await cluster.listPrimaries()).toEqual([]);
    await cluster.promote(behind);
    await cluster.untilWhole();
    await areReady();
    await storeMore(LOST_WRITES * 2);

    const response = await fetch(`${origin}/api/v1/events/?after=${cursor}`, {
      headers: { authorization: `Api-Key ${apiKey}` },
    });
    expect(response.status).toBe(410);
    const { problems, ledger } = await compare();
    expect(ledger).toEqual([]);
    const [lost, others] = [problems.filter(isLoss), problems.filter((problem) => !isLoss(problem))];
    expect(others).toEqual([]);
    expect(lost.length).toBeGreaterThanOrEqual(LOST_WRITES);
    console.log(
      `Both disks: ${lost.filter((problem) => problem.includes('is lost')).length} acknowledged writes are lost.`,
    );
  });
});

const isLoss = (problem: string): boolean => /is lost|is not in the ledger/.test(problem);

function countTexts(texts: readonly string[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const text of texts) counts[text] = (counts[text] ?? 0) + 1;
  return counts;
}

function report(phases: readonly Phase[]): string {
  const cells = ({ fault, acknowledged, failures, pauseMs, connectionsMax }: Phase) => {
    const failureTexts = Object.entries(failures).map(([failure, count]) => `${count} × ${failure}`);
    return `| ${fault} | ${acknowledged} | ${(pauseMs / 1_000).toFixed(1)} | ${connectionsMax} | ${failureTexts.join(', ')} |`;
  };
  return [
    '| Fault | Writes | longest pause s | connections | failed attempts |',
    '|---|--:|--:|--:|---|',
    ...phases.map(cells),
  ].join('\n');
}
