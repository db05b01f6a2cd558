import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { HEAP_MB, nodeArguments } from '@strata/processes';
import { parse } from 'yaml';
import { SETTINGS as CORE } from '../apps/core/src/platform/env.ts';
import { buildMissingApps } from '../apps/e2e/src/processes.ts';
import { SETTINGS as GATEWAY } from '../apps/gateway/src/env.ts';

interface Service {
  readonly build?: { readonly context: string; readonly dockerfile: string };
  readonly image?: string;
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly volumes?: readonly string[];
  readonly deploy?: { readonly replicas: number };
  readonly healthcheck?: object;
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
}

const root = path.resolve(import.meta.dirname, '..');
const text = fs.readFileSync(path.join(root, 'docker-compose.yml'), 'utf8');
const { services } = parse(text, { merge: true }) as { services: Readonly<Record<string, Service>> };
const service = (name: string): Service => services[name] ?? {};
const image = fs.readFileSync(path.join(root, 'deploy/image/Containerfile'), 'utf8');

const names = (settings: readonly { readonly name: string }[]): string[] => settings.map(({ name }) => name);
const ourOwn = (variables: readonly string[]): string[] =>
  variables.filter((name) => /^(STRATA_|DATABASE_URL$)/.test(name));

test.each([
  ['core', CORE],
  ['migrate', CORE],
  ['gateway', GATEWAY],
])('%s receives only settings that it reads', (name, settings) => {
  const variables = ourOwn(Object.keys(service(name).environment ?? {}));
  expect(variables.length).toBeGreaterThan(0);
  expect(names(settings)).toEqual(expect.arrayContaining(variables));
});

test('every Strata variable that the file reads from the environment is a setting of a service', () => {
  const read = [...text.matchAll(/\$\{(\w+)/g)].map((match) => match[1] ?? '');
  expect(read).toContain('STRATA_ROOT_KEY');
  expect([...names(CORE), ...names(GATEWAY)]).toEqual(expect.arrayContaining(ourOwn(read)));
});

/** The settings that the compose file sets itself or that do not apply to containers, with the reason. */
const NOT_PASSED_ON: Readonly<Record<string, string>> = {
  DATABASE_URL: 'is made of CORE_DATABASE_PASSWORD',
  STRATA_OWNER_DATABASE_URL: 'is made of POSTGRES_PASSWORD, and only the migration gets it',
  STRATA_HOST: 'each has a network of its own to listen on',
  STRATA_PORT: 'is the one that the proxy knows',
  STRATA_GATEWAY_PORT: 'is the one that the proxy knows',
  STRATA_CORE_URL: 'is the core beside it',
  STRATA_TRUST_PROXY: 'there is one proxy in front',
  STRATA_UNSAFE_DATABASE: 'is not for production',
  NODE_ENV: 'is production in the images',
};

test.each([
  ['core', CORE.filter(({ name }) => !name.startsWith('STRATA_BOOTSTRAP_'))],
  ['migrate', CORE],
  ['gateway', GATEWAY],
])('every setting of %s can be set from the environment, except the listed ones', (name, settings) => {
  const { environment = {} } = service(name);
  const passedOn = names(settings).filter((setting) => environment[setting]?.startsWith(`\${${setting}:`));
  const expected = names(settings).filter((setting) => !(setting in NOT_PASSED_ON));
  expect(passedOn.sort()).toEqual(expected.sort());
});

test('no secret has a default', () => {
  const secrets = [...text.matchAll(/\$\{(\w*(?:PASSWORD|KEY|TOKEN|SECRET)\w*)([^}]*)\}/g)];
  expect(secrets.length).toBeGreaterThan(3);
  for (const [, name, rest] of secrets) expect(`${name}${rest}`).toMatch(/:(\?|-$)/);
});

test('the core and the gateway run twice behind one proxy, which is the only service with a public port', () => {
  expect(service('core').deploy?.replicas).toBe(2);
  expect(service('gateway').deploy?.replicas).toBe(2);
  expect(Object.keys(services).filter((name) => 'ports' in service(name))).toEqual(['proxy']);
});

