import fs from 'node:fs';
import path from 'node:path';
import { type RunningCore, sharedCore } from '@strata/testkit';
import { CommandLine, CommandLineShop } from './command-line.ts';

const CANARY = 'canary-93b2e8';

let core: RunningCore;
let shop: CommandLineShop;
let strata: CommandLine;

beforeAll(async () => {
  core = await sharedCore();
});
beforeEach(async () => {
  shop = await CommandLineShop.create(core, 'CONTRIB', 'staging');
  ({ strata } = shop);
});
afterEach(() => strata.remove());

/** Writes files by their paths in the home folder. */
function write(files: Readonly<Record<string, string | object>>): void {
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(strata.home, name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content, undefined, 2));
  }
}

/** Returns the effective values by name, and which names are secret. */
async function values(environment = 'staging') {
  const args = ['list', '--environment', environment, '--reveal'];
  const listed = await strata.json<readonly { name: string; value: string; secret: boolean }[]>(args);
  return {
    texts: Object.fromEntries(listed.map(({ name, value }) => [name, value])),
    secrets: listed.filter(({ secret }) => secret).map(({ name }) => name),
  };
}

test('files are planned, imported as one changeset, and store nothing when they are imported again', async () => {
  await shop.set('PORT', '8080');
  write({
    '.env.production': `PORT=8443\nDB_PASSWORD=${CANARY}\n`,
    'staging.yaml': 'PORT: 8081\ndb:\n  host: db\n',
  });
  const files = ['import', '.env.production', 'staging.yaml'];
  const planned = await strata.run([...files, '--dry-run']);
  const hash = /^Plan hash (.+)$/m.exec(planned.stdout)?.[1] ?? '';
  expect([planned.code, planned.stderr]).toEqual([
    0,
    expect.stringMatching(/DB_PASSWORD +production +new parameter +yes: named like a credential/),
  ]);
  expect((await strata.run(files)).code).toBe(2);
  expect((await values()).texts).toEqual({ PORT: '8080' });

  const applied = await strata.run([...files, '--plan', hash]);
  expect([applied.code, applied.stdout]).toEqual([0, expect.stringMatching(/^Revision \d+: /)]);
  expect(await values()).toEqual({ texts: { PORT: '8081', db_host: 'db' }, secrets: [] });
  expect(await values('production')).toEqual({
    ...{ texts: { PORT: '8443', DB_PASSWORD: CANARY }, secrets: ['DB_PASSWORD'] },
  });
  const secondRun = await strata.run([...files, '--yes']);
  expect([secondRun.code, secondRun.stdout]).toEqual([0, expect.stringContaining('Nothing has changed')]);
  expect([planned, applied, secondRun].map(({ stdout, stderr }) => stdout + stderr).join('')).not.toContain(CANARY);
});

test('references are reported and stored as text, unless --resolve-references is set', async () => {
  await shop.set('HOST', 'example.com');
  const shell = (name: string) => `$\{${name}}`;
  write({ '.env.staging': `URL=http://{{ HOST }}:${shell('PORT')}\nPORT=80\nNOTE=${shell('GONE')}\n` });
  const files = ['import', '.env.staging', '--yes'];
  const literal = await strata.run(files);
  expect([literal.code, literal.stderr]).toEqual([0, expect.stringContaining('Add --resolve-references')]);
  expect(literal.stderr).toContain('.env.staging:1: URL. It refers to HOST, PORT.');
  expect((await values()).texts).toMatchObject({ URL: `http://{{ HOST }}:${shell('PORT')}`, NOTE: shell('GONE') });

  const resolved = await strata.run([...files, '--resolve-references']);
  expect(resolved.stderr).toContain('.env.staging:3: NOTE. The project has no parameter named GONE.');
  expect(resolved.stderr).not.toContain('.env.staging:1: URL.');
  expect(resolved.stderr).toMatch(/URL +staging +changed with references/);
  expect((await values()).texts).toMatchObject({ URL: 'http://example.com:80', NOTE: shell('GONE') });
  expect((await strata.run([...files, '--resolve-references'])).stdout).toContain('Nothing to import');
});

test('environments as top-level keys, nested names, and the choice of secrets', async () => {
  write({ 'all.json': { staging: { db: { token: 'a', port: 1 } }, production: { db: { token: 'b' } } } });
  const args = ['import', 'all.json', '--separator', '.', '--plain', 'db.token', '--secret', 'db.port', '--yes'];
  expect((await strata.run(args)).code).toBe(0);
  expect(await values()).toEqual({ texts: { 'db.token': 'a', 'db.port': '1' }, secrets: ['db.port'] });
  expect((await values('production')).texts).toEqual({ 'db.token': 'b' });
});

