import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { HEAP_MB, nodeArguments } from '@strata/processes';
import { parse } from 'yaml';
import { SETTINGS as CORE } from '../apps/core/src/platform/env.ts';
import { SETTINGS as GATEWAY } from '../apps/gateway/src/env.ts';

interface Service {
  readonly build?: { readonly context: string; readonly dockerfile: string };
  readonly image?: string;
  readonly entrypoint?: readonly string[];
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
const dockerfile = (name: string): string => fs.readFileSync(path.join(root, `apps/${name}/Dockerfile`), 'utf8');

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
  DATABASE_URL: 'is made of POSTGRES_PASSWORD',
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
  for (const [, name, rest] of secrets) expect(`${name}${rest}`).toMatch(/:\?/);
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
  const watched = (name: string): boolean => 'healthcheck' in service(name) || /^HEALTHCHECK/m.test(dockerfile(name));
  for (const name of ['postgres', 'core', 'gateway', 'proxy']) expect([name, watched(name)]).toEqual([name, true]);
});

test.each(['core', 'gateway'])('the image of %s does not run as root and sets only settings that exist', (name) => {
  const file = dockerfile(name);
  const last = file.slice(file.lastIndexOf('\nFROM '));
  expect(last).toMatch(/^USER node$/m);
  const variables = [...last.matchAll(/(\w+)=/g)].map((match) => match[1] ?? '');
  expect(ourOwn(variables).length).toBeGreaterThan(0);
  expect(names(name === 'core' ? CORE : GATEWAY)).toEqual(expect.arrayContaining(ourOwn(variables)));
});

/** Returns the command of one of our services: the one of its image, unless the compose file overrides it. */
function commandOf(name: string): readonly string[] {
  const { build, entrypoint, command } = service(name);
  const file = fs.readFileSync(path.join(root, build?.dockerfile ?? ''), 'utf8');
  const ofImage = (instruction: string): string[] =>
    JSON.parse(new RegExp(`^${instruction} (.*)$`, 'm').exec(file)?.[1] ?? '[]') as string[];
  // an entrypoint in the compose file also replaces the image's command, and `$$` is an escaped `$`
  const ofFile = [...(entrypoint ?? []), ...(command ?? [])].map((word) => word.replaceAll('$$', '$'));
  if (entrypoint) return ofFile;
  return [...ofImage('ENTRYPOINT'), ...(command ? ofFile : ofImage('CMD'))];
}

/** Runs the command with a program that reports its arguments instead of the application. */
function startedAs(name: string, settings: Readonly<Record<string, string>>): unknown {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'strata compose-'));
  try {
    for (const app of ['core', 'gateway']) {
      const main = path.join(directory, `apps/${app}/dist/main.js`);
      fs.mkdirSync(path.dirname(main), { recursive: true });
      fs.writeFileSync(main, `console.log(JSON.stringify(['${app}', process.execArgv, process.argv.slice(2)]))`);
    }
    const [program = '', ...args] = commandOf(name);
    const env = { PATH: `${path.dirname(process.execPath)}:${process.env.PATH}`, ...settings };
    return JSON.parse(execFileSync(program, args, { cwd: directory, env, encoding: 'utf8' }));
  } finally {
    fs.rmSync(directory, { recursive: true });
  }
}

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
  const proxy = fs.readFileSync(path.join(root, 'tools/docker/nginx.conf'), 'utf8');
  const { environment = {} } = service(name);
  const port = environment[name === 'core' ? 'STRATA_PORT' : 'STRATA_GATEWAY_PORT'];
  expect(proxy).toContain(`server ${name}:${port} resolve;`);
});
