import { type ChildProcess, execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { promisify } from 'node:util';
import type { AuthToken, Page, Value } from '@strata/contract';
import {
  type OwnCore,
  RawClient,
  type RunningCore,
  startCore,
  type TestOrganization,
  testCredentials,
} from '@strata/testkit';
import pg from 'pg';
import { buildMissingApps, eventually } from './processes.ts';

const PROGRAM = path.resolve(import.meta.dirname, '../../cli/dist/main.js');
const { rootKey: OLD, ownerEmail: email, ownerPassword: password } = testCredentials();

interface Installation {
  readonly newKey: string;
  /** A core with both keys. Its database is that of the test. */
  readonly core: OwnCore;
}

const opened: { close(): Promise<void> }[] = [];
beforeAll(() => buildMissingApps('core', 'cli'));
afterEach(async () => {
  for (const resource of opened.splice(0).reverse()) await resource.close();
});

const bothKeys = (newKey: string) => ({ STRATA_ROOT_KEY: newKey, STRATA_PREVIOUS_ROOT_KEY: OLD });

async function startInstallation(): Promise<Installation> {
  const newKey = randomBytes(32).toString('base64');
  const core = await startCore(bothKeys(newKey));
  opened.push(core);
  return { newKey, core };
}

async function startAnother(core: RunningCore, settings: Readonly<Record<string, string>>): Promise<OwnCore> {
  const another = await core.another(settings);
  const isClosed = { now: false };
  const close = async () => {
    if (!isClosed.now) await another.close();
    isClosed.now = true;
  };
  opened.push({ close });
  return { ...another, close };
}

/** Runs `strata keys …` as an operator. */
function keys({ core }: Pick<Installation, 'core'>, settings: Readonly<Record<string, string>>, ...args: string[]) {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const env = { PATH, NODE_COMPILE_CACHE, DATABASE_URL: core.database.url, ...settings };
  return promisify(execFile)(process.execPath, [PROGRAM, 'keys', ...args], { env });
}

const listKeys = async (installation: Installation) =>
  JSON.parse((await keys(installation, bothKeys(installation.newKey), 'list', '--json')).stdout) as {
    readonly active: string;
    readonly current: string;
    readonly remaining_keys: number;
  };

async function signIn(core: RunningCore): Promise<string> {
  const { body } = await new RawClient(core.origin, null).post<AuthToken>('auth/session/', { email, password });
  return `Bearer ${body.access_token}`;
}

/** Credentials and other texts of a client, whose keys an earlier release derived from the root key. */
interface ClientState {
  readonly session: string;
  readonly apiKey: string;
  readonly token: string;
  readonly cursor: string;
  readonly etag: string;
  readonly secret: Value;
  readonly text: string;
}

async function collect(core: RunningCore, organization: TestOrganization): Promise<ClientState> {
  const text = `secret-${randomBytes(8).toString('hex')}`;
  const secret = await organization.value({
    parameter: await organization.parameter({ secret: true }),
    internal_value: text,
  });
  const client = organization.as('OWNER');
  const { headers } = await client.get(`${secret.url}`);
  const events = await client.get<{ readonly cursor: string }>('events/');
  return {
    session: await signIn(core),
    apiKey: await organization.authorization('OWNER'),
    token: organization.ownerAuthorization,
    cursor: events.body.cursor,
    etag: String(headers.etag),
    ...{ secret, text },
  };
}

/** Everything that the client holds is valid at this core. */
async function expectValid(core: RunningCore, credentials: ClientState): Promise<void> {
  for (const authorization of [credentials.session, credentials.apiKey, credentials.token])
    expect((await new RawClient(core.origin, authorization).get('users/current/')).status).toBe(200);
  const client = new RawClient(core.origin, credentials.apiKey);
  const path = `${new URL(credentials.secret.url).pathname}`;
  expect((await client.get<Value>(path)).body).toMatchObject({ value: credentials.text });
  const { status } = await client.get(path, { 'if-none-match': credentials.etag });
  expect(status).toBe(304);
  expect((await client.get(`events/?after=${encodeURIComponent(credentials.cursor)}`)).status).toBe(200);
}

/** Writes secrets and reads them back at alternating cores until it is stopped. Counts failed requests. */
function writeContinuously(cores: readonly RunningCore[], organization: TestOrganization, first: Value) {
  const state = { isStopped: false, requests: 0, failures: [] as unknown[] };
  const run = async () => {
    const authorization = await organization.authorization('OWNER');
    const path = `${new URL(first.url).pathname}`;
    for (let round = 0; !state.isStopped; round += 1) {
      const text = `round-${round}`;
      const [writer, reader] = [cores[round % cores.length], cores[(round + 1) % cores.length]] as RunningCore[];
      const written = await new RawClient(writer?.origin ?? '', authorization).patch(path, { internal_value: text });
      const read = await new RawClient(reader?.origin ?? '', authorization).get<Value>(path);
      state.requests += 2;
      if (written.status !== 200 || read.body.value !== text) state.failures.push(written.body, read.body);
    }
  };
  const running = run();
  return {
    state,
    stop: async () => {
      state.isStopped = true;
      await running;
      return state;
    },
  };
}

async function asOwner<Result>(core: RunningCore, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: core.database.url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

test('replaces the root key while cores write and read, and invalidates nothing that clients hold', async () => {
  const installation = await startInstallation();
  const { core, newKey } = installation;
  const second = await startAnother(core, bothKeys(newKey));
  const organization = await core.organization();
  const credentials = await collect(core, organization);
  await expectValid(second, credentials);
  const first = await organization.value({ parameter: await organization.parameter({ secret: true }) });
  const writers = writeContinuously([core, second], organization, first);
  await eventually('the writers write', () => writers.state.requests > 20);

  const { stdout } = await keys(installation, bothKeys(newKey), 'rotate');

  const requestsUntilThen = writers.state.requests;
  await eventually('the writers write', () => writers.state.requests > requestsUntilThen + 20);
  const { failures, requests } = await writers.stop();
  expect({ failures, isBusy: requests > 40 }).toEqual({ failures: [], isBusy: true });
  expect(stdout).toMatch(/^\d+ keys were encrypted with the root key [0-9a-f]{32}\. Remove STRATA_PREVIOUS_ROOT_KEY/);
  for (const running of [core, second]) await expectValid(running, credentials);
  const createdAfterwards = await second.organization();
  const heldAfterwards = await collect(second, createdAfterwards);
  const withNewKey = await startAnother(core, { STRATA_ROOT_KEY: newKey, STRATA_PREVIOUS_ROOT_KEY: '' });
  await expectValid(withNewKey, credentials);
  await expectValid(withNewKey, heldAfterwards);
  expect((await organization.as('OWNER').get<Page<unknown>>('changesets/')).status).toBe(200);
  await expect(core.another({ STRATA_ROOT_KEY: OLD, STRATA_PREVIOUS_ROOT_KEY: '' })).rejects.toThrow();
});

test('does not begin while a running core lacks the new root key', async () => {
  const installation = await startInstallation();
  const { core, newKey } = installation;
  const organization = await core.organization();
  const lacking = await startAnother(core, { STRATA_ROOT_KEY: OLD, STRATA_PREVIOUS_ROOT_KEY: '' });
  const before = await listKeys(installation);

  await expect(keys(installation, bothKeys(newKey), 'rotate')).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('A running core lacks the new root key'),
  });

  expect(await listKeys(installation)).toEqual(before);
  await expectValid(lacking, await collect(core, organization));
  await lacking.close();
  await eventually('the connections of the core end', async () =>
    keys(installation, bothKeys(newKey), 'rotate').then(
      () => true,
      () => false,
    ),
  );
  expect(await listKeys(installation)).toMatchObject({ remaining_keys: 0 });
});

