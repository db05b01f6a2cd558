import type { Page, Project, RecordedChangeset, Rotation } from '@strata/contract';
import { RawClient, type TestOrganization } from '@strata/testkit';
import { type CapturedLog, captureLog } from '../../testing/captured-log.ts';
import type { CoreInProcess } from '../../testing/core-in-process.ts';
import { createGrant, createMember } from '../../testing/members.ts';
import { createPerson } from '../../testing/people.ts';
import { query } from '../../testing/query.ts';
import {
  ADMIN_PASSWORD,
  canConnect,
  connect,
  RotatedSecret,
  startRotatingCore,
} from '../../testing/rotation-fixture.ts';

let core: CoreInProcess;
let organization: TestOrganization;
const servers: RotatedSecret['server'][] = [];
let log: CapturedLog;

beforeAll(async () => {
  log = await captureLog();
  core = await startRotatingCore({ STRATA_LOG_LEVEL: 'info' });
});
afterAll(async () => {
  log.end();
  for (const server of servers) await server.drop();
  await core.close();
});
beforeEach(async () => {
  organization = await core.organization();
});

async function rotatedSecret(input: Parameters<typeof RotatedSecret.create>[2] = {}): Promise<RotatedSecret> {
  const secret = await RotatedSecret.create(core, organization, input);
  servers.push(secret.server);
  return secret;
}

/** Deletes what an instance reported when the transaction ends that publishes a credential, before any check can see it. */
async function endInstanceAtPublication(instance: string): Promise<void> {
  const name = `end_instance_${organization.id.replaceAll('-', '')}`;
  await query(
    core,
    `create function ${name}() returns trigger language plpgsql security definer as $$ begin
       delete from instance where organization_id = '${organization.id}' and name = '${instance}'; return null; end $$;
     create constraint trigger ${name} after update of stage on rotation deferrable initially deferred for each row
       when (old.stage = 'publishing' and new.stage = 'acknowledging' and new.organization_id = '${organization.id}') execute function ${name}()`,
  );
}