test('standard input is imported into the selected environment, and --create-project creates the project', async () => {
  const input = 'PORT=1\n';
  const missing = await strata.run(['import', '-', '--yes', '--project', 'cart'], { input });
  expect([missing.code, missing.stderr]).toEqual([4, expect.stringContaining('"cart" does not exist')]);
  const admin = await CommandLine.signedIn(core.origin, await shop.organization.authorization('ADMIN'), 'cart');
  const createdRun = await admin.run(['import', '-', '--yes', '--create-project', '-e', 'production'], { input });
  expect([createdRun.code, createdRun.stdout]).toEqual([0, expect.stringContaining('create Project cart')]);
  expect((await admin.run(['get', 'PORT', '-e', 'production'])).stdout).toBe('1\n');
  admin.remove();
});

const response = (data: object) => ({ request_id: '1', lease_id: '', lease_duration: 0, renewable: false, data });
const version2 = (data: object) => response({ data, metadata: { created_time: '2026-11-01T00:00:00Z', version: 2 } });

test('a folder with exports of Vault is joined by the names of folders and files, and everything is secret', async () => {
  write({
    'vault/production/db.json': version2({ user: 'shop', password: CANARY }),
    'vault/production/cache.json': response({ password: 'p' }),
    'vault/staging.json': version2({ TOKEN: CANARY }),
  });
  const { code, stdout, stderr } = await strata.run(['import', 'vault', '--format', 'vault', '--yes']);
  expect([code, stdout + stderr]).toEqual([0, expect.not.stringContaining(CANARY)]);
  expect(await values()).toEqual({ texts: { TOKEN: CANARY }, secrets: ['TOKEN'] });
  expect(await values('production')).toEqual({
    texts: { db_user: 'shop', db_password: CANARY, cache_password: 'p' },
    secrets: ['cache_password', 'db_password', 'db_user'],
  });
});

test('exports of Doppler and Infisical are secret unless --plain says otherwise', async () => {
  write({
    'staging.json': {
      DOPPLER_PROJECT: 'shop',
      DOPPLER_CONFIG: 'stg',
      DOPPLER_ENVIRONMENT: 'stg',
      PORT: '1',
      A: CANARY,
    },
    'production.json': [
      { key: 'PORT', value: '2', type: 'shared', _id: '1', secretPath: '/' },
      { key: 'B', value: CANARY, type: 'shared', _id: '2', secretPath: '/' },
    ],
  });
  const { code, stdout, stderr } = await strata.run([
    'import',
    'staging.json',
    'production.json',
    '--plain',
    'PORT',
    '--yes',
  ]);
  expect([code, stdout + stderr]).toEqual([0, expect.not.stringContaining(CANARY)]);
  expect(await values()).toEqual({ texts: { PORT: '1', A: CANARY }, secrets: ['A'] });
  expect(await values('production')).toEqual({ texts: { PORT: '2', B: CANARY }, secrets: ['B'] });

  write({ 'other.staging.json': [{ key: 'A', value: CANARY, type: 'shared', _id: '1' }] });
  const twice = await strata.run(['import', 'staging.json', 'other.staging.json', '--plain', 'PORT', '--yes']);
  expect([twice.code, twice.stderr]).toEqual([2, expect.stringMatching(/staging\.json:\d+: A/)]);
});

test('a secret never becomes the value of a parameter that exists and is not secret', async () => {
  await shop.set('TOKEN', 'public');
  write({ 'vault.staging.json': version2({ TOKEN: CANARY }) });
  const rejected = await strata.run(['import', 'vault.staging.json', '--yes']);
  expect([rejected.code, rejected.stderr]).toEqual([7, expect.stringContaining('not secret: TOKEN')]);
  expect((await values()).texts).toEqual({ TOKEN: 'public' });
  expect((await strata.run(['import', 'vault.staging.json', '--yes', '--plain', 'TOKEN'])).code).toBe(0);
});

