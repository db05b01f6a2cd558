import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort } from '@strata/processes';
import { createEmptyDatabase, ledgerProblems, type TestDatabase, testCredentials } from '@strata/testkit';
import { buildMissingApps, eventually, fetchStatus } from '../../apps/e2e/src/processes.ts';
import { describeWith, installDebianProgram } from '../acceptance/tools.ts';
import { writeHaproxyConfiguration } from '../testing/haproxy.ts';
import {
  builtCommands,
  type Commands,
  previousReleaseCommands,
  repositoryHistoryTool,
} from '../testing/previous-release.ts';
import type { Noticed } from './attempts.ts';
import { Load } from './load.ts';

const HAPROXY = installDebianProgram('/usr/sbin/haproxy', 'haproxy');
const ROOT = path.resolve(import.meta.dirname, '../..');
/** How long the installation is observed before and after a fault, in milliseconds. */
const OBSERVED_MS = 4_000;
/** How much longer than without a fault a request may take, in milliseconds. */
const LONGER_MS_MAX = 2_000;

const KILL = 'kill -9';
const FAULTS = [
  ['upgrade', 'SIGTERM'],
  ['drain', 'SIGTERM'],
  [KILL, 'SIGKILL'],
] as const;

/** One of the four processes behind the proxy. It keeps its port when it is replaced. */
interface Member {
  readonly service: 'core' | 'gateway';
  readonly name: string;
  readonly port: number;
  process: ChildProcess;
}

/** One part of the drill: a fault, and the requests meanwhile. */
interface Phase extends Noticed {
  readonly fault: string;
}

describeWith([HAPROXY, repositoryHistoryTool()], 'two cores and two gateways behind HAProxy', () => {
  let folder: string;
  let database: TestDatabase;
  let proxy: ChildProcess;
  let releases: { readonly previous: Commands; readonly current: Commands };
  let load: Load;
  let coreUrl: string;
  const members: Member[] = [];
  const phases: Phase[] = [];

  beforeAll(async () => {
    await buildMissingApps('core', 'gateway');
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'strata-drill-'));
    releases = { previous: previousReleaseCommands(), current: builtCommands(ROOT) };
    database = await createEmptyDatabase();
    const [port = 0, coresAlone = 0, ...ports] = await Promise.all(Array.from({ length: 6 }, () => findFreePort()));
    coreUrl = `http://127.0.0.1:${coresAlone}`;
    const configuration = { proxy: port, coresAlone, cores: ports.slice(0, 2), gateways: ports.slice(2) };
    proxy = spawn(HAPROXY.program, ['-db', '-f', writeHaproxyConfiguration(folder, configuration)], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    await migrate(releases.previous);
    for (const [index, memberPort] of ports.entries()) {
      const service = index < 2 ? 'core' : 'gateway';
      const member = { service, name: `${service} ${(index % 2) + 1}`, port: memberPort } as const;
      members.push({ ...member, process: run(releases.previous(service), member) });
    }
    const origin = `http://127.0.0.1:${port}`;
    await Promise.all(members.map((member) => isReady(member)));
    // Cores of early releases have no readiness below /api/.
    const isServed = async (target: string) => (await fetch(`${origin}${target}`)).status < 500;
    const areServed = async () => (await isServed('/api/v1/')) && (await isServed('/readyz'));
    await eventually('the proxy has found the services', areServed);
    load = await Load.start({ core: origin, gateway: origin, apiKey: testCredentials().apiKey });
  });
  afterAll(async () => {
    await load?.stop();
    for (const { process: child } of members) child.kill('SIGKILL');
    proxy?.kill('SIGKILL');
    await database?.drop();
    fs.rmSync(folder, { recursive: true, force: true });
  });

  function run([program = '', ...args]: readonly string[], member?: Pick<Member, 'service' | 'port'>): ChildProcess {
    const { apiKey, ownerPassword, rootKey } = testCredentials();
    const ofCore = {
      DATABASE_URL: database.url,
      STRATA_UNSAFE_DATABASE: 'true',
      STRATA_ROOT_KEY: rootKey,
      STRATA_BOOTSTRAP_PASSWORD: ownerPassword,
      STRATA_BOOTSTRAP_API_KEY: apiKey,
      ...(member && { STRATA_PORT: String(member.port) }),
    };
    const ofGateway = {
      STRATA_CORE_URL: coreUrl,
      STRATA_GATEWAY_PORT: String(member?.port),
    };
    return spawn(program, args, {
      cwd: folder,
      stdio: 'inherit',
      env: {
        PATH: process.env.PATH,
        STRATA_LOG_LEVEL: 'error',
        STRATA_TRUST_PROXY: '1',
        ...(member?.service === 'gateway' ? ofGateway : ofCore),
      },
    });
  }

  async function migrate(commands: Commands): Promise<void> {
    const [code] = await once(run(commands('migrate')), 'close');
    expect(code).toBe(0);
  }

  const isReady = ({ name, port }: Member) =>
    eventually(`${name} is ready`, async () => (await fetchStatus(`http://127.0.0.1:${port}`, 'readyz')) === 200);

  async function replace(member: Member, signal: NodeJS.Signals, commands: Commands): Promise<void> {
    const ended = once(member.process, 'close');
    member.process.kill(signal);
    await ended;
    member.process = run(commands(member.service), member);
    await isReady(member);
  }

  /** Observes the clients during a fault and for a while after it. */
  async function observe(fault: string, cause: () => Promise<void>): Promise<Phase> {
    const startedAt = performance.now();
    await cause();
    await sleep(OBSERVED_MS);
    const phase = { fault, ...load.attempts.noticed(startedAt, performance.now()) };
    phases.push(phase);
    return phase;
  }

  test('no request fails while processes are drained, and none for long when they are killed', async () => {
    const quiet = await observe('none', () => sleep(OBSERVED_MS));
    await migrate(releases.current);
    for (const [name, signal] of FAULTS)
      for (const member of members)
        await observe(`${name} of ${member.name}`, () => replace(member, signal, releases.current));
    await load.stop();

    console.log(report(phases, load));
    const isKill = ({ fault }: Phase) => fault.startsWith(KILL);
    const drained = phases.filter((phase) => !isKill(phase));
    expect(drained.filter(({ failures }) => failures.length > 0)).toEqual([]);
    const slow = phases.filter(isKill).filter(({ longestMs }) => longestMs - quiet.longestMs > LONGER_MS_MAX);
    expect(slow).toEqual([]);
    expect(load.attempts.rejected).toEqual([]);
    expect(load.problems).toEqual([]);
    expect(await ledgerProblems(database.url)).toEqual([]);
  });
});

function report(phases: readonly Phase[], load: Load): string {
  const cells = ({ fault, requests, failures, medianMs, longestMs }: Phase) =>
    `| ${fault} | ${requests} | ${failures.length} | ${medianMs.toFixed(1)} | ${Math.round(longestMs)} |`;
  return [
    '| Fault | Requests | sent again | p50 ms | longest ms |',
    '|---|--:|--:|--:|--:|',
    ...phases.map(cells),
    `${load.acknowledged} writes; interruptions: ${JSON.stringify(load.interruptions())}`,
  ].join('\n');
}
