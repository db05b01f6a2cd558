import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { PROGRAM } from '../apps/e2e/src/command-line.ts';
import { buildMissingApps } from '../apps/e2e/src/processes.ts';
import type { Value } from '../libs/contract/src/index.ts';
import { RawClient, type RunningCore, sharedCore, type TestOrganization } from '../libs/testkit/src/index.ts';
import { Guide, parseApiKey } from './testing/guide.ts';

const SECRET = 'canary $HOME "5e1"';
/** A program that prints what it received. */
const SERVER = 'console.log(process.env.PORT, process.env.PASSWORD, process.env.STRATA_API_KEY_FILE);\n';

let core: RunningCore;
let organization: TestOrganization;
let guide: Guide;
let key: string;
beforeAll(async () => {
  core = await sharedCore();
  await buildMissingApps('cli');
});
beforeEach(async () => {
  organization = await core.organization();
  const project = await organization.project({ name: 'shop' });
  const set = async (name: string, internal_value: string, secret: boolean) => {
    const parameter = await organization.parameter({ project, name, secret });
    await organization.value({ parameter, internal_value });
  };
  await Promise.all([set('PORT', '8080', false), set('PASSWORD', SECRET, true)]);
  key = parseApiKey(await organization.authorization('VIEWER'));
});
afterEach(() => guide.remove());

/** Opens a guide, and writes the key of an account and a program that prints what it received into its folder. */
function open(name: string): void {
  guide = new Guide(name);
  fs.writeFileSync(at('key.txt'), `${key}\n`);
  fs.writeFileSync(at('server.js'), SERVER);
}

const at = (file: string) => path.join(guide.directory, file);

/** Runs the words of a command line; `strata` and `node` are those of this repository. */
function run(commandLine: readonly string[], variables: Readonly<Record<string, string>>): string {
  const [program = '', ...args] = commandLine;
  if (path.basename(program) !== 'strata') throw new Error(`${program} is not strata.`);
  const env = { PATH: `${path.dirname(process.execPath)}:${process.env.PATH}`, HOME: guide.directory, ...variables };
  return execFileSync(process.execPath, [PROGRAM, ...args], { cwd: guide.directory, env, encoding: 'utf8' });
}

/** The variables that a command line needs beside those of a guide. */
const signedIn = () => ({
  ...{ STRATA_URL: core.origin, STRATA_API_KEY: key, STRATA_PROJECT: 'shop', STRATA_ENVIRONMENT: 'production' },
});

const findCommand = (heading: string, program: string): readonly string[] =>
  guide
    .blocks(heading)
    .join()
    .split('\n')
    .find((line) => line.startsWith(program))
    ?.split(' ') ?? [];

test('the entry point and the variables of the guide for Docker start a program with its values', () => {
  open('use-with-docker');
  const [image = ''] = guide.blocks('Start the program with strata run', 'dockerfile');
  const parseInstruction = (instruction: string): string[] =>
    JSON.parse(new RegExp(`^${instruction} (.*)$`, 'm').exec(image)?.[1] ?? '[]');
  const [compose = ''] = guide.blocks('Pass the key as a secret', 'yaml');
  const { services, secrets } = parse(compose);
  expect(services.shop.environment.STRATA_API_KEY_FILE).toBe(`/run/secrets/${Object.keys(secrets)[0]}`);
  // The program of this test ends by itself, so there is nothing to follow.
  const command = [...parseInstruction('ENTRYPOINT'), ...parseInstruction('CMD')].filter((word) => word !== '--watch');
  const environment = { ...services.shop.environment, STRATA_URL: core.origin, STRATA_API_KEY_FILE: at('key.txt') };
  expect(run(command, environment)).toBe(`8080 ${SECRET} undefined\n`);
});

test('the guide for Docker exports a file that only its owner can read', () => {
  open('use-with-docker');
  run(findCommand('Export a file', 'strata'), signedIn());
  expect(fs.readFileSync(at('production.env'), 'utf8')).toBe(`PASSWORD=${SECRET}\nPORT=8080\n`);
  expect(fs.statSync(at('production.env')).mode & 0o777).toBe(0o600);
});

test('the unit of the guide for systemd starts a program with its values, also without Strata', () => {
  open('use-with-systemd');
  const [unit = ''] = guide.blocks('Create the unit', 'ini');
  const filled = unit.replaceAll('%d', guide.directory).replaceAll('%C', guide.directory);
  const lines = (name: string) => [...filled.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, text = '']) => text);
  const environment = Object.fromEntries(
    lines('Environment').flatMap((line) => line.split(' ').map((assignment) => assignment.split(/=(.*)/s))),
  );
  const [credential = ''] = lines('LoadCredential');
  fs.renameSync(at('key.txt'), at(credential.split(':')[0] ?? ''));
  const command = (lines('ExecStart')[0] ?? '')
    .split(' ')
    .filter((word) => word !== '--watch')
    .map((word) => word.replace('/usr/local/bin/node', process.execPath))
    .map((word) => word.replace('/opt/shop/server.js', at('server.js')));

  expect(run(command, { ...environment, STRATA_URL: core.origin })).toBe(`8080 ${SECRET} undefined\n`);
  const offline = command.flatMap((word) => (word === 'run' ? ['run', '--offline'] : [word]));
  expect(run(offline, { ...environment, STRATA_URL: core.origin })).toBe(`8080 ${SECRET} undefined\n`);
});

test('the guide for Kubernetes creates a ConfigMap and a Secret', () => {
  open('use-with-kubernetes');
  run(findCommand('Create manifests in a build', 'strata'), signedIn());
  const manifests = fs.readFileSync(at('values.yaml'), 'utf8');
  const metadata = { name: 'shop', namespace: 'prod' };
  expect(manifests.split('---\n').map((manifest) => parse(manifest))).toEqual([
    { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { PORT: '8080' } },
    { apiVersion: 'v1', kind: 'Secret', metadata, type: 'Opaque', stringData: { PASSWORD: SECRET } },
  ]);
});

/** The requests of the provider `cloudtruth/cloudtruth`, which the guide configures. */
test('the requests of the Terraform provider for existing clients are answered for a VIEWER', async () => {
  open('use-with-terraform');
  const client = new RawClient(core.origin, `Api-Key ${key}`);
  type Named = { readonly results: readonly { readonly id: string; readonly name: string }[] };
  const id = async (path: string, name: string) => {
    const { status, body } = await client.get<Named>(path);
    expect([path, status]).toEqual([path, 200]);
    return body.results.find((item) => item.name === name)?.id;
  };
  const [project] = [await id('projects/', 'shop'), await id('users/', ''), await id('groups/', '')];
  expect(await id('types/?page_size=0', 'integer')).toBeDefined();
  const production = await id('environments/', 'production');

  for (const environment of ['production', production]) {
    const path = `projects/${project}/parameters/?environment=${environment}`;
    const { body } = await client.get<{ results: readonly { name: string; values: Record<string, Value | null> }[] }>(
      path,
    );
    const values = body.results.map(({ name, values: texts }) => [
      name,
      ...Object.values(texts).map((cell) => cell?.value),
    ]);
    expect(values).toEqual([
      ['PASSWORD', SECRET],
      ['PORT', '8080'],
    ]);
  }
});
