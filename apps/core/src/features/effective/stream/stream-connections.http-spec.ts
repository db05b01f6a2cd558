import type { Explanation, Project, ServiceAccountCreated } from '@strata/contract';
import { countCases, type TestOrganization } from '@strata/testkit';
import type { CoreInProcess } from '../../../testing/core-in-process.ts';
import { query } from '../../../testing/query.ts';
import { setUpStreams } from '../../../testing/stream-fixture.ts';
import { waitUntil } from '../../../testing/until.ts';

const { fixture, client, following, set, change, effective } = setUpStreams();
let core: CoreInProcess;
let otherCore: CoreInProcess;
let org: TestOrganization;
let project: Project;
beforeEach(() => {
  ({ core, otherCore, org, project } = fixture());
});

describe('a client that connects again', () => {
  it('receives what it missed, one delta per revision, also from another core', async () => {
    const value = await set('0');
    const stream = await following();
    stream.cut();
    const revisions = [await change(value, '1'), await change(value, '2'), await change(value, '1')];
    await org.environment();
    await stream.open({}, otherCore.origin);
    await stream.untilRevision(Number(revisions.at(-1)) + 1);
    expect(stream.of('delta').map(({ revision }) => revision)).toEqual(revisions);
    expect(stream.of('snapshot')).toHaveLength(1);
  });

  it('receives only a bookmark if nothing here has changed', async () => {
    await set('0');
    const stream = await following();
    stream.cut();
    await org.value({ internal_value: 'elsewhere' });
    const { headers } = await org.owner.get('projects/');
    await stream.open();
    await stream.untilRevision(Number(headers['x-revision']));

    expect(new Set(stream.kinds)).toEqual(new Set(['snapshot', 'bookmark']));
  });

  it.each(['nonsense', 'c1.0b9f4c5e1f5a4f0e8a436f1f4f3b2a10.c.0.4d37365b'])(
    'with %s instead of a cursor gets 400',
    async (cursor) => {
      const stream = client(`after=${cursor}`);
      expect(JSON.parse(await stream.open())).toEqual({
        after: [expect.stringContaining('not a cursor of this stream')],
      });
      expect(stream.status).toBe(400);
    },
  );

  it('starts again with a snapshot after the history was replaced, or after more than 1,000 revisions', async () => {
    await set('0');
    const replaced = await following();
    replaced.cut();
    await query(core, 'update organization_head set epoch = gen_random_uuid() where organization_id = $1', [org.id]);
    await replaced.open();
    await replaced.until(() => replaced.of('snapshot').length === 2);
    expect(replaced.of('reset')).toMatchObject([{ reason: 'history_replaced' }]);

    const behind = await following();
    behind.cut();
    await query(core, 'update organization_head set revision = revision + 1001 where organization_id = $1', [org.id]);
    await behind.open();
    await behind.until(() => behind.of('snapshot').length === 2);
    expect(behind.of('reset')).toMatchObject([{ reason: 'too_far_behind' }]);
  });
});

describe('an open stream', () => {
  it('starts again if the history is replaced', async () => {
    await set('0');
    const stream = await following();
    await query(core, 'update organization_head set epoch = gen_random_uuid() where organization_id = $1', [org.id]);
    await stream.until(() => stream.of('snapshot').length === 2);
    expect(stream.of('reset')).toMatchObject([{ reason: 'history_replaced' }]);
  });

  it('ends with a reason, and delivers nothing more, when the access to the environment or the project ends', async () => {
    for (const scope of ['project', 'environment'] as const) {
      const environment = await org.environment();
      const value = await set('0', { environment });
      const stream = await following(`environment=${environment.name}`, await org.authorization('VIEWER'));
      const url = { project: project.url, environment: environment.url }[scope];
      await org.owner.patch(url, { access_controlled: true });
      await change(value, 'canary');
      await stream.until(() => !stream.isOpen);
      await org.owner.patch(url, { access_controlled: false });

      expect(stream.last?.message).toEqual({
        kind: 'close',
        code: 'forbidden',
        detail: expect.stringContaining('no longer'),
      });
      expect(stream.of('delta')).toEqual([]);
    }
  });

  it('ends when its credential is revoked', async () => {
    const { body } = await org.owner.post<ServiceAccountCreated>('serviceaccounts/', { name: 'ci', role: 'VIEWER' });
    const stream = await following('', `Api-Key ${body.apikey}`);
    await org.owner.delete(`serviceaccounts/${body.id}/`);
    await stream.until(() => !stream.isOpen);
    expect(stream.last?.message).toMatchObject({ kind: 'close', code: 'credential_revoked' });
  });

  it('ends when the project or the environment is deleted', async () => {
    const environment = await org.environment();
    const [ofEnvironment, ofProject] = [await following(`environment=${environment.id}`), await following()];
    await org.owner.delete(environment.url);
    await ofEnvironment.until(() => !ofEnvironment.isOpen);
    await org.owner.delete(project.url);
    await ofProject.until(() => !ofProject.isOpen);

    for (const stream of [ofEnvironment, ofProject]) {
      expect(stream.last?.message).toMatchObject({ kind: 'close', code: 'not_found' });
    }
  });

  it('starts again with a snapshot if other permissions change what the client may see', async () => {
    const base = await org.project({ name: 'base' });
    const host = await org.parameter({ project: base, name: 'HOST' });
    await org.value({ parameter: host, internal_value: 'hidden' });
    await set('{{ strata.projects.base.parameters.HOST }}', { interpolated: true });
    const stream = await following('', await org.authorization('VIEWER'));
    await org.owner.patch(base.url, { access_controlled: true });
    await stream.until(() => stream.of('snapshot').length === 2);

    expect(stream.of('snapshot').map(({ values }) => values)).toEqual([{ PORT: 'hidden' }, { PORT: '*****' }]);
    expect(stream.of('reset')).toMatchObject([{ reason: 'permissions_changed' }]);
  });

  it('sends bookmarks while nothing happens, whose cursors follow the revisions', async () => {
    await set('0');
    const stream = await following();
    await org.value({ internal_value: 'elsewhere' });
    const { headers } = await org.owner.get('projects/');
    await stream.untilRevision(Number(headers['x-revision']));
    expect(stream.of('bookmark').at(-1)).toMatchObject({ digest: (await effective()).digest });
  });

  it('delivers values that are longer than the buffer of the connection', async () => {
    const long = 'é🌍'.repeat(15_000);
    for (let n = 0; n < 40; n += 1) {
      await set(`${long}${n}`, { parameter: await org.parameter({ project, name: `LONG_${n}` }) });
    }
    const stream = await following();
    expect(stream.last?.values).toEqual((await effective()).values);
  });
});

