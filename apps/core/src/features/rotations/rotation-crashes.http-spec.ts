import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import net from 'node:net';
import { fileURLToPath } from 'node:url';
import { createTestDatabase, organization, pickSample, type TestDatabase, testCredentials } from '@strata/testkit';
import pg from 'pg';
import { afterRestore, continuePushes } from '../../platform/restore/after-restore.ts';
import { readRootKeys } from '../../platform/vault/root-key.ts';
import { query } from '../../testing/query.ts';
import { canConnect, RotatedSecret } from '../../testing/rotation-fixture.ts';
import { waitUntil } from '../../testing/until.ts';

let database: TestDatabase;
let port: number;
let gate: pg.Client;
const servers: RotatedSecret['server'][] = [];

/** The number of the lock that stops a core before it stores a stage. */
const GATE = 4_711;

beforeAll(async () => {
  database = await createTestDatabase();
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  ({ port } = server.address() as net.AddressInfo);
  await new Promise((resolve) => server.close(resolve));
  gate = new pg.Client({ connectionString: database.url });
  await gate.connect();
  await gate.query(`
    create table gate (stage text);
    grant select on gate to strata_app;
    create function stop_at_gate() returns trigger language plpgsql as $$ begin
      if exists (select from gate where gate.stage = new.stage) then perform pg_advisory_xact_lock(${GATE}); end if;
      return new; end $$;
    create trigger gate before update of stage on rotation for each row when (old.stage <> new.stage) execute function stop_at_gate();`);
});
afterAll(async () => {
  await gate.end();
  for (const server of servers) await server.drop();
  await database.drop();
});

/** Starts a core in a separate process that can be killed. */
async function startChild(): Promise<ChildProcess> {
  const main = fileURLToPath(new URL('../../../dist/main.js', import.meta.url));
  const child = spawn(process.execPath, [main], {
    env: {
      PATH: process.env.PATH,
      DATABASE_URL: database.url,
      STRATA_ROOT_KEY: testCredentials().rootKey,
      STRATA_LOG_LEVEL: 'silent',
      STRATA_GRACE_SECONDS: '0',
      // The test database does not flush writes to the disk.
      STRATA_UNSAFE_DATABASE: 'true',
      STRATA_PRIVATE_DESTINATIONS: 'true',
      STRATA_PORT: String(port),
    },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  await once(child, 'message');
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL');
  await once(child, 'close');
}

async function createSecret(): Promise<RotatedSecret> {
  const { ownerEmail, ownerPassword } = testCredentials();
  const tenant = await organization({ origin: `http://127.0.0.1:${port}`, ownerEmail, ownerPassword });
  const secret = await RotatedSecret.create({ database }, tenant);
  servers.push(secret.server);
  return secret;
}

const WAITING = `select pid from pg_locks where locktype = 'advisory' and objid = ${GATE} and not granted`;

describe('a core that is killed after a step of a rotation, before the step is stored', () => {
  it.each(pickSample(['creating', 'publishing', 'acknowledging', 'draining', 'revoking', 'idle']))(
    'leaves a published credential that works, and the rotation ends: before %s',
    async (stage) => {
      let child = await startChild();
      const secret = await createSecret();
      await gate.query('select pg_advisory_lock($1)', [GATE]);
      await gate.query('insert into gate values ($1)', [stage]);
      await secret.act('rotate');
      const [waiting] = await waitUntil(
        () => query<{ pid: number }>({ database }, WAITING),
        (rows) => rows.length > 0,
      );
      const published = await secret.text();

      await kill(child);
      await gate.query('select pg_terminate_backend($1)', [waiting?.pid]);
      await gate.query('delete from gate');
      await gate.query('select pg_advisory_unlock($1)', [GATE]);
      expect(await canConnect(published)).toBe(true);
      await query({ database }, 'update rotation set lease_until = clock_timestamp() where lease_token is not null');

      child = await startChild();
      try {
        const ended = await secret.until(({ state }) => state === 'idle' || state === 'stopped');
        expect(ended).toMatchObject({ state: 'idle', published_credential: secret.server.second });
        expect([await canConnect(secret.firstAddress), await canConnect(await secret.text())]).toEqual([false, true]);
      } finally {
        await kill(child);
      }
    },
  );
});

describe('after a restore', () => {
  it('rotations wait until an operator continues them', async () => {
    let child = await startChild();
    const secret = await createSecret();
    await kill(child);
    // The connections of the core that was killed end a little later.
    const findings = await waitUntil(
      () => afterRestore(gate, readRootKeys({ STRATA_ROOT_KEY: testCredentials().rootKey })),
      ({ length }) => length > 1,
    );
    expect(findings.at(-1)).toMatchObject({ subject: 'Rotations', text: expect.stringContaining('continue-pushes') });

    child = await startChild();
    try {
      expect(await secret.read()).toMatchObject({ state: 'held', reason_code: 'restored' });
      expect((await secret.act('rotate')).status).toBe(409);
      await continuePushes(gate);
      expect(await secret.rotate()).toMatchObject({ state: 'idle' });
      expect(await canConnect(secret.firstAddress)).toBe(false);
    } finally {
      await kill(child);
    }
  });
});
