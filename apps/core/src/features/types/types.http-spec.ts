import type { Page, Parameter, ParameterType } from '@strata/contract';
import { type RunningCore, sharedCore } from '@strata/testkit';
import { describeRecordedChange, readRecordedChanges } from '../../testing/recorded.ts';
import { createTypeChain, fetchType, rule } from '../../testing/types.ts';

let core: RunningCore;
beforeAll(async () => {
  core = await sharedCore();
});

const NOWHERE = '00000000-0000-4000-8000-000000000000';

describe('types', () => {
  it('start as the three built-in ones, without parent and rules', async () => {
    const { owner } = await core.organization();

    const { body } = await owner.get<Page<ParameterType>>('types/');

    expect(body.results.map(({ name }) => name)).toEqual(['boolean', 'integer', 'string']);
    for (const type of body.results) expect(type).toMatchObject({ parent: null, parent_name: null, rules: [] });
  });

  it('can be created as a child of any type at any depth, and are returned completely', async () => {
    const organization = await core.organization();
    const integer = await fetchType(organization, 'integer');

    const createResponse = await organization.as('CONTRIB').post<ParameterType>('types/', {
      url: '',
      id: '',
      ledger_id: null,
      rules: 'ignored',
      name: ' port ',
      description: 'A TCP port.',
      parent: integer.id,
    });

    expect(createResponse).toMatchObject({
      status: 201,
      headers: { location: createResponse.body.url },
      body: {
        name: 'port',
        description: 'A TCP port.',
        parent: integer.url,
        parent_name: 'integer',
        rules: [],
        created_at: createResponse.body.modified_at,
      },
    });
    const deep = await createTypeChain(organization, 'string', ...Array.from({ length: 12 }, (_, n) => `level ${n}`));
    expect(deep.at(-1)).toMatchObject({ name: 'level 11', parent: deep.at(-2)?.url, parent_name: 'level 10' });
    expect((await organization.owner.get(createResponse.body.url)).body).toEqual(createResponse.body);
  });

  it('require a unique name and an existing parent', async () => {
    const organization = await core.organization();
    const { owner } = organization;
    const string = await fetchType(organization, 'string');

    expect(await owner.post('types/', { name: 'x' })).toMatchObject({
      status: 400,
      body: { parent: ['This field is required.'] },
    });
    expect(await owner.post('types/', { name: 'x', parent: `types/${NOWHERE}/` })).toMatchObject({
      status: 400,
      body: { parent: [expect.any(String)] },
    });
    const duplicate = await owner.post('types/', { name: 'string', parent: string.url });
    expect(duplicate).toMatchObject({
      status: 400,
      headers: { 'x-error-code': 'duplicate_name' },
      body: { name: [expect.stringContaining('string')] },
    });
  });

  it('change their name, description and parent; an equal change creates no revision', async () => {
    const organization = await core.organization();
    const { owner } = organization;
    const [port, web] = (await createTypeChain(organization, 'integer', 'port', 'web')) as [
      ParameterType,
      ParameterType,
    ];
    const integer = await fetchType(organization, 'integer');

    const changeResponse = await owner.patch<ParameterType>(web.url, { description: 'x', parent: integer.url });
    expect(changeResponse).toMatchObject({
      status: 200,
      body: {
        ...web,
        description: 'x',
        parent: integer.url,
        parent_name: 'integer',
        ledger_id: expect.any(String),
        modified_at: expect.any(String),
      },
    });
    expect(changeResponse.body.ledger_id).not.toBe(web.ledger_id);
    const repeatedResponse = await owner.patch<ParameterType>(web.url, { description: 'x', parent: integer.url });
    expect(repeatedResponse).toMatchObject({
      status: 200,
      headers: { 'x-revision': changeResponse.headers['x-revision'] },
    });
    const replaced = await owner.put<ParameterType>(port.url, { name: 'tcp', parent: integer.url });
    expect(replaced).toMatchObject({ status: 200, body: { name: 'tcp', description: '', parent: integer.url } });
    expect(await owner.put(port.url, { name: 'tcp' })).toMatchObject({
      status: 400,
      body: { parent: [expect.any(String)] },
    });
  });

  it('never form a cycle, even if many clients move them at once', async () => {
    const organization = await core.organization();
    const [a, b] = (await createTypeChain(organization, 'string', 'a', 'b')) as [ParameterType, ParameterType];
    const response = await organization.owner.patch(a.url, { parent: b.url });
    expect(response).toMatchObject({
      status: 400,
      headers: { 'x-error-code': 'type_cycle' },
      body: { parent: [expect.stringContaining('a')] },
    });

    const siblings = (
      await Promise.all(['k', 'l', 'm', 'n'].map((name) => createTypeChain(organization, 'string', name)))
    ).flat();
    const moves = Array.from({ length: 16 }, (_, n) =>
      organization.owner.patch(siblings[n % 4]?.url ?? '', { parent: siblings[(n * 3 + 1) % 4]?.url }),
    );
    expect(new Set((await Promise.all(moves)).map(({ status }) => status))).not.toContain(500);
    const { body } = await organization.owner.get<Page<ParameterType>>('types/');
    const parents = new Map(body.results.map(({ url, parent }) => [url, parent]));
    for (const start of parents.keys()) {
      let [at, steps]: [string | null, number] = [start, 0];
      for (; at !== null; at = parents.get(at) ?? null) steps += 1;
      expect(steps).toBeLessThan(8);
    }
  });

  it('that are built in cannot be changed or deleted, and cannot have rules', async () => {
    const organization = await core.organization();
    const { owner } = organization;
    const [integer, string] = [await fetchType(organization, 'integer'), await fetchType(organization, 'string')];
    for (const response of [
      await owner.patch(integer.url, { name: 'number' }),
      await owner.patch(integer.url, { parent: string.url }),
      await owner.delete(integer.url),
      await rule(organization, integer, 'min', '0'),
    ]) {
      expect(response).toMatchObject({
        status: 403,
        headers: { 'x-error-code': 'type_is_built_in' },
        body: { detail: expect.stringContaining('integer') },
      });
    }
    expect((await owner.get(integer.url)).body).toEqual(integer);
  });

  it('with child types (E95) or parameters (E96) cannot be deleted; the errors name these', async () => {
    const organization = await core.organization();
    const { owner } = organization;
    const [parent, child] = (await createTypeChain(organization, 'string', 'parent', 'child')) as [
      ParameterType,
      ParameterType,
    ];
    const parameter = await organization.parameter({ name: 'user of it', type: 'child' });

    expect(await owner.delete(parent.url)).toMatchObject({
      status: 409,
      headers: { 'x-error-code': 'type_has_children' },
      body: { detail: expect.stringContaining('child') },
    });
    expect(await owner.delete(child.url)).toMatchObject({
      status: 409,
      headers: { 'x-error-code': 'type_in_use' },
      body: { detail: expect.stringContaining('user of it') },
    });
    await owner.delete(parameter.url);
    expect(await owner.delete(child.url)).toMatchObject({ status: 204, text: '' });
    expect(await owner.delete(parent.url)).toMatchObject({ status: 204 });
    expect(await owner.get(parent.url)).toMatchObject({ status: 404 });
  });

  it('can be filtered by parts of their name, their description and their parent’s name', async () => {
    const organization = await core.organization();
    const { owner } = organization;
    await createTypeChain(organization, 'string', 'a-string', 'my string', 'Stringy');
    const [strict] = (await createTypeChain(organization, 'integer', 'strict')) as [ParameterType];
    await owner.patch(strict.url, { description: 'Holds 100%.' });
    const names = async (query: string) =>
      (await owner.get<Page<ParameterType>>(`types/?${query}`)).body.results.map(({ name }) => name);

    expect(await names('name__icontains=string')).toEqual(['string', 'a-string', 'my string', 'Stringy']);
    expect(await names('name__icontains=STRING&page_size=1')).toEqual(['string']);
    expect(await names('name__iexact=STRING')).toEqual(['string']);
    expect(await names('description__icontains=%25')).toEqual(['strict']);
    expect(await names('parent__name__icontains=A-STR')).toEqual(['my string']);
    expect(await names('parent__name__iexact=INTEGER')).toEqual(['strict']);
    expect(await names('parent__name=integer')).toEqual(['strict']);
    expect(await names(`id__in=${strict.id},${NOWHERE}`)).toEqual(['strict']);
    expect(await names('ordering=-name&page_size=2')).toEqual(['Stringy', 'string']);
  });

  it('can be read with their rules at a point in time', async () => {
    const organization = await core.organization();
    const { owner } = organization;
    const [port] = (await createTypeChain(organization, 'integer', 'port')) as [ParameterType];
    const createdRule = await rule(organization, port, 'max', '100');
    await owner.patch(createdRule.body.url, { constraint: '80' });
    await owner.patch(port.url, { name: 'tcp port' });
    const deleted = await owner.get<ParameterType>(port.url);
    await owner.delete(port.url);

    expect(deleted.body).toMatchObject({ name: 'tcp port', rules: [{ constraint: '80' }] });
    const at = createdRule.body.modified_at;
    expect(await owner.get(`${port.url}?as_of=${at}`)).toMatchObject({
      status: 200,
      body: { name: 'port', ledger_id: port.ledger_id, rules: [createdRule.body] },
    });
    expect(await owner.get(`${createdRule.body.url}?as_of=${at}`)).toMatchObject({
      status: 200,
      body: createdRule.body,
    });
    expect(await owner.get(`${port.url}rules/?as_of=${at}`)).toMatchObject({
      body: { count: 1, results: [createdRule.body] },
    });
    expect(await owner.get(`types/?name=port&as_of=${at}`)).toMatchObject({ body: { count: 1 } });
    expect(await owner.get(`${port.url}rules/?as_of=${port.modified_at}`)).toMatchObject({ body: { count: 0 } });
    expect(await owner.get(`${port.url}?as_of=2000-01-01`)).toMatchObject({
      status: 404,
      body: { detail: expect.stringContaining('ParameterType') },
    });
  });

  it('reject a stale precondition', async () => {
    const organization = await core.organization();
    const { owner } = organization;
    const [port] = (await createTypeChain(organization, 'integer', 'port')) as [ParameterType];
    const createdRule = await rule(organization, port, 'max', '100');
    const etag = (await owner.get(port.url)).headers.etag ?? '';
    const ruleTag = (await owner.get(createdRule.body.url)).headers.etag ?? '';

    expect(await owner.get(port.url, { 'if-none-match': etag })).toMatchObject({ status: 304 });
    expect(await owner.patch(createdRule.body.url, { constraint: '90' }, { 'if-match': ruleTag })).toMatchObject({
      status: 200,
    });
    expect(await owner.patch(createdRule.body.url, { constraint: '95' }, { 'if-match': ruleTag })).toMatchObject({
      status: 412,
    });
    expect(await owner.patch(port.url, { description: 'x' }, { 'if-match': etag })).toMatchObject({ status: 412 });
    expect(await owner.delete(createdRule.body.url, undefined, { 'if-match': ruleTag })).toMatchObject({ status: 412 });
  });

  it('are recorded with their rules when they change, including cascades, and raise no event', async () => {
    const organization = await core.organization();
    const { owner } = organization;
    const { body: before } = await owner.get<{ cursor: string }>('events/?after=now');
    const [port] = (await createTypeChain(organization, 'integer', 'port')) as [ParameterType];
    const createdRule = await rule(organization, port, 'max', '100');
    await owner.patch(createdRule.body.url, { constraint: '90' });
    await owner.delete(port.url);

    expect((await readRecordedChanges(core, organization)).map(describeRecordedChange)).toEqual([
      '- create ParameterType port',
      '- create ParameterTypeRule max',
      '- update ParameterTypeRule max',
      '- delete ParameterTypeRule max',
      '- delete ParameterType port',
    ]);
    const { body: after } = await owner.get<{ results: unknown[] }>(`events/?after=${before.cursor}`);
    expect(after.results).toEqual([]);
  });

  it('of another organization return 404', async () => {
    const [ours, theirs] = [await core.organization(), await core.organization()];
    const [foreign] = (await createTypeChain(theirs, 'integer', 'port')) as [ParameterType];
    const createdRule = await rule(theirs, foreign, 'max', '1');
    const never = await ours.owner.get(`types/${NOWHERE}/`);
    for (const response of [
      await ours.owner.get(foreign.url),
      await ours.owner.patch(foreign.url, { name: 'mine' }),
      await ours.owner.delete(foreign.url),
      await ours.owner.get(`${foreign.url}rules/`),
      await rule(ours, foreign, 'min', '0'),
      await ours.owner.patch(createdRule.body.url, { constraint: '2' }),
      await ours.owner.delete(createdRule.body.url),
      await ours.owner.get('types/not-a-uuid/'),
    ]) {
      expect(response).toMatchObject({ status: 404, text: never.text });
    }
    expect(await ours.owner.post('types/', { name: 'x', parent: foreign.url })).toMatchObject({ status: 400 });
    expect(
      await ours.owner.post<Parameter>(`${(await ours.project()).url}parameters/`, { name: 'p', type: 'port' }),
    ).toMatchObject({
      status: 404,
      body: { detail: 'No ParameterType matches the given query.' },
    });
  });

  it('cannot be written by a VIEWER or read without a credential, and neither can their rules', async () => {
    const organization = await core.organization();
    const [port] = (await createTypeChain(organization, 'integer', 'port')) as [ParameterType];
    const createdRule = await rule(organization, port, 'max', '1');
    const viewer = organization.as('VIEWER');
    for (const response of [
      await viewer.post('types/', { name: 'x', parent: port.url }),
      await viewer.patch(port.url, {}),
      await viewer.delete(port.url),
      await viewer.post(`${port.url}rules/`, { type: 'min', constraint: '0' }),
      await viewer.patch(createdRule.body.url, { constraint: '2' }),
      await viewer.delete(createdRule.body.url),
    ]) {
      expect(response).toMatchObject({ status: 403, headers: { 'x-error-code': 'forbidden' } });
    }
    expect(await viewer.get(createdRule.body.url)).toMatchObject({ status: 200 });
    expect((await fetch(createdRule.body.url)).status).toBe(401);
  });
});