it('a write directly after the first message is never missed', async () => {
  const value = await set('0');
  for (let n = 1; n <= countCases(1_000); n += 1) {
    const stream = await following();
    await change(value, String(n));
    await stream.until(() => stream.last?.values?.PORT === String(n));
    stream.cut();
  }
});

it('a stream of a service account counts as a read, while it is open', async () => {
  await set('0');
  await following('', await org.authorization('VIEWER'));
  const lastRead = async () =>
    (
      await org.owner.get<{ results: Pick<Explanation, 'last_read_at' | 'last_read_by'>[] }>(
        `${project.url}explain/?environment=default&name=PORT`,
      )
    ).body.results[0];
  const read = await waitUntil(lastRead, (explanation) => Boolean(explanation?.last_read_at));
  expect(read).toMatchObject({ last_read_by: { name: expect.stringContaining('viewer') } });
});

it('a lost connection to the database delays deltas, and loses none', async () => {
  const value = await set('0');
  const stream = await following();
  const terminate = () =>
    query(
      core,
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    );
  for (let n = 1; n <= 5; n += 1) {
    await terminate();
    const text = String(n);
    while ((await org.owner.patch(value.url, { internal_value: text })).status !== 200);
  }
  await stream.until(() => stream.last?.values?.PORT === '5');

  expect(stream.of('delta').map(({ changes: [first] }) => first?.value)).toEqual(['1', '2', '3', '4', '5']);
});

it('returns 429 for more different configurations than one core follows, and continues the others', async () => {
  const value = await set('0');
  const streams = [await following()];
  for (let n = 0; n < 999; n += 50) {
    const batch = Array.from({ length: Math.min(50, 999 - n) }, (_, index) => following(`name__in=N${n + index}`));
    streams.push(...(await Promise.all(batch)));
  }
  const rejectedClient = client('name__in=ONE_MORE');
  const body = await rejectedClient.open();
  await change(value, '1');
  await streams[0]?.until(() => streams[0]?.last?.values?.PORT === '1');

  expect([rejectedClient.status, JSON.parse(body)]).toEqual([
    429,
    { detail: expect.stringContaining('At most 1000 different') },
  ]);
  expect((await following()).last?.values).toEqual({ PORT: '1' });
  for (const stream of streams.slice(1, 50)) stream.cut();
  do await rejectedClient.open();
  while (rejectedClient.status !== 200);
});

describe('a rejected request', () => {
  it('for an unknown project, an unknown environment, and those of other organizations is 404', async () => {
    const otherProject = await (await core.organization()).project();
    const id = '00000000-0000-4000-8000-000000000000';
    for (const [query, target] of [
      ['environment=nowhere', project],
      ['', { ...project, id }],
      ['', otherProject],
    ] as const) {
      const stream = client(query, org.ownerAuthorization, core, target);
      await stream.open();
      expect(stream.status).toBe(404);
    }
  });

  it('for a controlled scope without a grant is 403', async () => {
    await org.owner.patch(project.url, { access_controlled: true });
    const stream = client('', await org.authorization('VIEWER'));
    await stream.open();
    expect(stream.status).toBe(403);
  });
});