test('a file whose name may mean another environment is not imported into the selected one', async () => {
  write({ '.env': 'A=1', 'prod.env': 'A=2', 'prod/.env': 'A=3', 'env/prod/db.json': response({ password: CANARY }) });
  for (const files of [['prod.env'], ['.env', 'prod.env'], ['prod/.env'], ['env', '--format', 'vault']]) {
    const { code, stderr } = await strata.run(['import', ...files, '--yes']);
    const hint = /names no environment\.[\s\S]*Add --environment\. Existing environments: .*production/;
    expect([files, code, stderr]).toEqual([files, 2, expect.stringMatching(hint)]);
  }
  expect((await values()).texts).toEqual({});
  expect((await strata.run(['import', '.env', '--yes'])).code).toBe(0);
  expect((await strata.run(['import', 'prod.env', '-e', 'production', '--yes'])).code).toBe(0);
  expect([(await values()).texts, (await values('production')).texts]).toEqual([{ A: '1' }, { A: '2' }]);
});

test('invalid lines, names and environments change nothing, and quote no value', async () => {
  write({ '.env': `PORT=1\n${CANARY}\n`, 'broken.json': `{ "a": ${CANARY}`, 'all.yaml': 'staging: { A: 1 }\n' });
  const run = async (...args: readonly string[]) => {
    const { code, stderr } = await strata.run(['import', ...args, '--yes']);
    expect(stderr).not.toContain(CANARY);
    return [code, stderr];
  };
  expect(await run('.env')).toEqual([2, expect.stringMatching(/\.env:2: [\s\S]*--skip-invalid/)]);
  expect(await run('broken.json', '-e', 'staging')).toEqual([2, expect.stringContaining('broken.json:1: ')]);
  expect(await run('.env', '--skip-invalid', '--secret', 'PORTT')).toEqual([2, expect.stringContaining('"PORTT"')]);
  expect(await run('.env', '--skip-invalid', '-e', 'prod')).toEqual([4, expect.stringContaining('production')]);
  expect(await run('all.yaml', '-e', 'staging')).toEqual([2, expect.stringContaining('names its environments')]);
  expect(await run('none.env')).toEqual([2, expect.stringContaining('cannot be read')]);
  expect(await run(strata.home)).toEqual([2, expect.stringContaining('is a folder')]);
  expect((await values()).texts).toEqual({});
  expect(await run('.env', '--skip-invalid')).toEqual([0, expect.stringContaining('.env:2: ')]);
});

test('an environment is named by whole parts of a name between dots, and by nothing ambiguous', async () => {
  write({
    'pre-production.env': 'A=1',
    'staging.production.env': 'A=2',
    'database.yml': 'staging: { A: 3 }\nproduction: { A: 4 }\ntest: { A: 5 }\n',
    'both.yaml': 'A: 1\n---\nA: 2\n',
  });
  const errors = {
    'pre-production.env': /names no environment/,
    'staging.production.env': /names several environments: .*staging.*\n.*--environment/,
    'database.yml': /also other keys: test\./,
  };
  for (const [file, error] of Object.entries(errors)) {
    const { code, stderr } = await strata.run(['import', file, '--yes']);
    expect([file, code, stderr]).toEqual([file, 2, expect.stringMatching(error)]);
  }
  const documents = await strata.run(['import', 'both.yaml', '-e', 'staging', '--yes']);
  expect([documents.code, documents.stderr]).toEqual([2, expect.stringContaining('Another YAML document')]);
  expect([(await values()).texts, (await values('production')).texts]).toEqual([{}, {}]);
});

test('an export of Consul is decoded, and lines without a value are listed', async () => {
  const entry = (key: string, value: string) => ({ key, flags: 0, value: Buffer.from(value).toString('base64') });
  write({ 'kv.staging.json': [entry('shop/', ''), entry('shop/port', '5432')] });
  const { code, stderr } = await strata.run(['import', 'kv.staging.json', '--yes']);
  expect([code, stderr]).toEqual([0, expect.stringMatching(/Skipped:\n.*shop\/ is a folder/)]);
  expect(await values()).toEqual({ texts: { shop_port: '5432' }, secrets: [] });
});

test('an encrypted file is rejected with the program that decrypts it, in every format', async () => {
  write({ 'staging.yaml': 'A: ENC[AES256_GCM,data:x,iv:y,tag:z,type:str]\nsops:\n  mac: m\n' });
  for (const format of [[], ['--format', 'yaml'], ['--skip-invalid']]) {
    const { stderr } = await strata.run(['import', 'staging.yaml', '--yes', ...format]);
    expect(stderr).toMatch(/staging\.yaml:1: .*encrypted by sops.*sops decrypt/);
  }
  expect((await values()).texts).toEqual({});
});
