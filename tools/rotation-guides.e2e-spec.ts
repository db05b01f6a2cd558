import { randomBytes } from 'node:crypto';
import pg from 'pg';
import type { Rotation, Value } from '../libs/contract/src/index.ts';
import { type OwnCore, startCore } from '../libs/testkit/src/index.ts';
import { Guide, parseApiKey } from './testing/guide.ts';

let core: OwnCore;
let database: pg.Client;
beforeAll(async () => {
  core = await startCore({ STRATA_PRIVATE_DESTINATIONS: 'true' });
  database = new pg.Client({ connectionString: core.database.url });
  await database.connect();
});
afterAll(async () => {
  await database.end();
  await core.close();
});

it('the guide on rotations alternates two roles of a PostgreSQL server', async () => {
  const guide = new Guide('rotate-secrets');
  const id = randomBytes(4).toString('hex');
  const [roles = ''] = guide.blocks('Create two roles', 'sql');
  await database.query(roles.replace(/\b(strata|shop_a|shop_b)\b/g, `$1_${id}`));
  const names = { ADMIN: `strata_${id}`, ROLE_A: `shop_a_${id}`, ROLE_B: `shop_b_${id}` };

  const organization = await core.organization();
  const { hostname: HOST, port: PORT, pathname } = new URL(core.database.url);
  const address = new URL(core.database.url);
  Object.assign(address, { username: names.ROLE_A, password: 'first-password' });
  const parameter = await organization.parameter({ secret: true });
  const environment = await organization.environmentNamed('production');
  const value = await organization.value({ parameter, environment, internal_value: address.href });
  const variables = {
    ...{ API: `${core.origin}/api/v1`, KEY: parseApiKey(await organization.authorization('OWNER')) },
    ...{ PARAMETER: parameter.url, ENVIRONMENT: environment.url, HOST, PORT, DATABASE: pathname.slice(1) },
    ...{ ...names, ADMIN_PASSWORD: 'admin-password', TLS: 'false' },
  };
  const run = async (section: string, more: Readonly<Record<string, string>> = {}): Promise<Rotation> =>
    JSON.parse(await guide.run(guide.code(section), { ...variables, ...more }));

  const created = await run('Create the rotation');
  expect(created).toMatchObject({ state: 'idle', grace_seconds: 60 });
  // The reader would wait for the grace period.
  await organization.owner.patch(created.url, { grace_seconds: 0 });
  await run('Rotate now', { ROTATION: created.id });
  let rotation = created;
  const deadline = Date.now() + 120_000;
  while (rotation.state !== 'idle' || rotation.last_rotated_at === null) {
    if (Date.now() > deadline) throw new Error(JSON.stringify(rotation));
    rotation = await run('See what a rotation waits for', { ROTATION: created.id });
  }
  guide.remove();

  expect(rotation.published_credential).toBe(names.ROLE_B);
  const published = (await organization.owner.get<Value>(value.url)).body.value ?? '';
  const client = new pg.Client({ connectionString: published });
  await client.connect();
  await client.end();
  const { rows } = await database.query('select rolcanlogin from pg_roles where rolname = $1', [names.ROLE_A]);
  expect(rows).toEqual([{ rolcanlogin: false }]);
  await database.query(`drop role ${names.ROLE_A}; drop role ${names.ROLE_B}; drop role ${names.ADMIN}`);
});
