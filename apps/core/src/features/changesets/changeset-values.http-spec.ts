import type { AppliedChangeset, Page, Parameter, Project, PutValuesAnswer } from '@strata/contract';
import { ledgerProblems, type TestOrganization } from '@strata/testkit';
import { type CoreInProcess, startCoreInProcess } from '../../testing/core-in-process.ts';
import { query } from '../../testing/query.ts';

/** This test needs its own core, so that it can check the whole ledger at the end. */
let core: CoreInProcess;
beforeAll(async () => {
  core = await startCoreInProcess();
});
afterAll(() => core.close());

const apply = ({ owner }: TestOrganization, ...operations: readonly object[]) =>
  owner.post<AppliedChangeset>('changesets/', { operations });

const readRevision = async ({ owner }: TestOrganization) =>
  Number((await owner.get('users/current/')).headers['x-revision']);

/** Returns the effective values of a project in an environment, by name. */
async function readValues({ owner }: TestOrganization, project: Project, environment: string) {
  const { body } = await owner.get<Page<Parameter>>(`${project.url}parameters/?environment=${environment}`);
  return Object.fromEntries(body.results.map(({ name, values }) => [name, Object.values(values)[0]?.value ?? null]));
}

async function fixture() {
  const organization = await core.organization();
  const base = await organization.project({ name: 'base' });
  const project = await organization.project({ name: 'web', depends_on: base.url });
  await apply(organization, {
    set: { project: 'base', environment: 'default', values: { SHARED: 'base' }, create_missing: true },
  });
  await apply(organization, {
    set: {
      project: 'web',
      environment: 'default',
      values: { A: '1', B: '2', TOKEN: { value: 'hunter2', secret: true } },
      create_missing: true,
    },
  });
  return { organization, base, project };
}

describe('setting values by name', () => {
  it('creates, updates and keeps values, and stores an explicit null', async () => {
    const { organization, project } = await fixture();
    const applied = await apply(organization, {
      set: { project: 'web', environment: 'default', values: { A: '1', B: null, TOKEN: 'hunter3' } },
    });

    expect(applied.body.operations[0]?.changes).toMatchObject([
      { action: 'update', object_type: 'Value', object_name: 'B' },
      { action: 'update', object_type: 'Value', object_name: 'TOKEN' },
    ]);
    expect(await readValues(organization, project, 'default')).toEqual({
      A: '1',
      B: null,
      SHARED: 'base',
      TOKEN: 'hunter3',
    });
    expect(applied.text).not.toContain('hunter');
  });

  it('creates no revision if all texts stay the same, unless touch is set', async () => {
    const { organization } = await fixture();
    const set = { project: 'web', environment: 'default', values: { A: '1', TOKEN: 'hunter2' } };
    const before = await readRevision(organization);

    expect(await apply(organization, { set })).toMatchObject({ status: 201, body: { url: null, revision: before } });
    const touched = await apply(organization, { set: { ...set, touch: true } });
    expect(touched).toMatchObject({ body: { revision: before + 1, operations: [{ changes: [{}, {}] }] } });
  });

  it('rejects missing and inherited names, and reports each of them', async () => {
    const { organization } = await fixture();
    const set = { project: 'web', environment: 'default', values: { A: '9', SHARED: 'x', NEW: 'y' } };
    const response = await apply(organization, { set });

    expect(response).toMatchObject({
      status: 404,
      body: {
        operations: [
          {
            index: 0,
            status: 404,
            code: 'unknown_parameter',
            error: {
              SHARED: [expect.stringContaining('inherited')],
              NEW: [expect.stringContaining('no parameter NEW')],
            },
          },
        ],
      },
    });
    const createResponse = await apply(organization, { set: { ...set, create_missing: true } });
    expect(
      createResponse.body.operations[0]?.changes.map(
        ({ action, object_type: type, object_name: name }) => `${action} ${type} ${name}`,
      ),
    ).toEqual([
      'create Parameter SHARED',
      'create Parameter NEW',
      'create Value SHARED',
      'create Value NEW',
      'update Value A',
    ]);
  });

  it('rejects contradictions and invalid texts, and reports each name without the text', async () => {
    const { organization, project } = await fixture();
    await organization.parameter({ project, name: 'PORT', type: 'integer' });
    const set = (values: object) => apply(organization, { set: { project: 'web', environment: 'default', values } });

    const mismatch = { A: { value: '1', secret: true }, TOKEN: { value: 'x', type: 'integer' } };
    expect(await set(mismatch)).toMatchObject({
      status: 400,
      body: {
        operations: [{ code: 'parameter_mismatch', error: { A: [expect.any(String)], TOKEN: [expect.any(String)] } }],
      },
    });
    const invalidTexts = await set({ PORT: 'hunter4', A: '5' });
    expect(invalidTexts).toMatchObject({
      status: 400,
      body: { operations: [{ error: { PORT: [expect.any(String)] } }] },
    });
    expect(invalidTexts.text).not.toContain('hunter4');
    expect(await set({ A: { value: '1', tpye: 'integer' } })).toMatchObject({
      status: 400,
      body: { operations: [expect.any(String)] },
    });
  });
});

