import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import net from 'node:net';
import { fileURLToPath } from 'node:url';
import type { Page, Pull, TaskStep } from '@strata/contract';
import {
  createTestDatabase,
  organization,
  pickSample,
  startTestAws,
  type TestDatabase,
  type TestOrganization,
  testCredentials,
} from '@strata/testkit';
import pg from 'pg';
import { afterRestore, continuePushes } from '../../../platform/restore/after-restore.ts';
import { readRootKeys } from '../../../platform/vault/root-key.ts';
import { integration } from '../../../testing/integrations.ts';
import { createPull, readPulledValue } from '../../../testing/pattern-pulls.ts';
import { awsSettings, PushedShop } from '../../../testing/push-fixture.ts';
import { awsTarget } from '../../../testing/push-targets.ts';
import { query } from '../../../testing/query.ts';
import { waitUntil } from '../../../testing/until.ts';

const aws = await startTestAws();
const suite = aws.missing === null ? describe : describe.skip;
let database: TestDatabase;
let port: number;
beforeAll(async () => {
  database = await createTestDatabase();
  port = await freePort();
});
afterAll(async () => {
  await database.drop();
  await aws.close();
});

async function freePort(): Promise<number> {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address() as net.AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return address.port;
}

/** Starts a core in a separate process that can be killed. */
async function startChild(childPort = port): Promise<ChildProcess> {
  const main = fileURLToPath(new URL('../../../../dist/main.js', import.meta.url));
  const child = spawn(process.execPath, [main], {
    env: {
      PATH: process.env.PATH,
      DATABASE_URL: database.url,
      STRATA_ROOT_KEY: testCredentials().rootKey,
      STRATA_LOG_LEVEL: 'silent',
      STRATA_GRACE_SECONDS: '0',
      // The test database does not flush writes to the disk.
      STRATA_UNSAFE_DATABASE: 'true',
      STRATA_PORT: String(childPort),
      ...awsSettings(aws),
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

/** Kills the core once it has called this operation, and starts another one that need not wait for the end of the lease. */
async function replaceDuring(child: ChildProcess, stoppedAt: string): Promise<ChildProcess> {
  await waitUntil(
    async () => aws.calls(),
    (calls) => calls.some(({ operation }) => operation === stoppedAt),
  );
  await kill(child);
  aws.interfere(() => null);
  await query({ database }, 'update integration set lease_until = clock_timestamp() where lease_token is not null');
  return startChild();
}

const newTenant = (): Promise<TestOrganization> => {
  const { ownerEmail, ownerPassword } = testCredentials();
  return organization({ origin: `http://127.0.0.1:${port}`, ownerEmail, ownerPassword });
};

/** Lets the next call of an operation have its effect and get no response. */
const holdAfter = (stoppedAt: string): void =>
  aws.interfere(({ operation }) => (operation === stoppedAt ? { kind: 'no_response', isExecuted: true } : null));

suite(`a core that is killed during a push (${aws.missing ?? 'moto'})`, () => {
  it.each(
    pickSample([
      ['before a key is created', 'CreateSecret', false],
      ['after a key was created', 'CreateSecret', true],
      ['before a key is changed', 'PutSecretValue', false],
      ['after a key was changed', 'PutSecretValue', true],
      ['before a key is deleted', 'DeleteSecret', false],
      ['after a key was deleted', 'DeleteSecret', true],
    ] as const),
  )('%s leaves a state that the next run repairs', async (_, stoppedAt, isExecuted) => {
    let child = await startChild();
    const tenant = await newTenant();
    aws.clear();
    const shop = await PushedShop.create(aws, tenant, { HOST: 'old', PORT: '80' }, 'secretsmanager');
    aws.interfere(({ operation }) =>
      operation === stoppedAt && stoppedAt === 'CreateSecret' ? { kind: 'no_response', isExecuted } : null,
    );
    const push = await shop.startPush();
    if (stoppedAt !== 'CreateSecret') {
      await push.ended();
      await shop.set('HOST', 'new');
      if (stoppedAt === 'DeleteSecret') await shop.remove('PORT');
      aws.interfere(({ operation }) => (operation === stoppedAt ? { kind: 'no_response', isExecuted } : null));
      await push.startMove();
    }
    child = await replaceDuring(child, stoppedAt);
    try {
      expect(await push.ended()).toMatchObject({ state: 'success', error_code: null });
      expect(await shop.texts()).toEqual({
        '/shop/HOST': stoppedAt === 'CreateSecret' ? 'old' : 'new',
        ...(stoppedAt !== 'DeleteSecret' && { '/shop/PORT': '80' }),
      });
      aws.clear();
      expect(await push.run()).toMatchObject({ state: 'success' });
      expect(aws.calls().map(({ operation }) => operation)).toEqual(['AssumeRole', 'ListSecrets']);
    } finally {
      await kill(child);
    }
  });

  it('after a deleted key was restored, before it is compared, leaves a state that the next run repairs', async () => {
    let child = await startChild();
    const shop = await PushedShop.create(aws, await newTenant(), { HOST: 'ours' }, 'secretsmanager');
    const push = await shop.push();
    await shop.remove('HOST');
    await push.move();
    await shop.set('HOST', 'ours');
    aws.clear();
    holdAfter('RestoreSecret');
    await push.startMove();
    child = await replaceDuring(child, 'RestoreSecret');
    try {
      expect(await push.ended()).toMatchObject({ state: 'success', error_code: null });
      expect(await shop.texts()).toEqual({ '/shop/HOST': 'ours' });
      expect(await push.states()).toEqual(['/shop/HOST in_sync none equal']);
    } finally {
      await kill(child);
    }
  });

  it('after a clear text was deleted, before it is created encrypted, leaves a state that the next run repairs', async () => {
    let child = await startChild();
    const tenant = await newTenant();
    const shop = await PushedShop.create(aws, tenant, {}, 'ssm');
    const parameter = await tenant.parameter({ project: shop.project, name: 'HOST' });
    const environment = await tenant.environmentNamed('production');
    await tenant.value({ parameter, environment, internal_value: 'ours' });
    const push = await shop.push({ include_parameters: true });
    expect(await shop.texts()).toEqual({ '/shop/HOST': 'ours' });
    // Only a new parameter can be secret.
    await tenant.owner.delete(parameter.url);
    await shop.set('HOST', 'ours');
    aws.clear();
    holdAfter('DeleteParameter');
    await push.startMove();
    child = await replaceDuring(child, 'DeleteParameter');
    try {
      expect(await push.ended()).toMatchObject({ state: 'success', error_code: null });
      expect(await shop.texts()).toEqual({ '/shop/HOST': 'ours' });
      expect(await push.run()).toMatchObject({ state: 'success' });
      expect(await push.states()).toEqual(['/shop/HOST in_sync none equal']);
    } finally {
      await kill(child);
    }
  });

  it('before it imports a text lets the next run import it once', async () => {
    let child = await startChild();
    const tenant = await newTenant();
    const shop = await PushedShop.create(aws, tenant, { HOST: 'ours' }, 'secretsmanager');
    const push = await shop.push();
    await tenant.owner.patch(`${push.push.url}policy/`, { drift: 'import' });
    await shop.writeElsewhere('/shop/HOST', 'theirs');
    aws.clear();
    const isRead = ({ operation }: { readonly operation: string }) => operation === 'GetSecretValue';
    // The first read is that of the plan.
    aws.interfere((call) =>
      isRead(call) && aws.calls().filter(isRead).length > 1 ? { kind: 'no_response', isExecuted: false } : null,
    );
    await tenant.owner.post(`${push.push.url}sync/`);
    await waitUntil(
      async () => aws.calls().filter(isRead),
      (reads) => reads.length > 1,
    );
    await kill(child);
    aws.interfere(() => null);
    await query({ database }, 'update integration set lease_until = clock_timestamp() where lease_token is not null');
    child = await startChild();
    try {
      expect(await push.ended()).toMatchObject({ state: 'success', error_code: null });
      const imports = `select from changeset where organization_id = $1 and actor_name = 'Integrations'`;
      expect(await query({ database }, imports, [tenant.id])).toHaveLength(1);
      expect(await push.untilKeys(() => true)).toMatchObject([{ state: 'in_sync', reason: 'imported' }]);
      expect(await shop.texts()).toEqual({ '/shop/HOST': 'theirs' });
    } finally {
      await kill(child);
    }
  });

  it('leaves a pattern pull that the next attempt finishes', async () => {
    let child = await startChild();
    const tenant = await newTenant();
    const shop = await PushedShop.create(aws, tenant, {}, 'secretsmanager');
    await shop.writeElsewhere('/staging/payments/HOST', 'one');
    await shop.writeElsewhere('/staging/payments/PORT', 'two');
    const { body: pull } = await tenant.owner.post<Pull>(`${shop.integration.url}pulls/`, {
      name: 'import',
      region: 'eu-central-1',
      service: 'secretsmanager',
      resource: '/{{ environment }}/{{ project }}/{{ parameter }}',
    });
    aws.clear();
    aws.interfere(({ operation, input }) =>
      operation === 'GetSecretValue' && String(input.SecretId).endsWith('PORT')
        ? { kind: 'no_response', isExecuted: true }
        : null,
    );
    await tenant.owner.post(`${pull.url}sync/`);
    await waitUntil(
      async () => aws.calls().filter(({ operation }) => operation === 'GetSecretValue'),
      (calls) => calls.length === 2,
    );
    await kill(child);
    aws.interfere(() => null);
    await query({ database }, 'update integration set lease_until = clock_timestamp() where lease_token is not null');
    child = await startChild();
    try {
      const task = await waitUntil(
        async () => (await tenant.owner.get<Pull>(pull.url)).body.latest_task,
        (latest) => latest?.state === 'success' || latest?.state === 'failure',
      );
      const steps = (await tenant.owner.get<Page<TaskStep>>(`${task?.url}steps/`)).body.results;
      expect(task).toMatchObject({ state: 'success', error_code: null });
      expect(steps.map(({ operation, parameter_name }) => [operation, parameter_name]).sort()).toEqual([
        ['create', 'HOST'],
        ['create', 'PORT'],
      ]);
      const rows = await query({ database }, `select from value where organization_id = $1 and source is not null`, [
        tenant.id,
      ]);
      expect(rows).toHaveLength(2);
    } finally {
      await kill(child);
    }
  });

  it('that lost its lease in the database writes nothing, although its clock has not noticed it', async () => {
    const child = await startChild();
    const tenant = await newTenant();
    const shop = await PushedShop.create(aws, tenant, { HOST: 'old' }, 'secretsmanager');
    const push = await shop.push();
    await shop.set('HOST', 'new');
    aws.clear();
    const { promise: firstRead, resolve: release } = Promise.withResolvers<null>();
    let reads = 0;
    aws.interfere(({ operation }) => {
      if (operation !== 'GetSecretValue') return null;
      reads += 1;
      return reads === 1 ? firstRead : null;
    });
    try {
      await push.startMove();
      await waitUntil(
        async () => reads,
        (count) => count === 1,
      );
      await query(
        { database },
        `update integration set lease_token = gen_random_uuid(), lease_until = clock_timestamp() + interval '1 s'
          where lease_token is not null`,
      );
      release(null);

      expect(await push.ended()).toMatchObject({ state: 'success' });
      // The run that lost its lease has planned and read. The next one plans again before it writes.
      const operations = aws.calls().map(({ operation }) => operation);
      const untilWrite = operations.slice(0, operations.indexOf('PutSecretValue'));
      expect(untilWrite.filter((operation) => operation === 'ListSecrets')).toHaveLength(2);
      expect(await shop.texts()).toEqual({ '/shop/HOST': 'new' });
    } finally {
      await kill(child);
    }
  });

  it('that was paused writes nothing after another process has taken over', async () => {
    const paused = await startChild();
    const tenant = await newTenant();
    const shop = await PushedShop.create(aws, tenant, { HOST: 'old' }, 'secretsmanager');
    const push = await shop.push();
    await shop.set('HOST', 'new');
    aws.clear();
    const firstRead = Promise.withResolvers<null>();
    let reads = 0;
    // The first process reads the version of the key right before it writes.
    aws.interfere(({ operation }) => {
      if (operation !== 'GetSecretValue') return null;
      reads += 1;
      return reads === 1 ? firstRead.promise : null;
    });
    await push.startMove();
    await waitUntil(
      async () => reads,
      (count) => count === 1,
    );
    paused.kill('SIGSTOP');
    await query({ database }, 'update integration set lease_until = clock_timestamp() where lease_token is not null');
    const second = await startChild(await freePort());
    try {
      const state = () =>
        query<{ state: string }>(
          { database },
          'select state from task where exchange_id = $1 order by created_at desc',
          [push.push.id],
        );
      await waitUntil(state, ([task]) => task?.state === 'success');
      const isWrite = ({ operation }: { operation: string }) => operation === 'PutSecretValue';
      expect(aws.calls().filter(isWrite)).toHaveLength(1);

      paused.kill('SIGCONT');
      firstRead.resolve(null);
      // The first process responds again, and has ended its run.
      expect(await push.run()).toMatchObject({ state: 'success' });

      expect(aws.calls().filter(isWrite)).toHaveLength(1);
      expect(await shop.texts()).toEqual({ '/shop/HOST': 'new' });
    } finally {
      await kill(second);
      await kill(paused);
    }
  });

  it('after a restore, pushes and pattern pulls wait until an operator lets them continue', async () => {
    const { rootKey } = testCredentials();
    let child = await startChild();
    const tenant = await newTenant();
    const shop = await PushedShop.create(aws, tenant, { HOST: 'old' }, 'secretsmanager');
    const target = awsTarget(aws, 'secretsmanager');
    const source = PushedShop.of(target, tenant, await integration(tenant, 'aws', target.integration), shop.project);
    await source.writeElsewhere('/production/pulled/HOST', 'text');
    const pull = await createPull(source);
    aws.clear();
    aws.interfere(({ operation }) =>
      operation === 'CreateSecret' ? { kind: 'no_response', isExecuted: false } : null,
    );
    await shop.startPush();
    await waitUntil(
      async () => aws.calls(),
      (calls) => calls.some(({ operation }) => operation === 'CreateSecret'),
    );
    await kill(child);
    aws.interfere(() => null);
    const findings = await asOwner((client) => afterRestore(client, readRootKeys({ STRATA_ROOT_KEY: rootKey })));
    expect(findings.at(-1)).toMatchObject({ subject: 'Pushes', text: expect.stringContaining('continue-pushes') });
    child = await startChild();
    try {
      const tenantAfterwards = await newTenant();
      const pushing = await PushedShop.create(aws, tenantAfterwards, { HOST: 'new' }, 'secretsmanager');
      await tenant.owner.post(`${pull.url}sync/`);
      // This push ends, while the one of the restored integration waits.
      await pushing.push();
      const state = async () => {
        const text = 'select state from task where organization_id = $1 order by created_at';
        return (await query<{ state: string }>({ database }, text, [tenant.id])).map((row) => row.state);
      };
      expect(await state()).toEqual(['running', 'queued']);

      await asOwner(continuePushes);

      await waitUntil(state, (states) => states.every((text) => text === 'success'));
      expect(await shop.texts()).toEqual({ '/shop/HOST': 'old' });
      expect(await readPulledValue(source, 'production', 'pulled', 'HOST')).toMatchObject({ text: 'text' });
    } finally {
      await kill(child);
    }
  });
});

async function asOwner<Result>(work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
