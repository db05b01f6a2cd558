import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { EVENT_TYPES } from '@strata/domain';
import { findFreePort } from '@strata/processes';
import { metricsPort, startInstallation, type TestInstallation, type TestOrganization } from '@strata/testkit';
import { createClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import { eventually } from '../../apps/e2e/src/processes.ts';
import { packDashboard } from '../release/chart.mjs';
import { readDashboard } from '../testing/dashboard.ts';
import { describeWith, installDebianProgram, installGoSource } from './tools.ts';

const PROMETHEUS = installDebianProgram('prometheus');
const SCHEMA = installGoSource(fs.readFileSync(path.join(import.meta.dirname, 'programs/check-dashboard.go'), 'utf8'), [
  'github.com/grafana/grafana-foundation-sdk/go@v0.0.22',
]);

let folder: string;
beforeAll(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'strata-dashboard-'));
  execFileSync('tar', ['-xzf', packDashboard(folder, '1.2.3'), '-C', folder]);
});
afterAll(() => fs.rmSync(folder, { recursive: true }));
const released = () => path.join(folder, 'grafana');

describeWith([SCHEMA], 'the dashboard of a release', () => {
  function check(file: string): readonly [status: number | null, output: string] {
    const { status, stdout, stderr } = spawnSync(SCHEMA.program, [file], { encoding: 'utf8' });
    return [status, `${stdout}${stderr}`];
  }

  test('matches the schema of Grafana', () => {
    expect(check(path.join(released(), 'strata.json'))).toEqual([0, '']);
  });

  test.each(['legendFormat', 'gridPos', 'fieldConfig', 'includeAll', 'schemaVersion'])(
    'would not match it with a misspelt %s',
    (field) => {
      const copy = path.join(folder, 'misspelt.json');
      const text = fs.readFileSync(path.join(released(), 'strata.json'), 'utf8');
      fs.writeFileSync(copy, text.replace(`"${field}"`, `"${field}s"`));
      expect(check(copy)).toEqual([1, expect.stringContaining(`${field}s`)]);
    },
  );
});

/** These panels show failures, and an expiration that is handled once a minute. The traffic of this test causes none. */
const QUIET = ['Failed statements', 'Rejected websockets', 'Expired values'];

/** Sends requests of each kind that the panels show, until it is stopped. */
async function startTraffic(organization: TestOrganization, { core, gateway }: TestInstallation) {
  const authorization = organization.ownerAuthorization;
  const project = await organization.project();
  const value = await organization.value({ parameter: await organization.parameter({ project }) });
  await organization.webhook({
    event_types: [...EVENT_TYPES],
    configuration: { token: 'xoxb-token', channel: 'CDASHBOARD', username: 'strata' },
  });
  const url = `${gateway.origin.replace('http', 'ws')}/graphql`;
  const socket = createClient({ url, webSocketImpl: WebSocket, connectionParams: { Authorization: authorization } });
  socket.subscribe(
    { query: 'subscription { changeFeed { change { type } } }' },
    {
      next: () => undefined,
      error: () => undefined,
      complete: () => undefined,
    },
  );
  const graphql = (query: string) =>
    fetch(`${gateway.origin}/graphql`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ query }),
    });
  let count = 0;
  const step = async () => {
    count += 1;
    await organization.owner.patch(value.url, { internal_value: `text ${count}` });
    for (const path of ['projects/', 'projects/', 'projects/00000000-0000-4000-8000-000000000000/'])
      await organization.owner.get(path);
    await graphql('{ projects(first: 1) { edges { node { name } } } }');
    await graphql('{ unknown }');
    for await (const _ of socket.iterate({ query: '{ viewer { role } }' }));
    await fetch(`${core.origin}/api/v1/auth/token/`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'guest@example.com', password: 'a wrong password' }),
    });
  };
  return { step, stop: () => socket.dispose() };
}

describeWith([PROMETHEUS], 'the queries of the dashboard', () => {
  let installation: TestInstallation;
  let prometheus: ChildProcess;
  let origin: string;

  beforeAll(async () => {
    const [corePort, gatewayPort, port] = [await metricsPort(), await metricsPort(), await findFreePort()];
    installation = await startInstallation({
      coreSettings: { STRATA_METRICS_PORT: String(corePort) },
      gatewaySettings: { STRATA_GATEWAY_METRICS_PORT: String(gatewayPort) },
    });
    const config = path.join(folder, 'prometheus.yml');
    const jobs = [`strata-core`, `strata-gateway`].map((job, index) => ({
      job_name: job,
      static_configs: [{ targets: [`127.0.0.1:${[corePort, gatewayPort][index]}`] }],
    }));
    // JSON is YAML, too.
    fs.writeFileSync(config, JSON.stringify({ global: { scrape_interval: '1s' }, scrape_configs: jobs }));
    const data = path.join(folder, 'data');
    prometheus = spawn(
      PROMETHEUS.program,
      [`--config.file=${config}`, `--storage.tsdb.path=${data}`, `--web.listen-address=127.0.0.1:${port}`],
      { stdio: 'ignore' },
    );
    origin = `http://127.0.0.1:${port}`;
    await eventually('Prometheus is ready', () =>
      fetch(`${origin}/-/ready`).then(
        ({ ok }) => ok,
        () => false,
      ),
    );
  });
  afterAll(async () => {
    prometheus.kill('SIGTERM');
    await once(prometheus, 'close');
    await installation.close();
  });

  /** Returns the number of series of a query, with the variables as Grafana replaces them for all processes. */
  async function count(expr: string): Promise<number> {
    const query = expr
      .replaceAll('$__rate_interval', '1m')
      .replaceAll('$job', 'strata-.+')
      .replaceAll('$instance', '.+');
    const response = await fetch(`${origin}/api/v1/query?${new URLSearchParams({ query })}`);
    const { error, data } = (await response.json()) as { error?: string; data?: { result: readonly unknown[] } };
    if (error) throw new Error(`${expr}: ${error}`);
    return data?.result.length ?? 0;
  }

  test('are accepted by Prometheus, and each returns series under a little traffic', async () => {
    const traffic = await startTraffic(await installation.core.organization(), installation);
    const queries = readDashboard(released()).charts.flatMap(({ title = '', targets = [] }) =>
      targets.map(({ expr }) => ({ title, expr })),
    );
    let empty: readonly { readonly title: string; readonly expr: string }[] = queries;
    try {
      await eventually('every panel that the traffic reaches has series', async () => {
        await traffic.step();
        const counts = await Promise.all(queries.map(({ expr }) => count(expr)));
        empty = queries.filter((_, index) => counts[index] === 0);
        return empty.every(({ title }) => QUIET.includes(title));
      }).catch((error: Error) => {
        throw new Error(`${error.message}: ${JSON.stringify(empty)}`);
      });
    } finally {
      await traffic.stop();
    }
    expect(QUIET).toEqual(expect.arrayContaining(empty.map(({ title }) => title)));
  });
});