describe('setting dynamic values by name', () => {
  const set = (values: object) => ({ set: { project: 'web', environment: 'default', values, create_missing: true } });
  const URL_TEXT = 'http://{{ HOST }}:{{ PORT }}';

  it('evaluates references to parameters of the same operation, and changes nothing if the text stays the same', async () => {
    const { organization, project } = await fixture();
    const url = { value: URL_TEXT, interpolated: true };
    await apply(organization, set({ URL: url, HOST: 'example.com', PORT: { value: '80', type: 'integer' } }));
    expect(await readValues(organization, project, 'default')).toMatchObject({ URL: 'http://example.com:80' });

    const before = await readRevision(organization);
    expect(await apply(organization, set({ URL: url }))).toMatchObject({ body: { url: null, revision: before } });
    const literal = await organization.owner.put(`${project.url}values/?environment=default`, {
      values: { URL: URL_TEXT },
    });
    expect(literal.body).toMatchObject({ revision: before + 1, values: [{ name: 'URL', action: 'updated' }] });
    expect(await readValues(organization, project, 'default')).toMatchObject({ URL: URL_TEXT });
    await organization.owner.put(`${project.url}values/?environment=default`, { values: { URL: url, HOST: 'b.test' } });
    expect(await readValues(organization, project, 'default')).toMatchObject({ URL: 'http://b.test:80' });
  });

  it.each([
    [
      'unknown_reference',
      { URL: { value: '{{ GONE }}', interpolated: true } },
      /"URL":\["The text refers to [^"]*GONE, which does not exist/,
    ],
    ['invalid_text', { URL: { value: '{{ A', interpolated: true } }, /./],
    [
      'dependency_loop',
      { URL: { value: '{{ LINK }}', interpolated: true }, LINK: { value: '{{ URL }}', interpolated: true } },
      /circular/,
    ],
    ['secret_is_literal', { TOKEN: { value: '{{ A }}', interpolated: true } }, /secret/],
    [
      'type_violation',
      { WORD: 'x', SUM: { value: '{{ WORD }}', interpolated: true, type: 'integer' } },
      /In default: /,
    ],
  ])('rejects a text with %s and stores nothing', async (code, values, message) => {
    const { organization } = await fixture();
    const before = await readRevision(organization);
    const rejected = await apply(organization, set(values));

    expect(rejected).toMatchObject({ status: 400, body: { operations: [{ status: 400, code }] } });
    expect(rejected.text).toMatch(message);
    expect(await readRevision(organization)).toBe(before);
  });
});

describe('deleting values by name', () => {
  it('restores inheritance and ignores names without a value', async () => {
    const { organization, project } = await fixture();
    await apply(organization, { set: { project: 'web', environment: 'production', values: { A: 'p' } } });
    const applied = await apply(organization, {
      unset: { project: 'web', environment: 'production', names: ['A', 'B'] },
    });

    expect(applied.body.operations[0]?.changes).toMatchObject([{ action: 'delete', object_name: 'A' }]);
    expect(await readValues(organization, project, 'production')).toMatchObject({ A: '1' });
    const unknown = await apply(organization, {
      unset: { project: 'web', environment: 'production', names: ['SHARED'] },
    });
    expect(unknown).toMatchObject({ status: 404, body: { operations: [{ error: { SHARED: [expect.any(String)] } }] } });
  });
});

