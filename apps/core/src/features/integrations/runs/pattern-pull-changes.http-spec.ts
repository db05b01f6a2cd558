import { setTimeout as sleep } from 'node:timers/promises';
import type { Integration, IntegrationTask, Page, Pull, TaskStep } from '@strata/contract';
import { createPull, RESOURCE, readPulledValue, runPull } from '../../../testing/pattern-pulls.ts';
import { createPerson } from '../../../testing/people.ts';
import { type PushedShop, setUpAws } from '../../../testing/push-fixture.ts';
import { query } from '../../../testing/query.ts';
import { waitUntil } from '../../../testing/until.ts';

const { at, suite, standIn } = await setUpAws();

const latestTask = async ({ organization: { owner } }: PushedShop, pull: Pull) =>
  (await owner.get<Pull>(pull.url)).body.latest_task as IntegrationTask;

const endedTask = (shop: PushedShop, pull: Pull) =>
  waitUntil(
    () => latestTask(shop, pull),
    ({ state }) => state !== 'running' && state !== 'queued',
  );

/** Starts a run, and stops it while it reads the first content. */
async function startAndStop({ organization: { owner } }: PushedShop, pull: Pull) {
  const reading = Promise.withResolvers<void>();
  const released = Promise.withResolvers<null>();
  at.aws.interfere(({ operation }) => {
    if (operation !== 'GetSecretValue') return null;
    reading.resolve();
    return released.promise;
  });
  expect(await owner.post(`${pull.url}sync/`)).toMatchObject({ status: 202 });
  await reading.promise;
  return () => released.resolve(null);
}

/** Lets the store have some keys with the text x. */
function listKeys(names: readonly string[], fails: (name: string) => boolean = () => false) {
  at.aws.interfere(({ operation, input }) => {
    if (operation === 'ListSecrets') {
      const SecretList = names.map((name) => ({ ARN: name, Name: name }));
      return { kind: 'answer', body: { SecretList } };
    }
    if (operation !== 'GetSecretValue') return null;
    if (fails(String(input.SecretId))) return { kind: 'error', code: 'InternalServiceError', status: 500 };
    return { kind: 'answer', body: { Name: input.SecretId, SecretString: 'x', VersionId: 'v' } };
  });
}

