import fs from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { SETTINGS as CORE } from '../apps/core/src/platform/env.ts';
import { SETTINGS as GATEWAY } from '../apps/gateway/src/env.ts';
import { HEAP_MB, nodeArguments } from './node-arguments.mjs';

interface Service {
  readonly build?: { readonly context: string; readonly dockerfile: string };
  readonly image?: string;
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
])('%s is given only settings that it reads', (name, settings) => {
  const variables = ourOwn(Object.keys(service(name).environment ?? {}));
  expect(variables.length).toBeGreaterThan(0);
  expect(names(settings)).toEqual(expect.arrayContaining(variables));
});

test('every variable of ours that the file reads from outside is a setting of a service', () => {
  const read = [...text.matchAll(/\$\{(\w+)/g)].map((match) => match[1] ?? '');
  expect(read).toContain('STRATA_ROOT_KEY');
  expect([...names(CORE), ...names(GATEWAY)]).toEqual(expect.arrayContaining(ourOwn(read)));
});

test('no secret has a default', () => {
  const secrets = [...text.matchAll(/\$\{(\w*(?:PASSWORD|KEY|TOKEN|SECRET)\w*)([^}]*)\}/g)];
  expect(secrets.length).toBeGreaterThan(3);
  for (const [, name, rest] of secrets) expect(`${name}${rest}`).toMatch(/:\?/);
});

test('the core and the gateway run twice, behind one proxy that alone has a port outside', () => {
  expect(service('core').deploy?.replicas).toBe(2);
  expect(service('gateway').deploy?.replicas).toBe(2);
  expect(Object.keys(services).filter((name) => 'ports' in service(name))).toEqual(['proxy']);
});

test('the schema is migrated once, before any core starts', () => {
  expect(service('core').depends_on?.migrate?.condition).toBe('service_completed_successfully');
  expect(service('migrate').depends_on?.postgres?.condition).toBe('service_healthy');
});

test('every file that it names exists', () => {
  const files = Object.values(services).flatMap(({ build, volumes = [] }) => [
    ...(build ? [path.join(build.context, build.dockerfile)] : []),
    ...volumes.map((volume) => volume.split(':')[0] ?? '').filter((source) => source.startsWith('.')),
  ]);
  expect(files.length).toBeGreaterThan(3);
  for (const file of files) expect(fs.existsSync(path.join(root, file))).toBe(true);
});

test('everything that keeps running is watched for its health', () => {
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

test.each(['core', 'gateway'])('the image of %s starts Node with the ceiling that it has elsewhere', (name) => {
  const [command = ''] = dockerfile(name).match(/^CMD .*$/m) ?? [];
  for (const argument of nodeArguments({ STRATA_HEAP_MB: '' })) {
    expect(command).toContain(argument.replace(/\d+$/, (size) => `\${STRATA_HEAP_MB:-${size}}`));
  }
  const settings = name === 'core' ? CORE : GATEWAY;
  expect(settings.find((setting) => setting.name === 'STRATA_HEAP_MB')?.default).toBe(String(HEAP_MB));
});

test.each(['core', 'gateway'])('the proxy passes requests on to the port of %s', (name) => {
  const proxy = fs.readFileSync(path.join(root, 'tools/docker/nginx.conf'), 'utf8');
  const { environment = {} } = service(name);
  const port = environment[name === 'core' ? 'STRATA_PORT' : 'STRATA_GATEWAY_PORT'];
  expect(proxy).toContain(`server ${name}:${port} resolve;`);
});
