import { setTimeout as sleep } from 'node:timers/promises';
import type { Effective, Project, Value } from '@strata/contract';
import { type OwnCore, RawClient, type RunningCore, sharedCore, type TestOrganization } from '@strata/testkit';
import { startSecondCore } from '../../testing/core-in-process.ts';
import {
  createShop,
  listInstances,
  listStatuses,
  readRollout,
  sendReport,
  type TestScope,
} from '../../testing/instances.ts';
import { waitUntil } from '../../testing/until.ts';

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

const parameter = (name: string) => organization.parameter({ project, name });
const effective = async (query = '', client = organization.owner) =>
  (await client.get<Effective>(`projects/${project.id}/effective/?mask_secrets=true&${query}`)).body;
const change = async (value: Value, text: string) =>
  Number((await organization.owner.patch(value.url, { internal_value: text })).headers['x-revision']);
const otherCoreClient = (role: 'OWNER' | 'VIEWER' = 'OWNER') =>
  new RawClient(second.origin, () =>
    role === 'OWNER' ? Promise.resolve(organization.ownerAuthorization) : organization.authorization(role),
  );

/** Reports that an instance runs the present configuration. */
async function confirm(instance: string, client = organization.owner, query = ''): Promise<void> {
  const { revision, digest } = await effective(query, client);
  expect(await sendReport(client, scope, instance, { revision, digest })).toMatchObject({ status: 204, text: '' });
}

