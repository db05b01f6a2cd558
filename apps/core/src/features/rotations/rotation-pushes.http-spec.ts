import type { Integration, Project, Push } from '@strata/contract';
import { startTestAzure, type TestAzure, type TestOrganization } from '@strata/testkit';
import type { CoreInProcess } from '../../testing/core-in-process.ts';
import { integration, tag } from '../../testing/integrations.ts';
import { FinishedPush, PushedShop } from '../../testing/push-fixture.ts';
import { azureTarget, type PushTarget } from '../../testing/push-targets.ts';
import { query } from '../../testing/query.ts';
import { canConnect, RotatedSecret, startRotatingCore } from '../../testing/rotation-fixture.ts';

let azure: TestAzure;
let core: CoreInProcess;
const servers: RotatedSecret['server'][] = [];

beforeAll(async () => {
  azure = await startTestAzure();
  core = await startRotatingCore(azure.settings);
});
afterAll(async () => {
  for (const server of servers) await server.drop();
  await core.close();
  await azure.close();
});

/** A rotated secret, and a vault that pushes can write it to. */
interface PushedSecret {
  readonly organization: TestOrganization;
  readonly secret: RotatedSecret;
  readonly integration: Integration;
  readonly target: PushTarget;
  push(input?: object, project?: Project): Promise<FinishedPush>;
}

async function pushedSecret(): Promise<PushedSecret> {
  const organization = await core.organization();
  const secret = await RotatedSecret.create(core, organization);
  servers.push(secret.server);
  const target = azureTarget(azure, organization.id);
  const vault = await integration(organization, target.path, target.integration);
  let count = 0;
  const push = async (input: object = {}, project = secret.project) => {
    count += 1;
    const stable = await tag(organization, await organization.environmentNamed('production'), `stable-${count}`);
    const body = {
      ...{ name: `push ${count}`, projects: [project.url], tags: [stable.url], ...target.push, include_secrets: true },
      ...input,
    };
    const { body: created, status, text } = await organization.owner.post<Push>(`${vault.url}pushes/`, body);
    if (status !== 201) throw new Error(text);
    const finished = new FinishedPush(organization, created, stable);
    await finished.ended();
    return finished;
  };
  return { organization, secret, integration: vault, target, push };
}

/** The reason of the rotation is stored shortly after the pushes. */
const waitsFor = (secret: RotatedSecret, reason: string) =>
  secret.until(
    ({ reason_code: reasonCode, pending_pushes: pushes }) =>
      reasonCode !== null && pushes.some(({ reason_code: code }) => code === reason),
  );

/** Waits until the rotation has been checked again, or has ended. */
async function checkedAgain(secret: RotatedSecret): Promise<void> {
  for (let count = 0; count < 3; count += 1) {
    const { next_attempt_at: at } = await secret.read();
    await secret.until(({ state, next_attempt_at: next }) => state === 'idle' || next !== at);
  }
}

const dismiss = (secret: RotatedSecret, { push }: FinishedPush) => secret.act('dismiss', { pushes: [push.id] });