test('continues after it was interrupted, and cores with both keys work in between', async () => {
  const installation = await startInstallation();
  const { core, newKey } = installation;
  const organization = await core.organization();
  const credentials = await collect(core, organization);
  await asOwner(core, async (client) => {
    await client.query('begin');
    await client.query('select from organization_key for update');
    const interrupted = keys(installation, bothKeys(newKey), 'rotate') as Promise<unknown> & { child: ChildProcess };
    interrupted.catch(() => undefined);
    await eventually('the service keys are encrypted again', async () => {
      const { active, current, remaining_keys: count } = await listKeys(installation);
      const { rows } = await client.query('select from organization_key union all select from data_key');
      return active === current && count === rows.length;
    });
    interrupted.child.kill('SIGKILL');
    await client.query('rollback');
  });
  await expectValid(core, credentials);
  const createdMeanwhile = await collect(core, await core.organization());
  expect((await listKeys(installation)).remaining_keys).toBeGreaterThan(0);

  await eventually('the interrupted command is gone', async () =>
    keys(installation, bothKeys(newKey), 'rotate').then(
      () => true,
      () => false,
    ),
  );

  expect(await listKeys(installation)).toMatchObject({ remaining_keys: 0 });
  const withNewKey = await startAnother(core, { STRATA_ROOT_KEY: newKey, STRATA_PREVIOUS_ROOT_KEY: '' });
  await expectValid(withNewKey, credentials);
  await expectValid(withNewKey, createdMeanwhile);
  expect((await keys(installation, { STRATA_ROOT_KEY: newKey }, 'rotate')).stdout).toMatch(/^All keys are encrypted/);
});

