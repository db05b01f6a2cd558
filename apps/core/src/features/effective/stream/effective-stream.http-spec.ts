import type {
  Effective,
  Environment,
  Explanation,
  Parameter,
  Project,
  ServiceAccountCreated,
  Value,
} from '@strata/contract';
import { cases, type TestOrganization, testCredentials } from '@strata/testkit';
import {
  type CoreInProcess,
  moduleOfCore,
  startCoreInProcess,
  startSecondCore,
} from '../../../testing/core-in-process.ts';
import { EffectiveClient } from '../../../testing/effective-client.ts';
import { query } from '../../../testing/query.ts';

let core: CoreInProcess;
let other: CoreInProcess;
let org: TestOrganization;
let project: Project;
let parameter: Parameter;
const clients: EffectiveClient[] = [];

beforeAll(async () => {
  core = await startCoreInProcess({ STRATA_BOOTSTRAP_API_KEY: testCredentials().apiKey });
  const { StreamTimes } = await moduleOfCore<typeof import('../../feed/stream-socket.ts')>(
    './features/feed/stream-socket.js',
  );
  Object.assign(core.core.app.get(StreamTimes), { bookmarkMs: 200, drainMs: 500 });
  other = await startSecondCore(core);
});
afterAll(async () => {
  await other.close();
  await core.close();
});
beforeEach(async () => {
  org = await core.organization();
  project = await org.project({ name: 'shop' });
  parameter = await org.parameter({ project, name: 'PORT' });
});
afterEach(() => {
  for (const client of clients.splice(0)) client.cut();
});

/** Returns a client of the default environment that has not connected yet. */
function client(query = '', authorization = org.ownerAuthorization, { origin } = core, of = project): EffectiveClient {
  const made = new EffectiveClient(origin, `projects/${of.id}/effective/stream/?${query}`, authorization);
  clients.push(made);
  return made;
}

async function following(...args: Parameters<typeof client>): Promise<EffectiveClient> {
  const made = client(...args);
  await made.open();
  await made.until(() => made.received.length > 0);
  return made;
}

async function set(
  text: string | null,
  input: { parameter?: Parameter; environment?: Environment; interpolated?: boolean } = {},
) {
  return org.value({ parameter, internal_value: text, ...input });
}

const change = async ({ url }: Value, internal_value: string | null, more = {}) =>
  Number((await org.owner.patch(url, { internal_value, ...more })).headers['x-revision']);

const effective = async (query = '') =>
  (await org.owner.get<Effective>(`${project.url}effective/?environment=default&${query}`)).body;

describe('a new stream', () => {
  it('starts with a snapshot that equals the effective configuration, with the same digest', async () => {
    await set('8080');
    const stream = await following();
    const { values, digest, revision } = await effective('mask_secrets=true');

    expect(stream.of('snapshot')).toEqual([
      { kind: 'snapshot', cursor: expect.any(String), revision, digest, masked: [], values },
    ]);
    expect(values).toEqual({ PORT: '8080' });
  });

  it('then sends a delta for each revision that changes a value, with the cell that sets it', async () => {
    const value = await set('8080');
    const stream = await following();
    const revision = await change(value, '8081');
    await stream.until(() => stream.of('delta').length > 0);

    expect(stream.of('delta')).toEqual([
      {
        kind: 'delta',
        cursor: expect.any(String),
        revision,
        digest: (await effective()).digest,
        changes: [
          {
            name: 'PORT',
            kind: 'changed',
            value: '8081',
            masked: false,
            source: {
              project: { id: project.id, name: 'shop' },
              environment: { id: (await org.environmentNamed('default')).id, name: 'default' },
            },
            changeset: revision,
          },
        ],
      },
    ]);
  });

  it('reports values that are set and unset, an explicit null, and nothing about other projects', async () => {
    const stream = await following();
    const value = await set(null);
    await org.value({ internal_value: 'elsewhere' });
    await change(value, '1');
    await org.owner.delete(value.url);
    await stream.until(() => stream.of('delta').length === 3);

    expect(stream.of('delta').map(({ changes: [first] }) => [first?.name, first?.kind, first?.value])).toEqual([
      ['PORT', 'set', null],
      ['PORT', 'changed', '1'],
      ['PORT', 'unset', null],
    ]);
    expect(stream.last?.values).toEqual({});
  });
});

