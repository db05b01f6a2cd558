import { setTimeout as sleep } from 'node:timers/promises';
import { setUpAws } from '../../../testing/push-fixture.ts';
import { query } from '../../../testing/query.ts';
import { waitUntil } from '../../../testing/until.ts';

const { at, suite, standIn } = await setUpAws();

const WRITES = /^(Put|Create|Update|Delete|Restore|Tag|Add)/;
const operations = () => at.aws.calls().map(({ operation }) => operation);
const writes = () => operations().filter((operation) => WRITES.test(operation));

suite.each(['secretsmanager', 'ssm'])(`a push to %s (${standIn})`, (service) => {
  it('writes the values of its tag, and then writes nothing while nothing differs', async () => {
    const shop = await at.shop({ HOST: 'db.example', PASSWORD: 'hunter2' }, service);

    const push = await shop.push();

    expect(await push.latest()).toMatchObject({ state: 'success', error_code: null });
    expect(await shop.texts()).toEqual({ '/shop/HOST': 'db.example', '/shop/PASSWORD': 'hunter2' });
    expect(await push.steps()).toMatchObject([
      { operation: 'create', success: true, environment_name: 'production', project_name: 'shop' },
      { operation: 'create', success: true, parameter_name: expect.stringMatching(/HOST|PASSWORD/) },
    ]);
    at.aws.clear();
    for (let interval = 0; interval < 3; interval += 1) expect(await push.run()).toMatchObject({ state: 'success' });
    const list = service === 'ssm' ? ['DescribeParameters', 'DescribeParameters'] : ['ListSecrets'];
    const interval = ['AssumeRole', ...list];
    expect(operations()).toEqual([...interval, ...interval, ...interval]);
    expect(await push.steps()).toEqual([]);
  });

  it('changes nothing at a key that another program wrote, and fails with the key and the reason', async () => {
    const shop = await at.shop({ HOST: 'ours', PASSWORD: 'ours' }, service);
    await shop.writeElsewhere('/shop/HOST', 'theirs');

    const push = await shop.push({ force: true });

    expect(await push.latest()).toMatchObject({
      state: 'failure',
      error_code: 'foreign_keys',
      error_detail: expect.stringMatching(/^1 key was not written by this push/),
    });
    expect(await shop.texts()).toEqual({ '/shop/HOST': 'theirs', '/shop/PASSWORD': 'ours' });
    const failed = (await push.steps()).filter(({ success }) => !success);
    expect(failed).toMatchObject([
      { error_code: 'key_foreign', parameter_name: 'HOST', fqn: expect.stringContaining('/shop/HOST') },
    ]);
  });

  it('reports a text that another program changed, and overwrites it only with force', async () => {
    const shop = await at.shop({ HOST: 'ours' }, service);
    const push = await shop.push();
    await shop.writeElsewhere('/shop/HOST', 'theirs');

    expect(await push.run()).toMatchObject({ state: 'failure', error_code: 'drifted_keys' });
    expect(await shop.texts()).toEqual({ '/shop/HOST': 'theirs' });

    await shop.organization.owner.patch(push.push.url, { force: true });
    expect(await push.ended()).toMatchObject({ state: 'success' });
    expect(await shop.texts()).toEqual({ '/shop/HOST': 'ours' });
  });

  it('updates and deletes its keys when the tag moves', async () => {
    const shop = await at.shop({ HOST: 'old', PORT: '80' }, service);
    const push = await shop.push();
    await shop.set('HOST', 'new');
    await shop.remove('PORT');
    expect(await push.run()).toMatchObject({ state: 'success' });
    expect(await shop.texts()).toEqual({ '/shop/HOST': 'old', '/shop/PORT': '80' });

    expect(await push.move()).toMatchObject({ state: 'success' });

    expect(await shop.texts()).toEqual({ '/shop/HOST': 'new' });
    expect((await push.steps()).map(({ operation }) => operation).sort()).toEqual(['delete', 'update']);
  });

  it('plans without writing in a dry run', async () => {
    const shop = await at.shop({ HOST: 'ours' }, service);
    at.aws.clear();

    const push = await shop.push({ dry_run: true });

    expect(await push.latest()).toMatchObject({ state: 'success', dry_run: true });
    expect(await push.steps()).toMatchObject([{ operation: 'create', success: true, summary: 'Planned: create.' }]);
    expect(writes()).toEqual([]);
  });

  it('repeats a run that the provider throttled, and does not repeat a denied one', async () => {
    const shop = await at.shop({ HOST: 'ours' }, service);
    let throttled = 0;
    at.aws.interfere(({ operation }) => {
      if (!/^(Put|Create)/.test(operation)) return null;
      throttled += 1;
      return throttled <= 4 ? { kind: 'error', code: 'ThrottlingException', status: 400 } : null;
    });

    const push = await shop.push();
    expect(await push.latest()).toMatchObject({ state: 'success', error_code: null });

    at.aws.interfere(({ operation }) =>
      operation === 'AssumeRole' ? null : { kind: 'error', code: 'AccessDeniedException', status: 400 },
    );
    expect(await push.run()).toMatchObject({
      state: 'failure',
      error_code: 'provider_denied',
      error_detail: 'AccessDeniedException: A scripted fault.',
    });
  });

  it('writes all other keys if the store denies one, and deletes nothing then', async () => {
    const shop = await at.shop({ DENIED: 'old', HOST: 'old', OLD: 'old' }, service);
    const push = await shop.push();
    for (const name of ['DENIED', 'HOST']) await shop.set(name, 'new');
    await shop.remove('OLD');
    at.aws.interfere(({ operation, input }) =>
      /^Put/.test(operation) && [input.Name, input.SecretId].includes('/shop/DENIED')
        ? { kind: 'error', code: 'AccessDeniedException', status: 400 }
        : null,
    );

    expect(await push.move()).toMatchObject({ state: 'failure', error_code: 'provider_denied' });
    expect(await shop.texts()).toEqual({ '/shop/DENIED': 'old', '/shop/HOST': 'new', '/shop/OLD': 'old' });

    at.aws.interfere(() => null);
    expect(await push.run()).toMatchObject({ state: 'success' });
    expect(await shop.texts()).toEqual({ '/shop/DENIED': 'new', '/shop/HOST': 'new' });
  });

  it('does not write after its integration became read-only, although it waits for the next attempt', async () => {
    const shop = await at.shop({ HOST: 'ours' }, service);
    let attempts = 0;
    at.aws.interfere(({ operation }) => {
      if (!/^(Put|Create)/.test(operation)) return null;
      attempts += 1;
      return { kind: 'error', code: 'ThrottlingException', status: 400 };
    });
    const push = await shop.startPush();
    await waitUntil(
      () => Promise.resolve(attempts),
      (count) => count > 0,
    );

    await shop.organization.owner.patch(shop.integration.url, { writable: false });

    expect(await push.ended()).toMatchObject({ state: 'failure', error_code: 'integration_not_writable' });
    expect(await shop.texts()).toEqual({});
  });

  it('repairs a write whose response was lost', async () => {
    const shop = await at.shop({ HOST: 'ours' }, service);
    let lost = 0;
    at.aws.interfere(({ operation }) => {
      if (!/^(Put|Create)/.test(operation)) return null;
      lost += 1;
      // The SDK sends a request three times.
      return lost <= 3 ? { kind: 'lost_response' } : null;
    });

    const push = await shop.push();

    expect(await push.latest()).toMatchObject({ state: 'success' });
    expect(await shop.texts()).toEqual({ '/shop/HOST': 'ours' });
  });
});

