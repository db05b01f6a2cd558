import type { Differences, Environment, Value } from '@strata/contract';
import { MASK } from '@strata/domain';
import { type RunningCore, sharedCore } from '@strata/testkit';
import {
  createDifferingShop,
  findDifference,
  findOnlyCell,
  listDifferingNames,
  SECRET,
} from '../../testing/differing-shop.ts';

let core: RunningCore;
beforeAll(async () => {
  core = await sharedCore();
});

describe('two environments', () => {
  it('differ in the names with different effective values; each difference contains both values', async () => {
    const { project, staging, production, live, read } = await createDifferingShop(core);
    const differences = await read('?left=staging&right=production');

    expect(listDifferingNames(differences)).toEqual(['link', 'nothing', 'only', 'password', 'port', 'region']);
    expect(differences.columns).toEqual([
      {
        left: { id: staging.id, name: 'staging', parent_id: staging.parent?.split('/').at(-2), closed: false },
        right: { id: production.id, name: 'production', parent_id: expect.any(String), closed: false },
      },
    ]);
    const side = { project_id: project.id, project_name: 'shop', revision: null };
    expect([differences.left, differences.right, differences.count]).toEqual([side, side, 6]);
    const port = findDifference(differences, 'port');
    expect([port.left, port.right]).toEqual([port.left, port.left]);
    expect(port.left).toMatchObject({ name: 'port', type: 'integer', project_name: 'shop' });
    expect(findOnlyCell(differences, 'port')).toMatchObject({
      column: 0,
      left: { states: ['own', 'differs'], text: '8080' },
      right: { states: ['own', 'differs'], text: '443', value_id: live.id },
    });
    expect(findOnlyCell(differences, 'link')).toMatchObject({ left: { text: 'us:8080' }, right: { text: 'eu:443' } });
  });

  it('differ with a suggestion of what to set on the right', async () => {
    const { port, live, only, read } = await createDifferingShop(core);
    const differences = await read('?left=staging&right=production');
    const toSet = (name: string) => findOnlyCell(differences, name).to_set;

    expect(toSet('port')).toEqual({
      ...{ action: 'set', text: '8080', interpolated: false },
      ...{ parameter_id: port.id, value_id: live.id, ledger_id: live.ledger_id },
    });
    // The name belongs to another project, so this project gets an override.
    expect(toSet('region')).toEqual({ action: 'set', text: 'us', interpolated: false });
    expect(toSet('nothing')).toMatchObject({ action: 'set', text: null });
    expect(toSet('only')).toMatchObject({ action: 'unset', parameter_id: only.id, value_id: expect.any(String) });
    expect(toSet('link')).toMatchObject({ action: 'nothing', reason: expect.stringContaining('references resolve') });
    expect(toSet('password')).toMatchObject({ action: 'copy_secret', value_id: expect.any(String) });
    expect((await read('?left=production&right=staging')).results.find(({ name }) => name === 'nothing')).toMatchObject(
      {
        cells: [{ to_set: { action: 'unset' } }],
      },
    );
  });

  it('cannot be made equal if the right side inherits a value that the left side does not have', async () => {
    const { read } = await createDifferingShop(core);
    const differences = await read('?left=default&right=staging');

    expect(findOnlyCell(differences, 'port').to_set?.action).toBe('unset');
    const canary = await read('?left=default&right=production');
    expect(findOnlyCell(canary, 'only').to_set?.action).toBe('unset');
  });

  it('differ in secrets without showing them: different secrets count as different, and an inherited one as equal', async () => {
    const { owner, organization, project, root, path } = await createDifferingShop(core);
    const shared = await organization.parameter({ project, name: 'shared', secret: true });
    await organization.value({ parameter: shared, environment: root, internal_value: SECRET });
    const { text, body } = await owner.get<Differences>(`${path}?left=staging&right=production`);

    expect(text).not.toContain(SECRET);
    expect(listDifferingNames(body)).not.toContain('shared');
    expect(findOnlyCell(body, 'password')).toMatchObject({ left: { text: MASK }, right: { text: MASK } });
  });

  it('have differences that can be filtered like parameters and are returned in pages', async () => {
    const { owner, path, read } = await createDifferingShop(core);
    const sides = '?left=staging&right=production';

    expect(listDifferingNames(await read(`${sides}&name__contains=o`))).toEqual([
      'nothing',
      'only',
      'password',
      'port',
      'region',
    ]);
    expect(listDifferingNames(await read(`${sides}&immediate_parameters=true&secret=false`))).toEqual([
      ...['link', 'nothing', 'only', 'port'],
    ]);
    expect(listDifferingNames(await read(`${sides}&ordering=-name&page_size=2`))).toEqual(['region', 'port']);
    const whole = await read(sides);
    for (const start of ['&page_size=4', '&page_size=4&after=start']) {
      const first = (await owner.get<Differences>(path + sides + start)).body;
      const second = (await owner.get<Differences>(first.next ?? '')).body;
      expect([...first.results, ...second.results]).toEqual(whole.results);
      expect([second.next, second.columns, second.count]).toEqual([null, whole.columns, 6]);
    }
  });
});