describe('an instance', () => {
  it('is current once it has confirmed the present configuration, and lags after a change', async () => {
    const viewer = organization.as('VIEWER');
    await confirm('web-1', viewer);
    expect(await readRollout(organization.owner, scope)).toMatchObject({
      status: 200,
      body: {
        project_id: project.id,
        project_name: 'shop',
        environment_name: 'default',
        revision: (await effective()).revision,
        converged: true,
        total: 1,
        current: 1,
        lagging: 0,
        refused: 0,
        count: 1,
        results: [
          { instance: 'web-1', status: 'current', reason: null, account: { name: expect.stringMatching('viewer') } },
        ],
      },
    });
    await change(port, '8081');

    expect((await readRollout(organization.owner, scope)).body).toMatchObject({
      converged: false,
      lagging: 1,
      results: [{ instance: 'web-1', status: 'lagging' }],
    });
  });

  it('stays current after a change that does not affect the names it follows', async () => {
    const otherValue = await organization.value({ parameter: await parameter('OTHER'), internal_value: 'a' });
    const { revision, digest } = await effective('name__in=PORT,LATER');
    await sendReport(organization.owner, scope, 'narrow', { revision, digest, names: ['LATER', 'PORT', 'PORT'] });
    await confirm('wide');
    await change(otherValue, 'b');

    expect(await listStatuses(organization.owner, scope)).toEqual({ narrow: 'current', wide: 'lagging' });
  });

  it('that confirmed a later revision is current at an earlier one', async () => {
    const { revision } = await effective();
    await change(port, '8081');
    await confirm('web-1');
    expect(await listStatuses(organization.owner, scope, `revision=${revision}`)).toEqual({ 'web-1': 'current' });
  });

  it('may report an older revision again, because it started with a cache', async () => {
    const before = await effective();
    await change(port, '8081');
    await confirm('web-1');
    expect((await sendReport(organization.owner, scope, 'web-1', before)).status).toBe(204);

    expect(await listInstances(organization.owner, scope)).toMatchObject([
      { status: 'lagging', revision: before.revision },
    ]);
  });

  it('rejects a configuration, with its reason, until it confirms another one', async () => {
    await confirm('web-1');
    const before = await listInstances(organization.owner, scope);
    await change(port, 'not a port');
    const { revision, digest } = await effective();
    await sendReport(organization.owner, scope, 'web-1', { revision, digest, reason: 'PORT is not a number' });
    const response = await readRollout(organization.owner, scope);
    expect(response.body).toMatchObject({
      refused: 1,
      results: [{ status: 'refused', revision, reason: 'PORT is not a number', digest: before[0]?.digest }],
    });
    await organization.environment();
    expect(await listStatuses(organization.owner, scope)).toEqual({ 'web-1': 'refused' });
    await change(port, '9090');
    expect(await listInstances(organization.owner, scope)).toMatchObject([{ status: 'lagging', reason: null }]);
    await change(port, '8080');
    expect(await listStatuses(organization.owner, scope)).toEqual({ 'web-1': 'current' });
    await change(port, '9090');
    await confirm('web-1');

    expect(await listStatuses(organization.owner, scope)).toEqual({ 'web-1': 'current' });
  });

  it('that rejects a configuration without its digest rejects that revision', async () => {
    const { revision } = await effective();
    await sendReport(organization.owner, scope, 'web-1', { revision, reason: 'not now' });
    expect(await listInstances(organization.owner, scope)).toMatchObject([{ status: 'refused', digest: null }]);
  });

  it('keeps what it confirmed if it rejects the next configuration right after that', async () => {
    await confirm('first');
    const { revision, digest } = await effective();
    const confirming = sendReport(organization.owner, scope, 'web-1', { revision, digest });
    await sleep(50);
    await sendReport(organization.owner, scope, 'web-1', { revision, digest: 'another', reason: 'no' });
    await confirming;

    expect(await listInstances(organization.owner, scope, 'status=current')).toMatchObject([
      { instance: 'first' },
      { instance: 'web-1', revision, digest: expect.any(String) },
    ]);
  });

  it('keeps the time since when it reports the same', async () => {
    await confirm('web-1');
    const [first] = await listInstances(organization.owner, scope);
    await organization.environment();
    await confirm('web-1');
    const [secondResult] = await listInstances(organization.owner, scope);
    expect(secondResult?.since).toBe(first?.since);
    expect(Date.parse(secondResult?.seen_at ?? '')).toBeGreaterThan(Date.parse(first?.seen_at ?? ''));
    await change(port, '8081');
    await confirm('web-1');

    expect((await listInstances(organization.owner, scope))[0]?.since).not.toBe(first?.since);
  });

  it('is visible on another core at once', async () => {
    await confirm('web-1');
    expect(await listStatuses(otherCoreClient(), scope)).toEqual({ 'web-1': 'current' });
  });

  it('is compared by revision while the configuration cannot be evaluated', async () => {
    const name = { parameter: await parameter('REPEATED') };
    await organization.value({ ...name, internal_value: '{{ PORT }}'.repeat(17), interpolated: true });
    await confirm('old');
    const { digest } = await effective();
    const revision = await change(port, 'x'.repeat(65_000));
    expect((await organization.owner.get(`projects/${project.id}/effective/`)).status).toBe(422);
    await sendReport(organization.owner, scope, 'new', { revision, digest });

    expect(await listStatuses(organization.owner, scope)).toEqual({ new: 'current', old: 'lagging' });
  });

  it('is compared with what its own account receives', async () => {
    const closed = await organization.project({ name: 'closed' });
    const token = await organization.parameter({ project: closed, name: 'HOST' });
    await organization.value({ parameter: token, internal_value: 'inner' });
    await organization.value({
      parameter: await parameter('URL'),
      internal_value: '{{ strata.projects.closed.parameters.HOST }}',
      interpolated: true,
    });
    await organization.owner.patch(closed.url, { access_controlled: true });
    const viewer = organization.as('VIEWER');
    const [ofOwner, ofViewer] = [await effective(), await effective('', viewer)];
    expect(ofViewer.digest).not.toBe(ofOwner.digest);
    await confirm('owner');
    await confirm('viewer', viewer);
    await sendReport(viewer, scope, 'guess', ofOwner);

    expect(await listStatuses(organization.owner, scope)).toEqual({
      guess: 'lagging',
      owner: 'current',
      viewer: 'current',
    });
  });
});