describe('a dynamic value', () => {
  it('is delivered when a value that it refers to changes, in another project and in a template', async () => {
    const base = await org.project({ name: 'base' });
    const host = await org.parameter({ project: base, name: 'HOST' });
    const value = await org.value({ parameter: host, internal_value: 'a' });
    const template = (
      await org.owner.post<{ url: string }>(`${project.url}templates/`, { name: 't', body: 'T {{ PORT }}' })
    ).body;
    await set('8080');
    const url = await org.parameter({ project, name: 'URL' });
    await set('{{ strata.projects.base.parameters.HOST }}', { parameter: url, interpolated: true });
    const text = await org.parameter({ project, name: 'TEXT' });
    await set('{{ strata.templates.t }}', { parameter: text, interpolated: true });
    const stream = await following();
    const changed = await change(value, 'b');
    const rewritten = Number((await org.owner.patch(template.url, { body: 'U {{ PORT }}' })).headers['x-revision']);
    await stream.untilRevision(rewritten);

    expect(
      stream.of('delta').map(({ revision, changes }) => [revision, changes.map(({ name, value }) => [name, value])]),
    ).toEqual([
      [changed, [['URL', 'b']]],
      [rewritten, [['TEXT', 'U 8080']]],
    ]);
    expect(stream.last?.values).toEqual((await effective()).values);
  });

  it('that cannot be evaluated is a problem, and the client keeps its values until it can', async () => {
    const port = await set('8080');
    const twice = await org.parameter({ project, name: 'TWICE' });
    await set('{{ PORT }}'.repeat(17), { parameter: twice, interpolated: true });
    const stream = await following();
    const before = stream.last?.values;
    await change(port, 'x'.repeat(65_000));
    await stream.until(() => stream.of('problem').length > 0);
    expect(stream.of('problem')).toMatchObject([
      { names: ['TWICE'], detail: expect.stringContaining('cannot be evaluated') },
    ]);
    expect(stream.last?.values).toEqual(before);
    stream.cut();
    await set('1', { parameter: await org.parameter({ project, name: 'OTHER' }) });
    await stream.open();
    await change(port, '8080');
    await stream.until(() => stream.of('delta').length > 0);

    expect(stream.kinds.filter((kind) => kind !== 'bookmark')).toEqual(['snapshot', 'problem', 'delta']);
    expect(stream.last?.values).toEqual({ ...before, OTHER: '1' });
  });

  it('that cannot be evaluated at the start is a problem, and the snapshot follows when it can', async () => {
    const port = await set('x'.repeat(60_000));
    const twice = await org.parameter({ project, name: 'TWICE' });
    await set('{{ PORT }}'.repeat(17), { parameter: twice, interpolated: true });
    await change(port, 'x'.repeat(65_000));
    const stream = await following();
    await change(port, '8');
    await stream.until(() => stream.of('snapshot').length > 0);

    expect(stream.kinds.filter((kind) => kind !== 'bookmark')).toEqual(['problem', 'snapshot']);
    expect(stream.last?.values).toEqual((await effective()).values);
  });
});

describe('a selection', () => {
  it('of names receives only these, with the digest of the same selection', async () => {
    await set('8080');
    const more = await org.parameter({ project, name: 'MORE' });
    const value = await set('1', { parameter: more });
    const stream = await following('name__in=MORE,LATER');
    await set('2', { parameter: await org.parameter({ project, name: 'OTHER' }) });
    await change(value, '3');
    await stream.until(() => stream.of('delta').length > 0);

    expect(stream.of('snapshot')[0]?.values).toEqual({ MORE: '1' });
    expect(stream.last?.values).toEqual({ MORE: '3' });
    expect(stream.of('delta').map(({ digest }) => digest)).toEqual([(await effective('name__in=LATER,MORE')).digest]);
  });

  it('does not continue from a cursor of another selection', async () => {
    await set('8080');
    const stream = await following();
    const { cursor } = stream.of('snapshot')[0] ?? {};
    const narrow = await following(`name__in=PORT&after=${cursor}`);

    expect(narrow.of('reset')).toMatchObject([{ reason: 'other_selection' }]);
    await narrow.until(() => narrow.of('snapshot').length > 0);
  });
});

