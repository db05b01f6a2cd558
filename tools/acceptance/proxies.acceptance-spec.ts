import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { findFreePort } from '@strata/processes';
import { createTestDatabase, type TestDatabase, testCredentials } from '@strata/testkit';
import { buildMissingApps, eventually, fetchStatus, type Service, startService } from '../../apps/e2e/src/processes.ts';
import { type ProxiedPorts, writeHaproxyConfiguration } from '../testing/haproxy.ts';
import { startJourney } from './journey.ts';
import { describeWith, installDebianProgram, type Tool } from './tools.ts';

const DEPLOY = path.resolve(import.meta.dirname, '../../deploy');
const SBIN = '/usr/sbin';
const NGINX = installDebianProgram(`${SBIN}/nginx`, 'nginx-light');
const HAPROXY = installDebianProgram(`${SBIN}/haproxy`, 'haproxy');

/** A command that runs a proxy, or checks its configuration. */
type Command = readonly [program: string, ...args: string[]];

const serverLines = (ports: readonly number[], line: (port: number) => string) => ports.map(line).join('\n');

/** Writes the files of `deploy` with these ports, and returns how to run them. */
function nginx(folder: string, { proxy, cores, gateways }: ProxiedPorts): Command {
  const server = (port: number) => `  server 127.0.0.1:${port};`;
  const upstreams = fs
    .readFileSync(path.join(DEPLOY, 'upstreams.conf'), 'utf8')
    .replace(server(3_000), serverLines(cores, server))
    .replace(server(4_000), serverLines(gateways, server));
  const text = fs.readFileSync(path.join(DEPLOY, 'nginx.conf'), 'utf8').replace('listen 8080;', `listen ${proxy};`);
  fs.writeFileSync(path.join(folder, 'nginx.conf'), text);
  fs.writeFileSync(path.join(folder, 'upstreams.conf'), upstreams);
  return [...nginxWith(path.join(folder, 'nginx.conf'), folder, 'daemon off;')];
}

const nginxWith = (file: string, folder: string, more = ''): Command => [
  NGINX.program,
  ...['-c', file, '-g', `${more} pid ${folder}/nginx.pid; error_log stderr crit;`],
];

const haproxy = (folder: string, ports: ProxiedPorts): Command => [
  HAPROXY.program,
  ...['-db', '-f', writeHaproxyConfiguration(folder, ports)],
];

describeWith([NGINX], 'nginx of Debian', () => {
  test('accepts nginx.conf and upstreams.conf as they are', () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'strata-nginx-'));
    try {
      const [program, ...args] = nginxWith(path.join(DEPLOY, 'nginx.conf'), folder);
      // It prints the result of a check on standard error, and fails if there is an error.
      execFileSync(program, ['-t', ...args], { stdio: 'pipe' });
    } finally {
      fs.rmSync(folder, { recursive: true });
    }
  });
});

const PROXIES: readonly [string, Tool, (folder: string, ports: ProxiedPorts) => Command][] = [
  ['nginx', NGINX, nginx],
  ['HAProxy', HAPROXY, haproxy],
];
for (const [name, tool, configure] of PROXIES)
  describeWith([tool], `two cores and two gateways behind ${name}`, () => {
    let folder: string;
    let database: TestDatabase;
    let proxy: ChildProcess;
    const services: Service[] = [];
    beforeAll(async () => {
      await buildMissingApps('core', 'gateway');
      folder = fs.mkdtempSync(path.join(os.tmpdir(), 'strata-proxy-'));
      database = await createTestDatabase();
    });
    afterAll(async () => {
      await Promise.all(services.map((service) => service.end('SIGKILL')));
      proxy?.kill('SIGTERM');
      if (proxy) await once(proxy, 'exit');
      await database.drop();
      fs.rmSync(folder, { recursive: true });
    });

    test('serve requests, pages and websockets, and continue without one of each', async () => {
      const [port, ...ports] = await Promise.all(Array.from({ length: 5 }, () => findFreePort()));
      const [cores, gateways] = [ports.slice(0, 2), ports.slice(2)];
      const [program, ...args] = configure(folder, { proxy: port as number, cores, gateways });
      proxy = spawn(program, args, { stdio: ['ignore', 'inherit', 'inherit'] });
      const origin = `http://127.0.0.1:${port}`;
      const settings = {
        DATABASE_URL: database.url,
        STRATA_ROOT_KEY: testCredentials().rootKey,
        STRATA_TRUST_PROXY: '1',
      };
      const started = [
        ...cores.map((port) => startService('core', port, settings)),
        ...gateways.map((port) => startService('gateway', port, { STRATA_CORE_URL: origin, STRATA_TRUST_PROXY: '1' })),
      ];
      services.push(...(await Promise.all(started)));
      for (const { origin: service } of services)
        await eventually(`${service} is ready`, async () => (await fetchStatus(service, 'readyz')) === 200);
      const isServed = async (target: string) => (await fetch(`${origin}${target}`)).ok;
      await eventually('the proxy has found the services', async () =>
        (await Promise.all(['/api/readyz', '/readyz'].map(isServed))).every(Boolean),
      );

      const installation = { core: origin, gateway: origin, apiKey: testCredentials().apiKey };
      const expected = { effective: { PORT: '8080' }, rendered: '8080;8080;', event: 'value_created' };
      expect(await startJourney(installation, 'First')).toMatchObject(expected);
      const [firstCore, , firstGateway] = services;
      await Promise.all([firstCore?.end('SIGTERM'), firstGateway?.end('SIGTERM')]);
      await eventually('the proxy has noticed', async () =>
        (await Promise.all(Array.from({ length: 8 }, (_, n) => isServed(n % 2 ? '/api/readyz' : '/readyz')))).every(
          Boolean,
        ),
      );
      expect(await startJourney(installation, 'Second')).toMatchObject(expected);
    });
  });