describe('a rollout', () => {
  it('lists instances that rejected it first, then lagging ones, and filters by status', async () => {
    for (const name of ['b-lagging', 'a-lagging']) await confirm(name);
    await change(port, '8081');
    await confirm('current');
    const { revision, digest } = await effective();
    await sendReport(organization.owner, scope, 'z-rejected', { revision, digest, reason: 'no' });
    const names = async (query: string) =>
      (await listInstances(organization.owner, scope, query)).map((row) => row.instance);

    expect(await names('')).toEqual(['z-rejected', 'a-lagging', 'b-lagging', 'current']);
    expect(await names('page=2&page_size=2')).toEqual(['b-lagging', 'current']);
    expect((await readRollout(organization.owner, scope, 'status=lagging&page_size=1')).body).toMatchObject({
      total: 4,
      count: 2,
      results: [{ instance: 'a-lagging' }],
    });
    expect(await readRollout(organization.owner, scope, 'page=3&page_size=2')).toMatchObject({ status: 404 });
  });

  it('without instances has converged', async () => {
    expect((await readRollout(organization.owner, scope, 'wait=60')).body).toMatchObject({ converged: true, total: 0 });
  });

  it.each`
    query                                                 | status | error
    ${'environment=default'}                              | ${400} | ${{ project: ['This field is required.'] }}
    ${'project=shop'}                                     | ${400} | ${{ environment: ['This field is required.'] }}
    ${'project=shop&environment=default&wait=61'}         | ${400} | ${{ wait: [expect.any(String)] }}
    ${'project=nothing&environment=default'}              | ${404} | ${{ detail: 'No Project matches the given query.' }}
    ${'project=shop&environment=nothing'}                 | ${404} | ${{ detail: 'No Environment matches the given query.' }}
    ${'project=shop&environment=default&revision=999999'} | ${404} | ${{ detail: expect.stringContaining('does not exist') }}
  `('with $query returns $status', async ({ query, status, error }) => {
    expect(await organization.owner.get(`rollouts/?${query}`)).toMatchObject({ status, body: error });
  });
});

describe('a rollout with wait', () => {
  it('responds as soon as the last instance is current, on another core, too', async () => {
    for (const name of ['web-1', 'web-2']) await confirm(name);
    const revision = await change(port, '8081');
    await confirm('web-1');
    const waiting = [organization.owner, otherCoreClient()].map((client) =>
      readRollout(client, scope, `revision=${revision}&wait=60`),
    );
    let isOver = false;
    for (const response of waiting) void response.then(() => (isOver = true));
    await organization.environment();
    await confirm('web-3');
    expect(isOver).toBe(false);
    await confirm('web-2');

    for (const response of waiting) {
      expect(await response).toMatchObject({ status: 200, body: { revision, converged: true, current: 3 } });
    }
  });

  it('responds as soon as one instance rejects it', async () => {
    await confirm('web-1');
    await confirm('web-2');
    const revision = await change(port, 'x');
    const waiting = readRollout(otherCoreClient(), scope, `revision=${revision}&wait=60`);
    const { digest } = await effective();
    await sendReport(organization.owner, scope, 'web-2', { revision, digest, reason: 'PORT' });

    expect((await waiting).body).toMatchObject({ converged: false, refused: 1, lagging: 1 });
  });

  it('responds with the present state when the time is over', async () => {
    await confirm('web-1');
    await change(port, '8081');
    expect((await readRollout(organization.owner, scope, 'wait=1')).body).toMatchObject({
      converged: false,
      lagging: 1,
    });
  });

  it('ends with 403 if the caller loses access meanwhile', async () => {
    await confirm('web-1');
    await change(port, '8081');
    const viewer = organization.as('VIEWER');
    await viewer.get('projects/');
    const waiting = readRollout(viewer, scope, 'wait=60');
    const never = await Promise.race([waiting, readRollout(organization.owner, scope, 'wait=1')]);
    expect(never.body.lagging).toBe(1);
    await organization.owner.patch(project.url, { access_controlled: true });
    await confirm('web-2');

    expect(await waiting).toMatchObject({ status: 403 });
  });
});

describe('the rollout of a project that is deleted', () => {
  it('ends with the project, and its reports return 404', async () => {
    await confirm('web-1');
    await organization.owner.delete(project.url);
    expect((await readRollout(organization.owner, scope)).status).toBe(404);
    expect((await sendReport(organization.owner, scope, 'web-1', { revision: 1, digest: 'x' })).status).toBe(404);
    await organization.project({ name: 'shop' });

    expect(
      await waitUntil(
        async () => (await readRollout(organization.owner, scope)).body.total,
        () => true,
      ),
    ).toBe(0);
  });
});