describe('a rotation of a secret that a push copies to a store', () => {
  it('keeps the previous credential until the push has written the new one', async () => {
    const { secret, push } = await pushedSecret();
    const toVault = await push();
    await secret.act('rotate');

    const waiting = await waitsFor(secret, 'older_tag');
    expect(waiting).toMatchObject({
      state: 'needs_decision',
      stage: 'acknowledging',
      reason_code: 'undecided_pushes',
      reason: expect.stringContaining('1 push must still write the new text.'),
      pending_count: 1,
      pending: [],
      pending_pushes: [{ id: toVault.push.id, name: 'push 1', provider: 'azure_key_vault' }],
    });
    expect(await toVault.run()).toMatchObject({ state: 'success' });
    expect(await secret.read()).toMatchObject({ stage: 'acknowledging', pending_count: 1 });
    expect(await canConnect(secret.firstAddress)).toBe(true);

    await toVault.move();
    expect(await secret.until(({ state }) => state === 'idle')).toMatchObject({ pending_pushes: [] });
    expect(await canConnect(secret.firstAddress)).toBe(false);
  });

  it('waits for a push that may not write any more, until a person dismisses it by name', async () => {
    const { organization, secret, push, integration: vault } = await pushedSecret();
    const toVault = await push();
    await organization.owner.patch(vault.url, { writable: false });
    await secret.act('rotate');
    await waitsFor(secret, 'read_only');
    expect(await canConnect(secret.firstAddress)).toBe(true);

    expect(await secret.act('dismiss', { pushes: [secret.rotation.id] })).toMatchObject({ status: 409 });
    expect(await secret.act('dismiss', {})).toMatchObject({ status: 400 });
    expect(await dismiss(secret, toVault)).toMatchObject({ status: 200 });
    await secret.until(({ state }) => state === 'idle');
    expect(await canConnect(secret.firstAddress)).toBe(false);
  });

  it('waits for a push that fails because another program changed the key', async () => {
    const { organization, secret, push, integration: vault, target } = await pushedSecret();
    const toVault = await push();
    await secret.act('rotate');
    await waitsFor(secret, 'older_tag');
    await writeElsewhere(organization, target, vault, secret, 'theirs');

    expect(await toVault.move()).toMatchObject({ state: 'failure', error_code: 'drifted_keys' });
    await waitsFor(secret, 'undecided');
    expect(await canConnect(secret.firstAddress)).toBe(true);
    await organization.owner.patch(toVault.push.url, { force: true });
    await secret.until(({ state }) => state === 'idle');
    expect(await canConnect(secret.firstAddress)).toBe(false);
  });

  it('waits for a push that was deleted meanwhile, because its keys stay at the store', async () => {
    const { organization, secret, push } = await pushedSecret();
    const toVault = await push();
    await secret.act('rotate');
    await waitsFor(secret, 'older_tag');
    await organization.owner.delete(toVault.push.url);

    const waiting = await waitsFor(secret, 'deleted');
    expect(waiting.pending_pushes).toMatchObject([{ name: 'push 1', integration_id: null, provider: null }]);
    expect(await canConnect(secret.firstAddress)).toBe(true);
    expect(await dismiss(secret, toVault)).toMatchObject({ status: 200 });
    await secret.until(({ state }) => state === 'idle');
  });

  it('waits again for a dismissed push that writes the previous text again', async () => {
    const { organization, secret, push, integration: vault, target } = await pushedSecret();
    const toVault = await push();
    await secret.report('web');
    await secret.publish();
    await secret.until(({ pending_count: count }) => count === 2);
    expect(await dismiss(secret, toVault)).toMatchObject({ status: 200 });
    await secret.until(({ pending_count: count }) => count === 1);

    await writeElsewhere(organization, target, vault, secret, 'theirs');
    await organization.owner.patch(toVault.push.url, { force: true });
    await secret.until(({ pending_count: count }) => count === 2);
    await secret.report('web');
    await secret.until(({ reason_code: code }) => code === 'undecided_pushes');
    expect(await canConnect(secret.firstAddress)).toBe(true);
    await toVault.move();
    await secret.until(({ state }) => state === 'idle');
  });

  it('waits for a push of another project whose value contains the secret, also if it does so only at its tag', async () => {
    const { organization, secret, push } = await pushedSecret();
    const user = await organization.project({ name: 'other' });
    const environment = await organization.environmentNamed('production');
    const parameter = await organization.parameter({ project: user, name: 'COPY' });
    const dynamic = { internal_value: '{{ cloudtruth.projects.shop.parameters.DATABASE }}', interpolated: true };
    const value = await organization.value({ parameter, environment, ...dynamic });
    const toVault = await push({}, user);
    expect(await toVault.latest()).toMatchObject({ state: 'success' });
    await organization.owner.patch(value.url, { internal_value: 'nothing', interpolated: false });
    await secret.act('rotate');

    await waitsFor(secret, 'older_tag');
    expect(await canConnect(secret.firstAddress)).toBe(true);
    await toVault.move();
    await secret.until(({ state }) => state === 'idle');
    expect(await canConnect(secret.firstAddress)).toBe(false);
  });

  it('waits for a push whose tag moved to another environment, as long as the store has the previous text', async () => {
    const { organization, secret, push } = await pushedSecret();
    const toVault = await push();
    const environment = await organization.environmentNamed('staging');
    await organization.value({ parameter: secret.parameter, environment, internal_value: 'another text' });
    const staging = await tag(organization, environment, 'staging');
    await organization.owner.patch(toVault.push.url, { tags: [staging.url], dry_run: true });
    expect(await toVault.run()).toMatchObject({ state: 'success' });
    await secret.act('rotate');

    await waitsFor(secret, 'read_only');
    await checkedAgain(secret);
    expect(await canConnect(secret.firstAddress)).toBe(true);
    await organization.owner.patch(toVault.push.url, { dry_run: false });
    await toVault.run();
    await secret.until(({ state }) => state === 'idle');
    expect(await canConnect(secret.firstAddress)).toBe(false);
  });

  it('waits for a push whose value does not contain the secret any more, until it has written the other text', async () => {
    const { organization, secret, push, integration: vault } = await pushedSecret();
    const user = await organization.project({ name: 'other' });
    const environment = await organization.environmentNamed('production');
    const parameter = await organization.parameter({ project: user, name: 'COPY' });
    const dynamic = { internal_value: '{{ cloudtruth.projects.shop.parameters.DATABASE }}', interpolated: true };
    const value = await organization.value({ parameter, environment, ...dynamic });
    const toVault = await push({}, user);
    await organization.owner.patch(value.url, { internal_value: 'nothing', interpolated: false });
    await secret.act('rotate');
    await waitsFor(secret, 'older_tag');

    await organization.owner.patch(vault.url, { writable: false });
    await toVault.startMove();
    await checkedAgain(secret);
    expect(await secret.read()).toMatchObject({ pending_pushes: [{ reason_code: 'read_only' }] });
    expect(await canConnect(secret.firstAddress)).toBe(true);
    await organization.owner.patch(vault.url, { writable: true });
    await toVault.run();
    await secret.until(({ state }) => state === 'idle');
    expect(await canConnect(secret.firstAddress)).toBe(false);
  });

  it('accepts the dismissal of a push whose write has no known result', async () => {
    const { organization, secret, push } = await pushedSecret();
    const toVault = await push();
    await secret.act('rotate');
    await waitsFor(secret, 'older_tag');
    const started = `started_action = 'write', started_hash = 'unknown', started_at = clock_timestamp()`;
    await query(core, `update sync_key set ${started} where organization_id = $1`, [organization.id]);
    await checkedAgain(secret);
    expect(await secret.read()).toMatchObject({ pending_count: 1 });

    expect(await dismiss(secret, toVault)).toMatchObject({ status: 200 });
    await secret.until(({ state }) => state === 'idle');
    expect(await canConnect(secret.firstAddress)).toBe(false);
  });

  it('waits for a dismissed push that was deleted after it had written the previous text again', async () => {
    const { organization, secret, push, integration: vault, target } = await pushedSecret();
    const toVault = await push();
    await secret.report('web');
    await secret.publish();
    await secret.until(({ pending_count: count }) => count === 2);
    expect(await dismiss(secret, toVault)).toMatchObject({ status: 200 });
    await secret.until(({ pending_count: count }) => count === 1);
    await writeElsewhere(organization, target, vault, secret, 'theirs');
    await organization.owner.patch(toVault.push.url, { force: true });
    await secret.until(({ pending_count: count }) => count === 2);

    await organization.owner.delete(toVault.push.url);
    await waitsFor(secret, 'deleted');
    await secret.report('web');
    await checkedAgain(secret);
    expect(await secret.read()).toMatchObject({ pending_count: 1, pending_pushes: [{ reason_code: 'deleted' }] });
    expect(await canConnect(secret.firstAddress)).toBe(true);
  });

  it('waits for a deleted push after an abort, too', async () => {
    const { organization, secret, push } = await pushedSecret();
    const toVault = await push();
    await secret.act('rotate');
    await waitsFor(secret, 'older_tag');
    await organization.owner.delete(toVault.push.url);
    await waitsFor(secret, 'deleted');
    await secret.act('abort');
    await secret.until(({ state }) => state === 'idle');
    await secret.act('rotate');

    await waitsFor(secret, 'deleted');
    await checkedAgain(secret);
    expect(await canConnect(secret.firstAddress)).toBe(true);
    expect(await dismiss(secret, toVault)).toMatchObject({ status: 200 });
    await secret.until(({ state, last_rotated_at: at }) => state === 'idle' && at !== null);
    expect(await canConnect(secret.firstAddress)).toBe(false);
  });

  it('waits for a push that has forgotten its key because another program removed the mark', async () => {
    const { organization, secret, push, integration: vault, target } = await pushedSecret();
    const toVault = await push();
    await secret.act('rotate');
    await waitsFor(secret, 'older_tag');
    const store = await PushedShop.of(target, organization, vault, secret.project).store();
    await store.mark(`shop-${secret.parameter.name}`, 'another program');
    store.close();
    await organization.owner.patch(toVault.push.url, { include_secrets: false, dry_run: true });
    await toVault.run();
    expect(await toVault.untilKeys((keys) => keys.length === 0)).toEqual([]);

    await checkedAgain(secret);
    expect(await secret.read()).toMatchObject({ pending_count: 1, pending_pushes: [{ id: toVault.push.id }] });
    expect(await canConnect(secret.firstAddress)).toBe(true);
    expect(await dismiss(secret, toVault)).toMatchObject({ status: 200 });
    await secret.until(({ state }) => state === 'idle');
  });

  it('counts a push of a project that the caller cannot access, without its name', async () => {
    const { organization, secret, push } = await pushedSecret();
    const user = await organization.project({ name: 'other' });
    const environment = await organization.environmentNamed('production');
    const parameter = await organization.parameter({ project: user, name: 'COPY' });
    const dynamic = { internal_value: '{{ cloudtruth.projects.shop.parameters.DATABASE }}', interpolated: true };
    await organization.value({ parameter, environment, ...dynamic });
    await push({}, user);
    await organization.owner.patch(user.url, { access_controlled: true });
    await secret.act('rotate');

    const shown = await waitsFor(secret, 'older_tag');
    expect(shown).toMatchObject({ pending_count: 1, pending_pushes: [{ name: 'push 1' }] });
    const limited = await secret.read(organization.as('CONTRIB'));
    expect(limited).toMatchObject({ pending_count: 1, pending_pushes: [] });
    const { pending_pushes: pushes } = shown;
    const dismissal = await secret.act('dismiss', { pushes: pushes.map(({ id }) => id) });
    expect(dismissal).toMatchObject({ status: 200 });
    await secret.until(({ state }) => state === 'idle');
    const { text } = await organization.owner.get('changesets/?page_size=50');
    expect(text).toContain('does not wait any more for 1 push of other projects or environments.');
    expect(text).not.toContain('the push push 1');
  });

  it('does not wait for pushes that never wrote the secret', async () => {
    const { secret, push } = await pushedSecret();
    await push({ dry_run: true });
    await push({ include_secrets: false, resource: 'plain-{{ parameter }}' });
    expect(await secret.rotate()).toMatchObject({ state: 'idle', reason: null });
    expect(await canConnect(secret.firstAddress)).toBe(false);
  });

  it('stores no text of a secret with what it waits for', async () => {
    const { organization, secret, push } = await pushedSecret();
    await push();
    await secret.act('rotate');
    await waitsFor(secret, 'older_tag');
    const rows = await query(core, 'select * from rotation_push where organization_id = $1', [organization.id]);
    const password = new URL(secret.firstAddress).password;
    for (const text of [JSON.stringify(rows), JSON.stringify(await secret.read())])
      expect(text).not.toContain(password);
  });
});

/** Changes the key of the secret as another program. */
async function writeElsewhere(
  organization: TestOrganization,
  target: PushTarget,
  vault: Integration,
  secret: RotatedSecret,
  text: string,
): Promise<void> {
  await PushedShop.of(target, organization, vault, secret.project).writeElsewhere(
    `shop-${secret.parameter.name}`,
    text,
  );
}