describe('a rotation of a PostgreSQL role', () => {
  it('publishes the other role as an ordinary change, and revokes the first one', async () => {
    const secret = await rotatedSecret();
    const { server, firstAddress } = secret;

    expect(await secret.rotate()).toMatchObject({ state: 'idle', stage: 'idle', reason: null, next_rotation_at: null });

    const second = await secret.text();
    expect(new URL(second).username).toBe(server.second);
    expect([await canConnect(firstAddress), await canConnect(second)]).toEqual([false, true]);
    const { body } = await organization.owner.get<Page<RecordedChangeset>>('changesets/');
    expect(body.results[0]).toMatchObject({ actor_name: 'Rotations' });

    await secret.rotate();
    const third = await secret.text();
    expect(new URL(third).username).toBe(server.first);
    expect([await canConnect(second), await canConnect(third), await canConnect(firstAddress)]).toEqual([
      false,
      true,
      false,
    ]);
  });

  it('revokes the first role only after every live instance has acknowledged the new one', async () => {
    const secret = await rotatedSecret();
    await secret.report('web-1');
    await secret.report('web-2');

    await secret.act('rotate');
    const waiting = await secret.until(({ reason_code: code }) => code === 'instances');
    expect(waiting).toMatchObject({
      state: 'waiting',
      stage: 'acknowledging',
      pending_count: 2,
      pending: [{ instance: 'web-1', is_alive: true }, { instance: 'web-2' }],
      previous_credential: secret.server.first,
      published_credential: secret.server.second,
    });
    expect(waiting.reason).toContain('2 instances must still acknowledge the new credential.');
    expect(waiting.reason).not.toContain('web-1');
    await secret.report('web-1');
    expect(await secret.until(({ pending_count: count }) => count === 1)).toMatchObject({
      pending: [{ instance: 'web-2' }],
    });
    expect(await canConnect(secret.firstAddress)).toBe(true);

    await secret.report('web-2');
    await secret.until(({ state }) => state === 'idle');
    expect(await canConnect(secret.firstAddress)).toBe(false);
  });

  it('keeps the first role while a session uses it, also if no instance reports', async () => {
    const secret = await rotatedSecret();
    const session = await connect(secret.firstAddress);

    await secret.act('rotate');
    await secret.until(({ reason_code: code }) => code === 'in_use');
    expect(await canConnect(secret.firstAddress)).toBe(true);

    await session.end();
    await secret.until(({ state }) => state === 'idle');
    expect(await canConnect(secret.firstAddress)).toBe(false);
  });

  it('waits for the grace period', async () => {
    const secret = await rotatedSecret({ grace_seconds: 3_600 });
    await secret.act('rotate');
    await secret.until(({ reason_code: code }) => code === 'grace');
    expect(await canConnect(secret.firstAddress)).toBe(true);
    await organization.owner.patch(secret.rotation.url, { grace_seconds: 0 });
    await secret.act('rotate');
    await secret.until(({ state }) => state === 'idle');
  });

  it('waits for an instance that does not report any more, until a person dismisses it', async () => {
    const secret = await rotatedSecret({ silent: 'decide' });
    await secret.report('gone');
    await secret.report('new');
    await endInstanceAtPublication('gone');
    await secret.publish();
    await secret.report('new');

    const asking = await secret.until(({ state, pending_count: count }) => state === 'needs_decision' && count === 1);
    expect(asking).toMatchObject({ reason_code: 'silent_instances', pending: [{ instance: 'gone', is_alive: false }] });
    expect(await canConnect(secret.firstAddress)).toBe(true);
    const [endedInstance] = asking.pending;
    expect(await secret.act('dismiss', { instances: [secret.rotation.id] })).toMatchObject({ status: 409 });
    expect(await secret.act('dismiss', { instances: [endedInstance?.id] })).toMatchObject({ status: 200 });
    await secret.until(({ state }) => state === 'idle');
    expect(await canConnect(secret.firstAddress)).toBe(false);
  });

  it('waits again for a dismissed instance that reports the previous text, and dismisses none that reports', async () => {
    const secret = await rotatedSecret({ silent: 'decide' });
    const previous = await secret.configuration();
    const end = () =>
      query(core, `delete from instance where organization_id = $1 and name = 'cut'`, [organization.id]);
    await secret.report('cut');
    await secret.report('old');
    const { pending } = await secret.publish();
    const cut = pending.find(({ instance }) => instance === 'cut')?.id;
    expect(await secret.act('dismiss', { instances: [cut] })).toMatchObject({ status: 409 });
    await end();
    await secret.until(({ state }) => state === 'needs_decision');
    expect(await secret.act('dismiss', { instances: [cut] })).toMatchObject({ status: 200 });
    await secret.until(({ pending_count: count }) => count === 1);

    await secret.report('cut', organization.owner, previous);
    await secret.until(({ pending_count: count }) => count === 2);
    await end();
    await secret.report('old');
    const asking = await secret.until(({ state, pending_count: count }) => state === 'needs_decision' && count === 1);
    expect(asking).toMatchObject({ pending: [{ instance: 'cut' }] });
    expect(await canConnect(secret.firstAddress)).toBe(true);
    await secret.act('dismiss', { instances: [cut] });
    await secret.until(({ state }) => state === 'idle');
  });

  it('revokes without silent instances after the time of the policy, but never without one that reports', async () => {
    const secret = await rotatedSecret({ silent: 'revoke_after', silent_after_seconds: 900 });
    await secret.report('gone');
    await secret.report('old');
    await secret.publish();
    await query(core, `delete from instance where organization_id = $1 and name = 'gone'`, [organization.id]);
    await query(
      core,
      `update rotation set published_at = published_at - interval '1 hour' where organization_id = $1`,
      [organization.id],
    );
    expect(await secret.until(({ pending_count: count }) => count === 1)).toMatchObject({
      pending: [{ instance: 'old' }],
    });
    expect(await canConnect(secret.firstAddress)).toBe(true);
    await secret.report('old');
    await secret.until(({ state }) => state === 'idle');
  });

  it('runs once if it is requested twice', async () => {
    const secret = await rotatedSecret();
    await secret.report('web');
    await Promise.all([secret.act('rotate'), secret.act('rotate')]);
    await secret.publish();
    await secret.report('web');
    await secret.until(({ state }) => state === 'idle');
    expect(new URL(await secret.text()).username).toBe(secret.server.second);
  });

  it('stops if a person changes the value meanwhile, and never overwrites it', async () => {
    const secret = await rotatedSecret();
    await secret.report('web');
    await secret.publish();

    await organization.owner.patch(secret.value.url, { internal_value: secret.firstAddress });
    const stopped = await secret.until(({ state }) => state === 'stopped');
    expect(stopped).toMatchObject({ reason_code: 'value_changed', next_attempt_at: null });
    expect(await secret.text()).toBe(secret.firstAddress);
    await secret.act('rotate');
    await secret.until(({ state }) => state === 'stopped');

    await secret.act('abort');
    await secret.until(({ state }) => state === 'idle');
    expect(await canConnect(secret.firstAddress)).toBe(true);
    await secret.report('web');
    await secret.act('rotate');
    await secret.until(({ published_credential: name }) => name === secret.server.second);
    await secret.report('web');
    await secret.until(({ state }) => state === 'idle');
    expect([await canConnect(secret.firstAddress), await canConnect(await secret.text())]).toEqual([false, true]);
  });

  it('stops if the text names none of its roles, and if the server is not reachable', async () => {
    const secret = await rotatedSecret();
    await organization.owner.patch(secret.value.url, { internal_value: 'postgresql://other:secret@db.invalid/shop' });
    expect(await secret.rotate()).toMatchObject({ state: 'stopped', reason_code: 'unknown_text' });
    await organization.owner.patch(secret.value.url, { internal_value: secret.firstAddress });
    await organization.owner.patch(secret.rotation.url, { credential: 'wrong' });
    expect(await secret.rotate()).toMatchObject({ state: 'stopped', reason_code: '28P01' });
    expect(await secret.text()).toBe(secret.firstAddress);
    await organization.owner.patch(secret.rotation.url, { credential: ADMIN_PASSWORD });
    expect(await secret.rotate()).toMatchObject({ state: 'idle' });
  });

  it('revokes a new role that it did not publish if it is aborted', async () => {
    const secret = await rotatedSecret();
    await organization.owner.post(`${secret.parameter.url}rules/`, {
      type: 'max_len',
      constraint: String(secret.firstAddress.length),
    });
    expect(await secret.rotate()).toMatchObject({ state: 'stopped', stage: 'publishing' });
    const canLogIn = async () =>
      (
        await secret.server.query<{ rolcanlogin: boolean }>(
          `select rolcanlogin from pg_roles where rolname = '${secret.server.second}'`,
        )
      )[0]?.rolcanlogin;
    expect(await canLogIn()).toBe(true);
    await secret.act('abort');
    await secret.until(({ state }) => state === 'idle');
    expect(await canLogIn()).toBe(false);
    expect(await canConnect(secret.firstAddress)).toBe(true);
  });

  it('connects to no private address unless the operator allows it', async () => {
    const secret = await rotatedSecret({
      postgresql: {
        host: '169.254.169.254',
        port: 80,
        database: 'x',
        user: 'x',
        roles: ['a', 'b'],
        tls: false,
        ca: null,
      },
    });
    await organization.owner.patch(secret.value.url, { internal_value: 'postgresql://a:b@db.invalid/shop' });
    expect(await secret.rotate()).toMatchObject({ state: 'stopped', reason_code: 'PRIVATE_ADDRESS' });
  });
});