test('the schema is migrated once, before any core starts', () => {
  expect(service('core').depends_on?.migrate?.condition).toBe('service_completed_successfully');
  expect(service('migrate').depends_on?.postgres?.condition).toBe('service_healthy');
});

test('every file that the compose file names exists', () => {
  const files = Object.values(services).flatMap(({ build, volumes = [] }) => [
    ...(build ? [path.join(build.context, build.dockerfile)] : []),
    ...volumes.map((volume) => volume.split(':')[0] ?? '').filter((source) => source.startsWith('.')),
  ]);
  expect(files.length).toBeGreaterThan(3);
  for (const file of files) expect(fs.existsSync(path.join(root, file))).toBe(true);
});

test('every long-running service has a health check', () => {
  for (const name of ['postgres', 'core', 'gateway', 'proxy']) expect(service(name)).toHaveProperty('healthcheck.test');
});

test('the image does not run as root and sets only settings that exist', () => {
  const last = image.slice(image.lastIndexOf('\nFROM '));
  expect(last).toMatch(/^USER [1-9]\d*:[1-9]\d*$/m);
  const variables = [...last.matchAll(/(\w+)=/g)].map((match) => match[1] ?? '');
  expect(ourOwn(variables).length).toBeGreaterThan(0);
  for (const settings of [CORE, GATEWAY]) expect(names(settings)).toEqual(expect.arrayContaining(ourOwn(variables)));
});

/** Runs the command of a service with programs that report their arguments instead of the applications. */
function startedAs(name: string, settings: Readonly<Record<string, string>>): unknown {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'strata compose-'));
  try {
    fs.cpSync(path.join(root, 'apps/cli/dist'), path.join(directory, 'apps/cli/dist'), { recursive: true });
    for (const app of ['core', 'gateway']) {
      const main = path.join(directory, `apps/${app}/dist/main.js`);
      fs.mkdirSync(path.dirname(main), { recursive: true });
      fs.writeFileSync(main, `console.log(JSON.stringify(['${app}', process.execArgv, process.argv.slice(2)]))`);
    }
    const [program = '', ...args] = JSON.parse(/^ENTRYPOINT (.*)$/m.exec(image)?.[1] ?? '[]') as string[];
    const command = [
      ...args.map((word) => word.replace(/^\/strata\//, `${directory}/`)),
      ...(service(name).command ?? []),
    ];
    const { DATABASE_URL = '' } = service(name).environment ?? {};
    const env = { PATH: `${path.dirname(process.execPath)}:${process.env.PATH}`, DATABASE_URL, ...settings };
    return JSON.parse(execFileSync(program, command, { cwd: directory, env, encoding: 'utf8' }));
  } finally {
    fs.rmSync(directory, { recursive: true });
  }
}

beforeAll(() => buildMissingApps('cli'));

test.each([
  ['core', 'core', []],
  ['migrate', 'core', ['migrate']],
  ['gateway', 'gateway', []],
])('%s runs with the heap limit of its setting, or with the default limit', (name, app, args) => {
  for (const STRATA_HEAP_MB of ['', '640']) {
    expect(startedAs(name, { STRATA_HEAP_MB })).toEqual([app, nodeArguments({ STRATA_HEAP_MB }), args]);
  }
});

test.each([CORE, GATEWAY])('the default limit is the default of the setting', (...settings) => {
  expect(settings.find(({ name }) => name === 'STRATA_HEAP_MB')?.default).toBe(String(HEAP_MB));
});

test.each(['core', 'gateway'])('the proxy passes requests on to the port of %s', (name) => {
  const proxy = fs.readFileSync(path.join(root, 'deploy/upstreams.compose.conf'), 'utf8');
  const { environment = {} } = service(name);
  const port = environment[name === 'core' ? 'STRATA_PORT' : 'STRATA_GATEWAY_PORT'];
  expect(proxy).toContain(`server ${name}:${port} resolve;`);
});