suite('pushes', () => {
  it('send nothing after another process has taken over their integration, and continue afterwards', async () => {
    const shop = await at.shop({ HOST: 'ours' });
    await at.configure({ leaseMs: 400 });
    let attempts = 0;
    let isClosed = false;
    at.aws.interfere(async ({ operation }, whenClosed) => {
      if (operation !== 'CreateSecret') return null;
      attempts += 1;
      if (attempts > 1) return null;
      await query(
        at.core,
        `update integration set lease_token = gen_random_uuid(), lease_until = clock_timestamp() + interval '3 s' where id = '${shop.integration.id}'`,
      );
      isClosed = await Promise.race([whenClosed.then(() => true), sleep(3_000, false)]);
      // The SDK repeats a throttled request at once.
      return { kind: 'error', code: 'ThrottlingException', status: 400 };
    });
    const push = await shop.startPush();
    await waitUntil(
      () => query<{ state: string }>(at.core, `select state from task where exchange_id = '${push.push.id}'`),
      ([task]) => task?.state === 'success',
    );
    await at.configure({ leaseMs: 60_000 });

    expect(isClosed).toBe(true);
    // The other process held the lease for 3 s. A repeated request would have been sent before its end.
    expect(attempts).toBe(2);
    expect(await shop.texts()).toEqual({ '/shop/HOST': 'ours' });
  });

  it('delete with the recovery window, and restore a key before they write it again', async () => {
    const shop = await at.shop({ HOST: 'ours', PORT: '80' });
    const push = await shop.push();
    await shop.remove('PORT');
    at.aws.clear();
    await push.move();
    expect(at.aws.calls().find(({ operation }) => operation === 'DeleteSecret')?.input).toEqual({
      SecretId: '/shop/PORT',
    });

    await shop.set('PORT', '81');
    at.aws.clear();
    expect(await push.move()).toMatchObject({ state: 'success' });

    expect(writes()).toEqual(['RestoreSecret', 'PutSecretValue']);
    expect(await shop.texts()).toEqual({ '/shop/HOST': 'ours', '/shop/PORT': '81' });
  });

  it('are not misled by a list that is out of date', async () => {
    const shop = await at.shop({ A: 'ours' });
    const push = await shop.push();
    at.aws.clear();
    at.aws.interfere(({ operation }) =>
      operation === 'ListSecrets' ? { kind: 'answer', body: { SecretList: [] } } : null,
    );

    expect(await push.run()).toMatchObject({ state: 'success' });

    expect(at.aws.calls().map(({ operation }) => operation)).not.toContain('CreateSecret');
    const [key] = await push.untilKeys(() => true);
    expect(key).toMatchObject({ key: '/shop/A', state: 'in_sync', action: 'none' });
  });

  it('never share a key: the second one finds it foreign', async () => {
    const shop = await at.shop({});
    const first = await shop.push();
    const second = await shop.push();
    await shop.set('HOST', 'ours');

    expect(await first.move()).toMatchObject({ state: 'success' });
    await second.move();

    expect(await second.latest()).toMatchObject({ state: 'failure', error_code: 'foreign_keys' });
  });

  it('do not write with an integration that is not writable, or to a service without a provider', async () => {
    const shop = await at.shop({ HOST: 'ours' });
    const s3 = await shop.push({ service: 's3' });
    expect(await s3.latest()).toMatchObject({ state: 'failure', error_code: 'unsupported_service' });
    await shop.organization.owner.patch(shop.integration.url, { writable: false });

    const push = await shop.push();

    expect(await push.latest()).toMatchObject({ state: 'failure', error_code: 'integration_not_writable' });
    expect(await shop.texts()).toEqual({});
  });

  it('store no text and no hash that a guess could be tested against', async () => {
    const shop = await at.shop({ HOST: 'canary-5f0c1a' });
    await shop.push();

    const tables = await query<{ name: string }>(
      at.core,
      `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('public', 'graphile_worker')`,
    );
    for (const { name } of tables) {
      const rows = await query(at.core, `select 1 from ${name} stored where stored::text like '%canary-5f0c1a%'`);
      expect([name, rows]).toEqual([name, []]);
    }
  });
});