describe('a secret', () => {
  const secretValue = async (text: string) => {
    const secret = await org.parameter({ project, name: 'PASSWORD', secret: true });
    return set(text, { parameter: secret });
  };

  it('is masked, and a new text is no change for the client', async () => {
    const value = await secretValue('canary-1');
    const stream = await following();
    const revision = await change(value, 'canary-2');
    await stream.untilRevision(revision);

    expect(stream.of('snapshot')).toMatchObject([{ values: { PASSWORD: '*****' }, masked: ['PASSWORD'] }]);
    expect(stream.of('delta')).toEqual([]);
    expect(JSON.stringify(stream.received)).not.toContain('canary');
  });

  it('is delivered in clear on request, and every snapshot and delta that contains one is in the access log', async () => {
    const revealed = async () => (await org.owner.get('audit/?access_log=true&action=reveal')).text;
    const account = async (name: string) =>
      `Api-Key ${(await org.owner.post<ServiceAccountCreated>('serviceaccounts/', { name, role: 'VIEWER' })).body.apikey}`;
    const secret = await org.parameter({ project, name: 'PASSWORD', secret: true });
    const stream = await following('reveal=true', await account('of the delta'));
    await set('canary', { parameter: secret });
    await stream.until(() => stream.of('delta').length > 0);
    while (!(await revealed()).includes('of the delta'));
    const later = await following('reveal=true', await account('of the snapshot'));
    while (!(await revealed()).includes('of the snapshot'));

    expect(stream.of('snapshot')).toMatchObject([{ values: {}, masked: [] }]);
    expect(stream.last?.values).toEqual({ PASSWORD: 'canary' });
    expect(later.of('snapshot')).toMatchObject([
      { values: { PASSWORD: 'canary' }, digest: (await effective()).digest },
    ]);
  });

  it('is refused to a caller who may not reveal, and ends the stream of a caller who may no longer', async () => {
    await secretValue('canary');
    const { body } = await org.owner.post<ServiceAccountCreated>('serviceaccounts/', { name: 'ci', role: 'VIEWER' });
    const stream = await following('reveal=true', `Api-Key ${body.apikey}`);
    await org.owner.patch(`serviceaccounts/${body.id}/`, { reveals_secrets: false });
    await stream.until(() => !stream.isOpen);
    const refused = client('reveal=true', `Api-Key ${body.apikey}`);

    expect(stream.last?.message).toMatchObject({ kind: 'close', code: 'forbidden' });
    expect(await refused.open()).toContain('You may not reveal secrets');
    expect(refused.status).toBe(403);
    expect((await following('', `Api-Key ${body.apikey}`)).last?.values).toEqual({ PASSWORD: '*****' });
  });
});

describe('a client that connects again', () => {
  it('receives what it missed, one delta per revision, also from another core', async () => {
    const value = await set('0');
    const stream = await following();
    stream.cut();
    const revisions = [await change(value, '1'), await change(value, '2'), await change(value, '1')];
    await org.environment();
    await stream.open({}, other.origin);
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
  for (let n = 1; n <= cases(1_000); n += 1) {
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
  while (!(await lastRead())?.last_read_at);
  expect(await lastRead()).toMatchObject({ last_read_by: { name: expect.stringContaining('viewer') } });
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

it('more different configurations than one core follows are refused with 429, and others continue', async () => {
  const value = await set('0');
  const streams = [await following()];
  for (let n = 0; n < 999; n += 50) {
    const some = Array.from({ length: Math.min(50, 999 - n) }, (_, at) => following(`name__in=N${n + at}`));
    streams.push(...(await Promise.all(some)));
  }
  const refused = client('name__in=ONE_MORE');
  const body = await refused.open();
  await change(value, '1');
  await streams[0]?.until(() => streams[0]?.last?.values?.PORT === '1');

  expect([refused.status, JSON.parse(body)]).toEqual([
    429,
    { detail: expect.stringContaining('At most 1000 different') },
  ]);
  expect((await following()).last?.values).toEqual({ PORT: '1' });
  for (const stream of streams.slice(1, 50)) stream.cut();
  do await refused.open();
  while (refused.status !== 200);
});

describe('a request that is refused', () => {
  it('for an unknown project, an unknown environment, and those of other organizations is 404', async () => {
    const elsewhere = await (await core.organization()).project();
    const id = '00000000-0000-4000-8000-000000000000';
    for (const [query, of] of [
      ['environment=nowhere', project],
      ['', { ...project, id }],
      ['', elsewhere],
    ] as const) {
      const stream = client(query, org.ownerAuthorization, core, of);
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
