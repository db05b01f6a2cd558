import type { Effective, Project, RolloutInstance, Value } from '@strata/contract';
import { type OwnCore, RawClient, type RunningCore, sharedCore, type TestOrganization } from '@strata/testkit';
import { startSecondCore } from '../../testing/core-in-process.ts';
import { createShop, listInstances, sendReport, type TestScope, untilReported } from '../../testing/instances.ts';

let core: RunningCore;
let second: OwnCore;
let organization: TestOrganization;
let project: Project;
let scope: TestScope;
let port: Value;

beforeAll(async () => {
  core = await sharedCore();
  second = await startSecondCore(core);
});
afterAll(() => second.close());
beforeEach(async () => {
  organization = await core.organization();
  ({ project, scope, port } = await createShop(organization));
});

type Poll = Awaited<ReturnType<typeof poll>>;
const poll = (query = '', headers: Readonly<Record<string, string>> = {}, client = organization.owner) =>
  client.get<Effective>(`projects/${project.id}/effective/?${query}`, headers);
const pollAgain = ({ headers }: Poll, instance: string, query = '', client = organization.owner) =>
  poll(query, { 'if-none-match': headers.etag ?? '', 'x-strata-instance': instance }, client);
const reported = (client = organization.owner): Promise<readonly RolloutInstance[]> => listInstances(client, scope);

/** A report of another instance. Everything that was reported before it is stored when it is. */
async function settled(): Promise<readonly RolloutInstance[]> {
  const { body } = await poll('mask_secrets=true');
  expect((await sendReport(organization.owner, scope, 'last', body)).status).toBe(204);
  return (await reported()).filter(({ instance }) => instance !== 'last');
}

describe('a poll that names its instance', () => {
  it('confirms the configuration with 304, visible on another core, too', async () => {
    const first = await poll('mask_secrets=true');
    expect((await pollAgain(first, 'web-1', 'mask_secrets=true')).status).toBe(304);
    const onSecond = new RawClient(second.origin, organization.ownerAuthorization);

    expect(await untilReported(onSecond, scope)).toMatchObject([
      { instance: 'web-1', status: 'current', revision: first.body.revision },
    ]);
  });

  it('confirms nothing with 200, and lags after a change until a 304', async () => {
    const first = await poll('', { 'x-strata-instance': 'web-1' });
    expect(first.status).toBe(200);
    expect(await settled()).toEqual([]);
    await pollAgain(first, 'web-1');
    await untilReported(organization.owner, scope, 2);
    await organization.owner.patch(port.url, { internal_value: '8081' });
    const second = await pollAgain(first, 'web-1');
    expect(second.status).toBe(200);
    expect(await settled()).toMatchObject([{ status: 'lagging', revision: first.body.revision }]);
    expect((await pollAgain(second, 'web-1')).status).toBe(304);

    expect(await settled()).toMatchObject([{ status: 'current', revision: second.body.revision }]);
  });

  it('confirms when it begins to wait, not only when it ends', async () => {
    const first = await poll('wait=30');
    const waiting = pollAgain(first, 'web-1', 'wait=30');
    expect(await untilReported(organization.owner, scope)).toMatchObject([{ instance: 'web-1', status: 'current' }]);
    await organization.owner.patch(port.url, { internal_value: '8081' });

    expect((await waiting).status).toBe(200);
    expect(await settled()).toMatchObject([{ status: 'lagging' }]);
  });

  it('confirms with the digest as its validator, too', async () => {
    const { digest } = (await poll()).body;
    const headers = { 'if-none-match': `"${digest}"`, 'x-strata-instance': 'web-1' };
    expect((await poll('', headers)).status).toBe(304);
    expect(await settled()).toMatchObject([{ instance: 'web-1', status: 'current' }]);
  });

  it('counts with the names and the masking of its query', async () => {
    const otherValue = await organization.value({
      parameter: await organization.parameter({ project, name: 'OTHER', secret: true }),
      internal_value: 'a',
    });
    for (const query of ['name__in=PORT', 'mask_secrets=true', '']) {
      await pollAgain(await poll(query), query || 'reveals', query);
    }
    await organization.owner.patch(otherValue.url, { internal_value: 'b' });
    const statuses = (await settled()).map(({ instance, status }) => [instance, status]);

    expect(Object.fromEntries(statuses)).toEqual({
      'name__in=PORT': 'current',
      'mask_secrets=true': 'current',
      reveals: 'lagging',
    });
  });

  it.each(['name=PORT', 'secret=false', 'evaluate=false', 'immediate_parameters=true', 'revision=1'])(
    'confirms nothing with the filter %s',
    async (query) => {
      await pollAgain(await poll(query), 'web-1', query);
      expect(await settled()).toEqual([]);
    },
  );

  it('belongs to the account that polls', async () => {
    for (const role of ['VIEWER', 'CONTRIB'] as const) {
      const client = organization.as(role);
      await pollAgain(await poll('', {}, client), 'web-1', '', client);
    }
    const accounts = (await settled()).map(({ account }) => account.name.replace(/-\d+$/, ''));
    expect(accounts.sort()).toEqual(['contrib', 'viewer']);
  });

  it.each([' ', 'x'.repeat(129), 'caf\u00e9'])('returns 400 for the name %j', async (name) => {
    expect(await poll('', { 'x-strata-instance': name })).toMatchObject({
      status: 400,
      headers: { 'x-error-code': 'invalid_instance' },
    });
  });
});

it('a poll without an instance confirms nothing', async () => {
  const first = await poll();
  expect((await poll('', { 'if-none-match': first.headers.etag ?? '' })).status).toBe(304);
  expect(await settled()).toEqual([]);
});
