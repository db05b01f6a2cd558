import type { Project, ServiceAccountCreated } from '@strata/contract';
import type { TestOrganization } from '@strata/testkit';
import { setUpStreams } from '../../../testing/stream-fixture.ts';
import { waitUntil } from '../../../testing/until.ts';

const { fixture, client, following, set, change, effective } = setUpStreams();
let org: TestOrganization;
let project: Project;
beforeEach(() => {
  ({ org, project } = fixture());
});

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
    const changedRevision = await change(value, 'b');
    const rewritten = Number((await org.owner.patch(template.url, { body: 'U {{ PORT }}' })).headers['x-revision']);
    await stream.untilRevision(rewritten);

    expect(
      stream.of('delta').map(({ revision, changes }) => [revision, changes.map(({ name, value }) => [name, value])]),
    ).toEqual([
      [changedRevision, [['URL', 'b']]],
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
    await waitUntil(revealed, (text) => text.includes('of the delta'));
    const later = await following('reveal=true', await account('of the snapshot'));
    await waitUntil(revealed, (text) => text.includes('of the snapshot'));

    expect(stream.of('snapshot')).toMatchObject([{ values: {}, masked: [] }]);
    expect(stream.last?.values).toEqual({ PASSWORD: 'canary' });
    expect(later.of('snapshot')).toMatchObject([
      { values: { PASSWORD: 'canary' }, digest: (await effective()).digest },
    ]);
  });

  it('rejects a caller who may not reveal, and ends the stream of a caller who may no longer', async () => {
    await secretValue('canary');
    const { body } = await org.owner.post<ServiceAccountCreated>('serviceaccounts/', { name: 'ci', role: 'VIEWER' });
    const stream = await following('reveal=true', `Api-Key ${body.apikey}`);
    await org.owner.patch(`serviceaccounts/${body.id}/`, { reveals_secrets: false });
    await stream.until(() => !stream.isOpen);
    const rejectedClient = client('reveal=true', `Api-Key ${body.apikey}`);

    expect(stream.last?.message).toMatchObject({ kind: 'close', code: 'forbidden' });
    expect(await rejectedClient.open()).toContain('You may not reveal secrets');
    expect(rejectedClient.status).toBe(403);
    expect((await following('', `Api-Key ${body.apikey}`)).last?.values).toEqual({ PASSWORD: '*****' });
  });
});