it('a plain text is not suggested for a name that is visible as a secret parameter', async () => {
  const organization = await core.organization();
  const far = await organization.project({ name: 'far' });
  const near = await organization.project({ name: 'near', depends_on: far.url });
  const project = await organization.project({ name: 'web', depends_on: near.url });
  const open = await organization.parameter({ project: far, name: 'key' });
  await organization.parameter({ project: near, name: 'key', secret: true });
  const environment = await organization.environmentNamed('staging');
  await organization.value({ parameter: open, environment, internal_value: 'open' });
  const { body } = await organization.owner.get<Differences>(`${project.url}compare/?left=staging&right=production`);

  expect(findOnlyCell(body, 'key').to_set).toMatchObject({
    action: 'impossible',
    reason: 'One of the two parameters is secret and the other is not.',
  });
});

describe('two points in time', () => {
  it('differ in every environment in which another value was effective', async () => {
    const { owner, production, live, path, read } = await createDifferingShop(core);
    const before = (await owner.get(`${path}?left=staging&right=production`)).headers['x-revision'];
    const canary = await owner.post<Environment>('environments/', { name: 'canary', parent: production.url });
    const { body: changedValue } = await owner.patch<Value>(live.url, { internal_value: '8443' });
    const differences = await read(`?left_revision=${before}`);

    expect(differences.left.revision).toBe(Number(before));
    expect(differences.right.revision).toBeNull();
    const names = differences.columns.map(({ left, right }) => [left?.name ?? null, right?.name ?? null]);
    expect(names).toContainEqual([null, 'canary']);
    const port = findDifference(differences, 'port').cells.map(({ column, left, right }) => [
      names[column]?.[1],
      left.text,
      right.text,
    ]);
    expect(port).toEqual([
      ['production', '443', '8443'],
      ['canary', undefined, '8443'],
    ]);
    const instants = await read(`?left=production&left_revision=${before}&right_as_of=${changedValue.modified_at}`);
    // Past states cannot be changed.
    expect(findOnlyCell(instants, 'port')).toEqual({
      ...{
        column: 0,
        left: expect.objectContaining({ text: '443' }),
        right: expect.objectContaining({ text: '8443' }),
      },
    });
    expect(listDifferingNames(await read(`?left=production&left_as_of=${changedValue.modified_at}`))).toEqual([]);
    expect(canary.status).toBe(201);
  });

  it('can be tags, each of its own environment', async () => {
    const { owner, staging, production, live, read } = await createDifferingShop(core);
    await owner.post(`${staging.url}tags/`, { name: 'v1' });
    await owner.patch(live.url, { internal_value: '9' });
    await owner.post(`${production.url}tags/`, { name: 'v2' });
    await owner.patch(live.url, { internal_value: '10' });

    const across = await read('?left=staging&left_tag=v1&right=production&right_tag=v2');
    expect(findOnlyCell(across, 'port')).toMatchObject({ left: { text: '8080' }, right: { text: '9' } });
    const laterDifferences = await read('?left=production&left_tag=v2');
    expect(listDifferingNames(laterDifferences)).toEqual(['link', 'port']);
    expect(findOnlyCell(laterDifferences, 'port')).toMatchObject({ left: { text: '9' }, right: { text: '10' } });
  });

  it('find an environment that was renamed in between by both names', async () => {
    const { owner, organization, production, live, read, path } = await createDifferingShop(core);
    const { modified_at: then } = live;
    await owner.post(`${production.url}tags/`, { name: 'v1' });
    await owner.patch(live.url, { internal_value: '9' });
    const renamed = await owner.patch<Environment>(production.url, { name: 'live' });
    const { body: dated } = await owner.patch<Environment>(production.url, { description: 'renamed' });
    await owner.patch(live.url, { internal_value: '10' });
    expect(renamed.status).toBe(200);

    for (const name of ['production', 'live', production.id]) {
      const before = await read(`?left=${name}&left_as_of=${then}&name=port`);
      expect([name, findOnlyCell(before, 'port')]).toMatchObject([
        name,
        { left: { text: '443' }, right: { text: '10' } },
      ]);
      const after = await read(`?right=${name}&left_as_of=${then}&name=port`);
      expect([name, findOnlyCell(after, 'port')]).toMatchObject([
        name,
        { left: { text: '443' }, right: { text: '10' } },
      ]);
    }
    const between = `?left=production&left_as_of=${then}&right_as_of=${dated.modified_at}&name=port`;
    expect(findOnlyCell(await read(between), 'port')).toMatchObject({ left: { text: '443' }, right: { text: '9' } });
    // Both sides show nearly the same time, so there are no differences and no error.
    expect(await read(`?left=production&left_as_of=${then}&right_tag=v1&name=port`)).toMatchObject({ count: 0 });
    const born = await organization.environment({ name: 'newborn' });
    expect((await owner.get(`${path}?left=${born.name}&left_as_of=${then}`)).status).toBe(404);
    expect((await owner.get(`${path}?left=production&left_as_of=${then}&right=production`)).status).toBe(404);
  });

  it('differ in a secret that was set again, without showing its text', async () => {
    const { owner, organization, project, root, path, read } = await createDifferingShop(core);
    const shared = await organization.parameter({ project, name: 'shared', secret: true });
    const { url } = await organization.value({ parameter: shared, environment: root, internal_value: SECRET });
    const { headers } = await owner.get(`${path}?left=staging&right=production`);
    await owner.patch(url, { internal_value: `${SECRET} anew` });
    const differences = await read(`?left=default&left_revision=${headers['x-revision']}`);

    expect(listDifferingNames(differences)).toEqual(['shared']);
    expect(JSON.stringify(differences)).not.toContain(SECRET);
  });
});

