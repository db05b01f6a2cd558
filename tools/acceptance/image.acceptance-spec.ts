import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { findFreePort } from '@strata/processes';
import { createEmptyDatabase, type TestDatabase, testCredentials } from '@strata/testkit';
import { parse } from 'yaml';
import { waitUntil } from '../testing/start-folder.ts';
import { IMAGE_TOOLS, Image, type ImageProcess } from './image.ts';
import { type Installation, startJourney } from './journey.ts';
import { describeWith, installGoProgram } from './tools.ts';

const root = path.resolve(import.meta.dirname, '../..');
const COMPOSE = installGoProgram('github.com/compose-spec/compose-go/v2/cmd@v2.16.2');
const services = (
  parse(fs.readFileSync(path.join(root, 'docker-compose.yml'), 'utf8'), { merge: true }) as {
    readonly services: Readonly<Record<string, { readonly command: readonly string[] }>>;
  }
).services;
const commandOf = (name: string): readonly string[] => services[name]?.command ?? [];

describeWith(IMAGE_TOOLS, 'the image', () => {
  let directory: string;
  let image: Image;
  let database: TestDatabase;
  let installation: Installation;
  let settings: Record<string, string>;
  const running: ImageProcess[] = [];

  beforeAll(async () => {
    directory = fs.mkdtempSync(path.join(os.tmpdir(), 'strata-image-'));
    image = Image.build(directory);
    image.removeShells();
    database = await createEmptyDatabase();
    const { apiKey, ownerEmail, ownerPassword, rootKey } = testCredentials();
    const [port, gatewayPort] = [await findFreePort(), await findFreePort()];
    installation = { core: `http://127.0.0.1:${port}`, gateway: `http://127.0.0.1:${gatewayPort}`, apiKey };
    settings = {
      DATABASE_URL: database.url,
      // The database of the tests does not flush to disk.
      STRATA_UNSAFE_DATABASE: 'true',
      STRATA_ROOT_KEY: rootKey,
      STRATA_SESSION_KEY: rootKey,
      STRATA_HOST: '127.0.0.1',
      STRATA_PORT: String(port),
      STRATA_GATEWAY_PORT: String(gatewayPort),
      STRATA_CORE_URL: installation.core,
      STRATA_GRACE_SECONDS: '0',
      STRATA_BOOTSTRAP_API_KEY: apiKey,
      STRATA_BOOTSTRAP_EMAIL: ownerEmail,
      STRATA_BOOTSTRAP_PASSWORD: ownerPassword,
    };
  });
  afterAll(async () => {
    for (const { process: child } of running) child.kill('SIGKILL');
    await database?.drop();
    fs.rmSync(directory, { recursive: true, force: true });
  });

  const start = (name: string): ImageProcess => {
    const process = image.start(commandOf(name), settings);
    running.push(process);
    return process;
  };

  test('does not run as root', () => {
    expect(image.user).toMatch(/^[1-9]\d*:[1-9]\d*$/);
  });

  test('contains the lists of its components and licences, and neither sources nor packages', () => {
    const files = fs.readdirSync(image.file('strata'), { recursive: true, encoding: 'utf8' });
    expect(files).toEqual(expect.arrayContaining(['sbom.cdx.json', 'THIRD-PARTY-NOTICES.txt', 'LICENSE']));
    expect(files.filter((file) => /\.ts$|node_modules/.test(file))).toEqual([]);
  });

  test('migrates, and serves the core and the gateway with the commands of docker-compose.yml, without a shell', async () => {
    const migration = start('migrate');
    expect([await migration.ended, migration.text()]).toEqual([0, '']);
    const processes = [start('core'), start('gateway')];
    for (const [index, origin] of [installation.core, installation.gateway].entries())
      await waitUntil(() => {
        if (processes[index]?.process.exitCode !== null) throw new Error(processes[index]?.text());
        return fetch(`${origin}/readyz`).then(
          ({ ok }) => ok,
          () => false,
        );
      });
    const commit = execFileSync('git', ['rev-parse', '--short=12', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim();
    for (const origin of [installation.core, installation.gateway])
      expect(await (await fetch(`${origin}/healthz`)).json()).toMatchObject({ status: 'alive', commit });
    expect(await startJourney(installation, 'Image')).toMatchObject({
      effective: { PORT: '8080' },
      rendered: '8080;8080;',
      graphql: { data: { projects: { edges: [{ node: { name: 'Image' } }] } } },
      event: 'value_created',
      page: expect.stringContaining('<div id="root"></div>'),
    });
    for (const { process: child } of processes) child.kill('SIGTERM');
    expect(await Promise.all(processes.map(({ ended }) => ended))).toEqual([0, 0]);
  });
});

describeWith([COMPOSE], 'docker-compose.yml', () => {
  test('is valid', () => {
    // It does not read .env. tools/compose.spec.ts compares the variables with the settings.
    const args = ['-no-interpolation', '-format', 'json', 'docker-compose.yml'];
    const project = JSON.parse(execFileSync(COMPOSE.program, args, { cwd: root, encoding: 'utf8' })) as {
      readonly services: object;
    };
    expect(Object.keys(project.services).sort()).toEqual(['core', 'gateway', 'migrate', 'postgres', 'proxy']);
  });
});
