import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import type { Rotation, Value } from '../libs/contract/src/index.ts';
import {
  AWS_CREDENTIALS,
  createIamUser,
  type OwnCore,
  startCore,
  startTestAws,
  type TestOrganization,
} from '../libs/testkit/src/index.ts';
import { Guide, parseApiKey } from './testing/guide.ts';

const aws = await startTestAws();
const itWithAws = aws.missing === null ? it : it.skip;

let guide: Guide;
let core: OwnCore;
let database: pg.Client;
let organization: TestOrganization;
beforeAll(async () => {
  guide = new Guide('rotate-secrets');
  const { path: installed, commands } = installCommand();
  core = await startCore({
    STRATA_PRIVATE_DESTINATIONS: 'true',
    STRATA_AWS_ACCESS_KEY_ID: AWS_CREDENTIALS.accessKeyId,
    STRATA_AWS_SECRET_ACCESS_KEY: AWS_CREDENTIALS.secretAccessKey,
    STRATA_AWS_ENDPOINT_URL: aws.endpoint,
    STRATA_ROTATION_COMMANDS: commands.replace('/opt/strata/rotate-tokens', installed),
  });
  database = new pg.Client({ connectionString: core.database.url });
  await database.connect();
});
afterAll(async () => {
  await database.end();
  await core.close();
  await aws.close();
  guide.remove();
});
beforeEach(async () => {
  organization = await core.organization();
});

/** Writes the executable of the guide, and returns its path and the setting that names it. */
function installCommand(): { readonly path: string; readonly commands: string } {
  const installed = path.join(guide.directory, 'rotate-tokens');
  const [program = ''] = guide.blocks('Rotate with a command', 'js');
  fs.writeFileSync(installed, program.replace('/usr/bin/env node', process.execPath), { mode: 0o755 });
  const [setting = ''] = guide.blocks('Rotate with a command', 'ini');
  return { path: installed, commands: setting.trim().replace('STRATA_ROTATION_COMMANDS=', '') };
}

/** A secret, and a function that runs code of the guide about it. */
async function createSecret(text: string) {
  const parameter = await organization.parameter({ secret: true });
  const environment = await organization.environmentNamed('production');
  const value = await organization.value({ parameter, environment, internal_value: text });
  const KEY = parseApiKey(await organization.authorization('OWNER'));
  const scope = { API: `${core.origin}/api/v1`, KEY, PARAMETER: parameter.url, ENVIRONMENT: environment.url };
  const run = async (section: string, variables: Readonly<Record<string, string>> = {}): Promise<Rotation> =>
    JSON.parse(await guide.run(guide.code(section), { ...scope, ...variables }));
  const read = async () => (await organization.owner.get<Value>(value.url)).body.value ?? '';
  return { run, read };
}

/** Rotates as the guide says, and waits until the previous credential is revoked. */
async function rotate(
  { run }: Awaited<ReturnType<typeof createSecret>>,
  { id: ROTATION, url }: Rotation,
): Promise<Rotation> {
  // The reader would wait for the grace period.
  await organization.owner.patch(url, { grace_seconds: 0 });
  await run('Rotate now', { ROTATION });
  const deadline = Date.now() + 120_000;
  for (;;) {
    const rotation = await run('See what a rotation waits for', { ROTATION });
    if (rotation.state === 'idle') return rotation;
    if (rotation.state === 'stopped' || Date.now() > deadline) throw new Error(JSON.stringify(rotation));
  }
}

describe('the guide on rotations', () => {
  it('alternates two roles of a PostgreSQL server', async () => {
    const id = randomBytes(4).toString('hex');
    const [roles = ''] = guide.blocks('Create two roles', 'sql');
    await database.query(roles.replace(/\b(strata|shop_a|shop_b)\b/g, `$1_${id}`));
    const names = { ADMIN: `strata_${id}`, ROLE_A: `shop_a_${id}`, ROLE_B: `shop_b_${id}` };
    const address = new URL(core.database.url);
    const { hostname: HOST, port: PORT, pathname } = address;
    const server = { HOST, PORT, DATABASE: pathname.slice(1), ADMIN_PASSWORD: 'admin-password', TLS: 'false' };
    Object.assign(address, { username: names.ROLE_A, password: 'first-password' });
    const secret = await createSecret(address.href);

    const created = await secret.run('Create the rotation', { ...names, ...server });
    expect(created).toMatchObject({ state: 'idle', grace_seconds: 60 });
    expect(await rotate(secret, created)).toMatchObject({ published_credential: names.ROLE_B });

    const client = new pg.Client({ connectionString: await secret.read() });
    await client.connect();
    await client.end();
    const { rows } = await database.query('select rolcanlogin from pg_roles where rolname = $1', [names.ROLE_A]);
    expect(rows).toEqual([{ rolcanlogin: false }]);
    await database.query(`drop role ${names.ROLE_A}; drop role ${names.ROLE_B}; drop role ${names.ADMIN}`);
  });

  itWithAws(
    `alternates the access keys of an IAM user with the rights that it lists (${aws.missing ?? 'moto'})`,
    async () => {
      const user = await createIamUser(aws);
      const secret = await createSecret(JSON.stringify(user.firstKey));
      aws.clear();

      const created = await secret.run('Rotate AWS access keys', { ACCOUNT: user.account, AWS_USER: user.name });
      expect(created).toMatchObject({ state: 'idle', grace_seconds: 21_600 });
      await rotate(secret, created);
      const second = JSON.parse(await secret.read());
      await rotate(secret, created);

      const used = new Set(aws.calls().map(({ operation }) => `iam:${operation}`));
      const third = JSON.parse(await secret.read());
      expect(await user.keys()).toEqual({ [second.access_key_id]: 'Inactive', [third.access_key_id]: 'Active' });
      const [policy = ''] = guide.blocks('Rotate AWS access keys', 'json');
      const { Statement: statements }: { Statement: { Action: string | string[] }[] } = JSON.parse(policy);
      // Every identity may call these two, which belong to STS.
      for (const operation of ['AssumeRole', 'GetCallerIdentity']) used.delete(`iam:${operation}`);
      expect([...used].sort()).toEqual(statements.flatMap(({ Action: action }) => action).sort());
      user.close();
    },
  );

  it('replaces the token of a proxy with the command that it lists', async () => {
    const TOKENS = path.join(guide.directory, 'tokens');
    fs.writeFileSync(TOKENS, 'first first-token\n');
    const secret = await createSecret('first-token');

    const created = await secret.run('Rotate with a command', { TOKENS });
    expect(created).toMatchObject({ state: 'idle', interval_days: 30 });
    const { published_credential: name } = await rotate(secret, created);

    const token = await secret.read();
    expect(token).not.toBe('first-token');
    expect(fs.readFileSync(TOKENS, 'utf8')).toBe(`${name} ${token}\n`);
  });
});