describe('two projects', () => {
  it('differ in names that only one of them has, and in effective values', async () => {
    const { organization, root, project, base, read } = await createDifferingShop(core);
    const copy = await organization.project({ name: 'copy', depends_on: base.url });
    const same = await organization.parameter({ project: copy, name: 'same' });
    await organization.value({ parameter: same, environment: root, internal_value: 'elsewhere' });
    const differences = await read('?left=default&right_project=copy');

    expect(differences.right).toEqual({ project_id: copy.id, project_name: 'copy', revision: null });
    expect(listDifferingNames(differences)).toEqual(['link', 'same']);
    expect(findDifference(differences, 'link')).toMatchObject({
      left: { project_id: project.id },
      right: null,
      cells: [
        {
          right: { states: ['missing'] },
          to_set: { action: 'set', text: '{{ region }}:{{ port }}', interpolated: true },
        },
      ],
    });
    expect(findOnlyCell(differences, 'same').to_set).toMatchObject({
      action: 'set',
      text: 'everywhere',
      parameter_id: same.id,
    });
    const everywhere = await read(`?right_project=${copy.id}`);
    expect(findDifference(everywhere, 'same').cells).toHaveLength(everywhere.columns.length);
    expect((await read('?left_project=copy&right_project=shop&left=default')).left.project_name).toBe('copy');
  });
});

describe('a comparison of which the client has a current copy', () => {
  it('returns 304 until the result changes', async () => {
    const { owner, live, path } = await createDifferingShop(core);
    const query = `${path}?left=staging&right=production`;
    const first = await owner.get<Differences>(query);
    const repeat = () => owner.get<Differences>(query, { 'if-none-match': first.headers.etag ?? '' });
    expect((await repeat()).status).toBe(304);
    await owner.patch(live.url, { internal_value: '8080' });
    const { status, body } = await repeat();

    expect([status, listDifferingNames(body)]).toEqual([200, ['link', 'nothing', 'only', 'password', 'region']]);
  });
});