describe('promoting values', () => {
  it('copies values, including secret and dynamic ones, without showing them', async () => {
    const { organization, project } = await fixture();
    const set = { A: 's', TOKEN: 'hunter5' };
    await apply(organization, { set: { project: 'web', environment: 'staging', values: set } });
    const { body: b } = await organization.owner.get<Page<Parameter>>(`${project.url}parameters/?name=B`);
    const staging = await organization.environmentNamed('staging');
    await organization.owner.post(`${b.results[0]?.url}values/`, {
      environment: staging.url,
      internal_value: 'is {{ A }}',
      interpolated: true,
    });
    const promote = { project: 'web', from: 'staging', to: 'production' };
    const applied = await apply(organization, { promote });

    expect(applied.text).not.toContain('hunter');
    expect(applied.body.operations[0]?.changes.map(({ object_name: name }) => name)).toEqual(['A', 'B', 'TOKEN']);
    expect(await readValues(organization, project, 'production')).toEqual({
      A: 's',
      B: 'is s',
      SHARED: 'base',
      TOKEN: 'hunter5',
    });
    const sealed = await query<{ sealed: Buffer | null }>(
      core,
      `select value.sealed from value join parameter on parameter.organization_id = value.organization_id and parameter.id = value.parameter_id
        where value.organization_id = $1 and parameter.name = 'TOKEN' and value.environment_id <> (
          select id from environment where organization_id = $1 and parent_id is null)`,
      [organization.id],
    );
    expect(new Set(sealed.map((row) => row.sealed?.toString('hex'))).size).toBe(2);
    expect((await apply(organization, { promote })).body.url).toBeNull();
    // The copies have their own references, so the values they refer to cannot be deleted.
    await apply(organization, { unset: { project: 'web', environment: 'staging', names: ['B'] } });
    const a = (await organization.owner.get<Page<Parameter>>(`${project.url}parameters/?name=A`)).body.results[0];
    expect((await organization.owner.delete(a?.url ?? '')).status).toBe(409);
    expect(await apply(organization, { promote: { ...promote, names: ['B'] } })).toMatchObject({ status: 404 });
  });
});

describe('a PUT of the values of a project', () => {
  const put = (
    { owner }: TestOrganization,
    project: Project,
    values: object,
    query: string,
    headers: Record<string, string> = {},
    more = {},
  ) => owner.put<PutValuesAnswer>(`${project.url}values/?environment=staging${query}`, { values, ...more }, headers);

  it('sets the named values, and deletes the others if the client knows the state', async () => {
    const { organization, project } = await fixture();
    const first = await put(organization, project, { A: '1', B: '2', TOKEN: 'hunter6' }, '');
    expect(first).toMatchObject({ status: 200, body: { values: [{ name: 'A', action: 'created' }, {}, {}] } });

    const blind = await put(organization, project, { A: '1' }, '&prune=true');
    expect(blind).toMatchObject({ status: 400, body: { prune: [expect.any(String)] } });
    const pruned = await put(organization, project, { A: '1' }, '&prune=true', {
      'if-match': first.headers.etag ?? '',
    });
    expect(pruned.body.values.map(({ name, action }) => `${name} ${action}`)).toEqual([
      'A unchanged',
      'B deleted',
      'TOKEN deleted',
    ]);
    expect(await readValues(organization, project, 'staging')).toMatchObject({ A: '1', B: '2', TOKEN: 'hunter2' });
    const stale = await put(organization, project, {}, '&prune=true', { 'if-match': first.headers.etag ?? '' });
    expect(stale.status).toBe(412);
    expect(JSON.stringify([first, pruned])).not.toContain('hunter');
  });

  it('is rejected if a value has changed since its base revision', async () => {
    const { organization, project } = await fixture();
    const { body } = await put(organization, project, { A: '1', B: '1' }, '');
    await apply(organization, { set: { project: 'web', environment: 'staging', values: { A: 'theirs' } } });

    expect((await put(organization, project, { B: '2' }, `&base_revision=${body.revision}`)).status).toBe(200);
    expect((await put(organization, project, { A: '2' }, `&base_revision=${body.revision}`)).status).toBe(412);
    expect((await put(organization, project, {}, `&prune=true&base_revision=${body.revision}`)).status).toBe(412);
    expect(await readValues(organization, project, 'staging')).toMatchObject({ A: 'theirs', B: '2' });
  });

  it('sets a thousand values with a few statements', async () => {
    const { organization, project } = await fixture();
    const values = Object.fromEntries(
      Array.from({ length: 1_000 }, (_, index) => [`N${index}`, { value: `${index}`, secret: index % 2 === 0 }]),
    );
    const response = await put(organization, project, values, '', {}, { create_missing: true });
    expect([response.status, response.body.values?.length]).toEqual([200, 1_000]);
    const newValues = Object.fromEntries(Object.keys(values).map((name) => [name, 'x']));
    const repeatedResponse = await put(organization, project, newValues, '');
    expect(new Set(repeatedResponse.body.values.map(({ action }) => action))).toEqual(new Set(['updated']));
  });
});

it('rows, history and changes are consistent at the end', async () => {
  expect(await ledgerProblems(core.database.url)).toEqual([]);
});