suite(`a pattern pull that changes while it runs (${standIn})`, () => {
  it('is created and changed only by members who may reveal secrets, and so are the settings of its integration', async () => {
    const shop = await at.shop({});
    const { organization, integration } = shop;
    const admin = await createPerson(at.core, organization.id, 'ADMIN');
    await organization.owner.patch(`memberships/${admin.membershipId}/`, { reveals_secrets: false });
    const input = { region: 'eu-central-1', service: 'secretsmanager', resource: RESOURCE };
    const denied = { status: 403, headers: { 'x-error-code': 'reveal_forbidden' } };
    const settings = { aws_role_name: 'another' };
    expect(await admin.client.post(`${integration.url}pulls/`, { ...input, name: 'own' })).toMatchObject(denied);
    expect(await admin.client.patch(integration.url, { description: 'x' })).toMatchObject({ status: 200 });
    const pull = await createPull(shop);

    expect(await admin.client.patch(pull.url, { resource: `/x${RESOURCE}` })).toMatchObject(denied);
    expect(await admin.client.patch(integration.url, settings)).toMatchObject(denied);

    expect(await organization.owner.patch(integration.url, settings)).toMatchObject({ status: 200 });
  });

  it('writes nothing if it is deleted, or its integration is', async () => {
    const shop = await at.shop({});
    const { owner } = shop.organization;
    await shop.writeElsewhere('/production/late/HOST', 'text');
    const pull = await createPull(shop);
    const release = await startAndStop(shop, pull);
    expect(await owner.delete(pull.url)).toMatchObject({ status: 204 });
    release();
    // The tasks of an integration run in their order.
    await runPull(owner, await createPull(shop, { resource: '/none/{{ environment }}/{{ project }}/{{ parameter }}' }));
    expect(await readPulledValue(shop, 'production', 'late', 'HOST')).toBeNull();

    const secondPull = await createPull(shop, { name: 'second' });
    const releaseSecond = await startAndStop(shop, secondPull);
    expect(await owner.delete<Integration>(`${shop.integration.url}?in_use=remove`)).toMatchObject({ status: 204 });
    releaseSecond();
    // Nothing is left whose end the API shows.
    await sleep(1_000);
    expect(await readPulledValue(shop, 'production', 'late', 'HOST')).toBeNull();
  });

  it.each([
    ['resource', { resource: '/none/{{ environment }}/{{ project }}/{{ parameter }}' }],
    ['option', { create_environments: false }],
    ['dry run', { dry_run: true }],
    ['integration', { aws_role_name: 'another' }],
  ])('writes nothing after its %s was changed, and its run is skipped', async (target, change) => {
    const shop = await at.shop({});
    const { owner } = shop.organization;
    await shop.writeElsewhere('/production/late/HOST', 'text');
    const pull = await createPull(shop);
    const release = await startAndStop(shop, pull);
    const { url } = target === 'integration' ? shop.integration : pull;
    expect(await owner.patch(url, change)).toMatchObject({ status: 200 });
    release();

    expect(await endedTask(shop, pull)).toMatchObject({ state: 'skipped', error_code: 'pull_changed' });
    expect(await readPulledValue(shop, 'production', 'late', 'HOST')).toBeNull();
  });

  it('reads nothing if another member changes it while it waits, and reads the new resource when it is started again', async () => {
    const shop = await at.shop({});
    const { owner } = shop.organization;
    await shop.writeElsewhere('/elsewhere/production/late/HOST', 'text');
    const admin = await createPerson(at.core, shop.organization.id, 'ADMIN');
    await shop.writeElsewhere('/production/first/HOST', 'text');
    const pull = await createPull(shop, { name: 'other', resource: `/none${RESOURCE}` });
    const release = await startAndStop(shop, await createPull(shop));
    expect(await owner.post(`${pull.url}sync/`)).toMatchObject({ status: 202 });
    expect(await admin.client.patch(pull.url, { resource: `/elsewhere${RESOURCE}` })).toMatchObject({ status: 200 });
    expect(await admin.client.patch(pull.url, { description: 'x' })).toMatchObject({ status: 200 });
    at.aws.clear();
    release();

    expect(await endedTask(shop, pull)).toMatchObject({ state: 'skipped', error_code: 'pull_changed' });
    expect(at.aws.calls().filter(({ operation }) => operation === 'ListSecrets')).toEqual([]);
    expect(await runPull(owner, pull)).toMatchObject({ task: { state: 'success' } });
    expect(await readPulledValue(shop, 'production', 'late', 'HOST')).toMatchObject({ text: 'text' });
  });

  it('reads nothing for a starter who has no rights any more', async () => {
    const shop = await at.shop({});
    const { owner, id } = shop.organization;
    await shop.writeElsewhere('/production/late/HOST', 'text');
    const admin = await createPerson(at.core, id, 'ADMIN');
    const pull = await createPull(shop, { name: 'other', resource: `/none${RESOURCE}` });
    const release = await startAndStop(shop, await createPull(shop));
    expect(await admin.client.post(`${pull.url}sync/`)).toMatchObject({ status: 202 });
    await owner.patch(`memberships/${admin.membershipId}/`, { reveals_secrets: false });
    at.aws.clear();
    release();

    expect(await endedTask(shop, pull)).toMatchObject({ state: 'failure', error_code: 'pull_not_allowed' });
    expect(at.aws.calls().filter(({ operation }) => operation === 'ListSecrets')).toEqual([]);
  });

  it('runs again after a maintenance', async () => {
    const shop = await at.shop({});
    await shop.writeElsewhere('/production/late/HOST', 'text');
    const pull = await createPull(shop);
    const release = await startAndStop(shop, pull);
    const setMaintenance = (isOn: boolean) =>
      query(at.core, 'update organization set maintenance = $2 where id = $1', [shop.organization.id, isOn]);
    await setMaintenance(true);
    release();
    const waiting = await waitUntil(
      () => latestTask(shop, pull),
      ({ state }) => state !== 'running',
    );
    await setMaintenance(false);

    expect(waiting).toMatchObject({ state: 'queued', error_code: 'maintenance' });
    await waitUntil(
      () => latestTask(shop, pull),
      ({ state }) => state === 'success',
    );
    expect(await readPulledValue(shop, 'production', 'late', 'HOST')).toMatchObject({ text: 'text' });
  });

  it('keeps the steps of what it created before it was repeated', async () => {
    const shop = await at.shop({});
    const names = Array.from({ length: 201 }, (_, index) => `/production/bulk/KEY_${1_000 + index}`);
    let failures = 3;
    listKeys([...names, '/production/unmatched'], (name) => name.endsWith('KEY_1200') && failures-- > 0);

    const { task } = await runPull(shop.organization.owner, await createPull(shop));

    expect(task).toMatchObject({ state: 'success' });
    const list = (filter: string) => shop.organization.owner.get<Page<TaskStep>>(`${task.url}steps/?${filter}`);
    expect((await list('')).body.count).toBe(202);
    expect((await list('operation=create')).body.count).toBe(201);
  });

  it('fails with too many keys, which is no error of the connection', async () => {
    const shop = await at.shop({});
    const { owner } = shop.organization;
    listKeys(Array.from({ length: 5_001 }, (_, index) => `/production/shop/KEY_${index}`));

    expect(await runPull(owner, await createPull(shop))).toMatchObject({
      task: { state: 'failure', error_code: 'too_many_keys' },
    });

    expect((await owner.get<Integration>(shop.integration.url)).body).toMatchObject({ status: 'connected' });
  });
});
