import type { Page, PutValuesAnswer, Value } from '@strata/contract';
import { type RunningCore, sharedCore, type TestOrganization } from '@strata/testkit';

let core: RunningCore;
let organization: TestOrganization;
beforeAll(async () => {
  core = await sharedCore();
});
beforeEach(async () => {
  organization = await core.organization();
});

/** Creates a project with a value for A, a secret TOKEN, and B without a value. */
async function fixture() {
  const project = await organization.project({ name: 'web' });
  const a = await organization.parameter({ project, name: 'A' });
  await organization.parameter({ project, name: 'B' });
  const token = await organization.parameter({ project, name: 'TOKEN', secret: true });
  const value = await organization.value({ parameter: a, internal_value: '1' });
  const secret = await organization.value({ parameter: token, internal_value: 'hunter2' });
  return { project, a, value, secret };
}

const put = (url: string, values: object, client = organization.owner) =>
  client.put<PutValuesAnswer>(`${url}values/?environment=default`, { values });

const readText = async ({ url }: { url: string }) => (await organization.owner.get<Value>(url)).body.value;

describe('values that are set by name', () => {
  it('can be required to be new; if another client was faster, the error names the actor', async () => {
    const { project, value } = await fixture();

    const first = await put(project.url, { B: { value: 'mine', if_none_match: '*' } });
    expect(first).toMatchObject({ status: 200, body: { values: [{ name: 'B', action: 'created' }] } });
    const late = await put(project.url, {
      A: { value: 'mine', if_none_match: '*' },
      B: { value: 'again', if_none_match: '*' },
    });
    expect(late).toMatchObject({
      status: 412,
      body: {
        detail: expect.stringMatching(/^A, B changed in default since /),
        present: [
          { object: { type: 'Value', id: value.id, name: 'A' }, ledger_id: value.ledger_id, action: 'create' },
          { object: { name: 'B' }, action: 'create', actor: { name: 'Owner' } },
        ],
      },
    });
    expect(await readText(value)).toBe('1');
  });

  it('can require the expected version of each name, also for secrets', async () => {
    const { project, value, secret } = await fixture();
    const theirs = await organization.as('ADMIN').patch<Value>(value.url, { internal_value: '2' });

    const mine = {
      A: { value: '3', if_match: value.ledger_id },
      TOKEN: { value: 'hunter3', if_match: secret.ledger_id },
    };
    const response = await put(project.url, mine);
    expect(response).toMatchObject({
      status: 412,
      body: { present: [{ object: { name: 'A' }, ledger_id: theirs.body.ledger_id, action: 'update' }] },
    });
    expect(response.text).not.toContain('hunter');
    expect((await put(project.url, { ...mine, A: { value: '3', if_match: theirs.body.ledger_id } })).status).toBe(200);
    expect([await readText(value), await readText(secret)]).toEqual(['3', 'hunter3']);
  });

  it('are not created again if they were deleted meanwhile, and the error names the actor of the deletion', async () => {
    const { project, value } = await fixture();
    await organization.as('ADMIN').delete(value.url);

    expect(await put(project.url, { A: { value: '3', if_match: value.ledger_id } })).toMatchObject({
      status: 412,
      body: {
        present: [
          {
            object: { id: value.id, name: 'A' },
            ledger_id: null,
            action: 'delete',
            actor: { name: expect.stringMatching(/^admin-/) },
          },
        ],
      },
    });
  });

  it('are compared with the state before the changeset', async () => {
    const { value } = await fixture();
    const set = (values: object) => ({ set: { project: 'web', environment: 'default', values } });
    const apply = (...operations: object[]) => organization.owner.post('changesets/', { operations });
    const expected = { if_match: value.ledger_id };

    expect(
      await apply(set({ A: { value: '2', ...expected } }), set({ A: { value: '3', ...expected }, B: 'b' })),
    ).toMatchObject({ status: 201 });
    expect(await apply(set({ B: 'c' }), set({ A: { value: '4', ...expected } }))).toMatchObject({
      status: 412,
      body: {
        operations: [{ index: 1, code: 'precondition_failed', error: { present: [{ object: { name: 'A' } }] } }],
      },
    });
  });

  it('accept only one condition per name', async () => {
    const { project, value } = await fixture();
    const bothConditions = await put(project.url, { A: { value: '2', if_match: value.ledger_id, if_none_match: '*' } });
    expect(bothConditions).toMatchObject({ status: 400, body: { values: [expect.stringContaining('not both')] } });
    expect(await put(project.url, { A: { value: '2', if_none_match: 'x' } })).toMatchObject({ status: 400 });
  });
});

describe('a single value that is created', () => {
  it('returns 412 with If-None-Match: * if it exists, and 400 without that header', async () => {
    const { a, value } = await fixture();
    const environment = (await organization.environmentNamed('default')).url;
    const make = (headers: Record<string, string>) =>
      organization.owner.post(`${a.url}values/`, { environment, internal_value: 'mine' }, headers);

    expect(await make({ 'if-none-match': '*' })).toMatchObject({
      status: 412,
      body: { present: [{ object: { id: value.id }, ledger_id: value.ledger_id }] },
    });
    expect(await make({})).toMatchObject({ status: 400, body: { non_field_errors: [expect.any(String)] } });
    expect((await organization.owner.get<Page<Value>>(`${a.url}values/`)).body.count).toBe(1);
    await organization.owner.delete(value.url);
    expect((await make({ 'if-none-match': '*' })).status).toBe(201);
  });

  it('returns the same as an operation with if_none_match', async () => {
    const { a, project, value } = await fixture();
    const { id } = await organization.environmentNamed('default');
    const operation = {
      operation: 'projects_parameters_values_create',
      path: { project_pk: project.id, parameter_pk: a.id },
      body: { environment: id, internal_value: 'mine' },
      if_none_match: '*',
    };
    expect(await organization.owner.post('changesets/', { operations: [operation] })).toMatchObject({
      status: 412,
      body: { operations: [{ error: { present: [{ object: { id: value.id }, ledger_id: value.ledger_id }] } }] },
    });
  });
});