test('is rejected with a root key that does not belong to the database', async () => {
  const installation = await startInstallation();
  const foreign = randomBytes(32).toString('base64');

  await expect(keys(installation, { STRATA_ROOT_KEY: foreign }, 'rotate')).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('another STRATA_ROOT_KEY'),
  });
});

/** Returns the formats and numbers of keys of all stored texts of a value, the oldest first. */
const listSealedFormats = (core: RunningCore, { id }: Value) =>
  asOwner(core, async (client) => {
    const { rows } = await client.query<{ sealed: Buffer }>(
      'select sealed from value_history where id = $1 union all select sealed from value where id = $1 order by 1',
      [id],
    );
    return rows
      .map(({ sealed }) => (sealed[0] === 2 ? `2 with key ${sealed.readUInt16BE(1)}` : String(sealed[0])))
      .sort();
  });

/** Lets the data keys take effect at once. */
const useDataKeys = (core: RunningCore) =>
  asOwner(core, (client) => client.query(`update data_key set usable_at = now() - interval '1 second'`));

test('new data keys encrypt later secrets, also of organizations of an earlier release, and all secrets stay readable', async () => {
  const core = await startCore();
  opened.push(core);
  const installation = { core, newKey: OLD };
  await asOwner(core, (client) => client.query('update schema_compatibility set serves_cores_from = 61'));
  const organization = await core.organization();
  const value = await organization.value({
    parameter: await organization.parameter({ secret: true }),
    internal_value: 'first',
  });
  const { pathname } = new URL(value.url);
  const texts = ['first'];
  for (const text of ['second', 'third']) {
    await keys(installation, { STRATA_ROOT_KEY: OLD }, 'rotate', '--data-keys', '--organization', organization.id);
    await useDataKeys(core);
    const fresh = await startAnother(core, {});
    const client = new RawClient(fresh.origin, organization.ownerAuthorization);
    expect((await client.get<Value>(pathname)).body.value).toBe(texts.at(-1));
    expect((await client.patch(pathname, { internal_value: text })).status).toBe(200);
    texts.push(text);
    expect((await client.get<Value>(pathname)).body.value).toBe(text);
  }

  expect(await listSealedFormats(core, value)).toEqual(['1', '2 with key 1', '2 with key 2']);
  const reader = await startAnother(core, {});
  const client = new RawClient(reader.origin, organization.ownerAuthorization);
  const effective = `${pathname.split('parameters/')[0]}effective/?environment=default`;
  const revision = Number((await client.get(pathname)).headers['x-revision']);
  for (const [age, text] of texts.toReversed().entries()) {
    const { body } = await client.get<{ values: object }>(`${effective}&revision=${revision - age}`);
    expect(Object.values(body.values)).toEqual([text]);
  }
});
