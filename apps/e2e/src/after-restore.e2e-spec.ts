import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { findFreePort } from '@strata/processes';
import {
  createTestDatabase,
  organization,
  type TestDatabase,
  type TestOrganization,
  testCredentials,
} from '@strata/testkit';
import pg from 'pg';
import { buildMissingApps, startService } from './processes.ts';

const PROGRAM = path.resolve(import.meta.dirname, '../../cli/dist/main.js');

let database: TestDatabase;
beforeAll(() => buildMissingApps('core', 'cli'));
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.drop());

function afterRestore(rootKey = testCredentials().rootKey) {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const env = { PATH, NODE_COMPILE_CACHE, DATABASE_URL: database.url, STRATA_ROOT_KEY: rootKey };
  return new Promise<{ readonly code: number; readonly text: string }>((resolve) => {
    execFile(process.execPath, [PROGRAM, 'after-restore'], { env }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, text: `${stdout}${stderr}` }),
    );
  });
}

async function query(sql: string): Promise<readonly Readonly<Record<string, string>>[]> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const { rows } = await client.query<Record<string, string>>(sql).finally(() => client.end());
  return rows;
}

const epochs = () => query('select organization_id, epoch from organization_head order by 1');

/** Runs a core, creates a secret through its API, and stops the core. */
async function createSecret(beforeStop?: (organization: TestOrganization) => Promise<unknown>): Promise<void> {
  const { rootKey, ...owner } = testCredentials();
  const core = await startService('core', await findFreePort(), {
    ...{ DATABASE_URL: database.url, STRATA_ROOT_KEY: rootKey },
    ...{ STRATA_UNSAFE_DATABASE: 'true', STRATA_GRACE_SECONDS: '0' },
  });
  const restoredOrganization = await organization({ ...owner, origin: core.origin });
  await restoredOrganization.value({
    parameter: await restoredOrganization.parameter({ secret: true }),
    internal_value: 'hidden',
  });
  await beforeStop?.(restoredOrganization);
  await core.end('SIGTERM');
}

test('gives each organization a new epoch, and reports its ledger and its secrets', async () => {
  await createSecret();
  const before = await epochs();
  const { code, text } = await afterRestore();
  expect([code, text]).toEqual([0, expect.stringMatching(/^✓ Epoch +2 organizations have a new epoch/m)]);
  expect(text).toMatch(/^✓ Ledger +\d+ revisions of 2 organizations, without gaps, the last one of 20/m);
  expect(text).toMatch(/^✓ Secrets +1 of 1 secret decrypted, with the data keys of 2 organizations$/m);
  const after = await epochs();
  for (const [index, { epoch }] of before.entries()) expect(after[index]?.epoch).not.toBe(epoch);
});

test('ends all sessions, because those that were ended after the backup would be valid again', async () => {
  await createSecret();
  await query(
    `insert into session (id, secret_hmac, person_id, token_version, method, client, address, created_at, expires_at)
     select gen_random_uuid(), '', id, 1, 'password', '', '', now(), now() + interval '1 hour' from person limit 1`,
  );

  const { text } = await afterRestore();

  expect(text).toMatch(/^✓ Sessions +1 session ended: users sign in again$/m);
  expect(await query('select id from session')).toEqual([]);
});

test('suspends destinations, because receivers may know a later state', async () => {
  await createSecret(({ owner }) =>
    owner.post('destinations/', {
      ...{ name: 'endpoint', type: 'http', event_types: ['project_created'], address: 'https://receiver.example/' },
    }),
  );

  const { text } = await afterRestore();

  expect(text).toMatch(/^✓ Destinations +1 destination suspended: /m);
  expect(await query('select state, state_reason from destination')).toEqual([
    { state: 'suspended', state_reason: 'restored: confirm' },
  ]);
});

test('stops with an error while a core is connected, and with another root key', async () => {
  const before = await epochs();
  await createSecret(async () => {
    const { code, text } = await afterRestore();
    expect([code, text]).toEqual([1, expect.stringMatching(/other connections? uses? this database\. Stop all cores/)]);
  });
  const { code, text } = await afterRestore(randomBytes(32).toString('base64'));
  expect([code, text]).toEqual([1, expect.stringContaining('The backup needs the root key')]);
  expect(await epochs()).toEqual(expect.arrayContaining([...before]));
});

const damage = (sql: string) => query(`set session_replication_role = replica; ${sql}`);

test.each([
  [
    'a revision is missing',
    'delete from changeset',
    /Ledger +Revisions are missing in My organization\. The backup is/,
  ],
  ['the head is too late', 'update organization_head set revision = revision + 1', /Ledger +Revisions are missing in/],
  [
    'the head has another time than its changeset',
    `update organization_head set at = at - interval '1 second'`,
    /Ledger +Revisions are missing in/,
  ],
  [
    'a change has no changeset',
    `insert into change (organization_id, revision, ordinal, action, object_type, object_id, object_name)
     select organization_id, 999, 1, 'create', 'Project', '1', 'P' from organization_head`,
    /Ledger +1 change without a changeset/,
  ],
])('reports that %s', async (_, sql, expected) => {
  await damage(sql);
  const { code, text } = await afterRestore();
  expect([code, text]).toEqual([1, expect.stringMatching(expected)]);
});

test('reports a secret that cannot be decrypted', async () => {
  await createSecret();
  await damage('update value set sealed = set_byte(sealed, 30, get_byte(sealed, 30) # 1) where sealed is not null');
  const { code, text } = await afterRestore();
  const expected =
    /Secrets +1 of 1 secrets cannot be decrypted, such as the value [0-9a-f-]{36}\. .* restore another one/;
  expect([code, text]).toEqual([1, expect.stringMatching(expected)]);
});