describe('rotations', () => {
  it('never show the password that Strata connects with', async () => {
    const secret = await rotatedSecret();
    await secret.rotate();
    const published = new URL(await secret.text()).password;
    const shown = [secret.rotation, await secret.read(), (await organization.owner.get('rotations/')).body];
    const stored = await query(
      core,
      'select row_to_json(rotation)::text as text from rotation where organization_id = $1',
      [organization.id],
    );
    for (const text of [JSON.stringify(shown), JSON.stringify(stored), log.text]) {
      expect(text).not.toContain(ADMIN_PASSWORD);
      expect(text).not.toContain(published);
    }
  });

  it('may be changed only by members who may write the value and reveal it', async () => {
    const secret = await rotatedSecret();
    const { url, id } = secret.rotation;
    const attempts = (client: RawClient) =>
      Promise.all([client.post(`${url}rotate/`, {}), client.patch(url, { name: 'x' }), client.delete(url)]).then(
        (replies) => replies.map(({ status }) => status),
      );

    expect(await attempts(organization.as('VIEWER'))).toEqual([403, 403, 403]);
    const { client, membershipId } = await createPerson(core, organization.id, 'CONTRIB');
    await query(core, 'update membership set reveals_secrets = false where organization_id = $1 and id = $2', [
      organization.id,
      membershipId,
    ]);
    expect(await attempts(client)).toEqual([403, 403, 403]);
    const otherOrganization = await core.organization();
    expect(await attempts(otherOrganization.owner)).toEqual([404, 404, 404]);
    expect(await attempts(new RawClient(core.origin, null))).toEqual([401, 401, 401]);

    await organization.owner.patch<Project>(secret.project.url, { access_controlled: true });
    const outsider = await createMember(core, organization);
    expect((await outsider.client.get<Page<Rotation>>('rotations/')).body.results).toEqual([]);
    expect(await attempts(outsider.client)).toEqual([404, 404, 404]);
    await createGrant(organization, outsider.url, secret.project.url, 'CONTRIB');
    expect((await outsider.client.get<Rotation>(url)).body.id).toBe(id);
    expect((await outsider.client.patch(url, { name: 'y' })).status).toBe(200);
  });

  it.each([
    ['a parameter that is not secret', { secret: false }, {}, 'rotation_needs_secret'],
    ['a parameter without a value', { secret: true }, {}, 'rotation_needs_value'],
    ['no password', { secret: true }, { credential: undefined }, 'invalid'],
    ['no settings', { secret: true }, { postgresql: undefined }, 'required'],
    [
      'a socket of the machine',
      { secret: true },
      { postgresql: { host: '/run/postgresql', user: 'x', roles: ['a', 'b'] } },
      'invalid',
    ],
    [
      'the role that Strata connects with as one of the two roles',
      { secret: true },
      { postgresql: { host: 'db.invalid', user: 'b', roles: ['a', 'b'] } },
      'invalid',
    ],
    [
      'a character that PostgreSQL cannot store',
      { secret: true },
      { postgresql: { host: 'db.invalid', user: 'x', roles: ['a', 'b'], ca: '\u0000' } },
      'invalid',
    ],
    ['a lone surrogate', { secret: true }, { command: { program: 'x', input: '\ud800' } }, 'invalid'],
  ])('are rejected for %s', async (_, parameterInput, input, code) => {
    const parameter = await organization.parameter(parameterInput);
    const environment = await organization.environmentNamed('production');
    const reply = await organization.owner.post('rotations/', {
      ...{ name: 'r', parameter: parameter.url, environment: environment.url, rotator: 'postgresql', credential: 'x' },
      ...{ postgresql: { host: 'db.invalid', user: 'x', roles: ['a', 'b'] } },
      ...input,
    });
    expect([reply.status, reply.headers['x-error-code']]).toEqual([400, code]);
  });

  it('are deleted with their parameter, and never two publish to one value or replace one role', async () => {
    const secret = await rotatedSecret();
    const { name, parameter, environment, rotator } = secret.rotation;
    const sameValue = { name, parameter, environment, rotator, postgresql: secret.server.settings, credential: 'x' };
    const reply = await organization.owner.post('rotations/', sameValue);
    expect([reply.status, reply.headers['x-error-code']]).toEqual([409, 'rotation_exists']);
    const otherParameter = await organization.parameter({ secret: true });
    const production = await organization.environmentNamed('production');
    await organization.value({ parameter: otherParameter, environment: production });
    const [first] = secret.server.settings.roles;
    const host = secret.server.settings.host.toUpperCase();
    const sameRole = await organization.owner.post('rotations/', {
      ...sameValue,
      parameter: otherParameter.url,
      postgresql: { ...secret.server.settings, host, roles: ['another', first] },
    });
    expect([sameRole.status, sameRole.headers['x-error-code']]).toEqual([409, 'credential_rotated']);
    await organization.owner.delete(secret.parameter.url);
    expect((await organization.owner.get(secret.rotation.url)).status).toBe(404);
  });
});
