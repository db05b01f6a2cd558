import type { Group, Page, Parameter, Project, Value } from '@strata/contract';
import { type RunningCore, sharedCore, type TestOrganization } from '@strata/testkit';
import { controlledProject, createGrant, createMember } from '../../testing/members.ts';

let core: RunningCore;
let organization: TestOrganization;
beforeAll(async () => {
  core = await sharedCore();
});
beforeEach(async () => {
  organization = await core.organization();
});

const NO_VERSION = '"00000000-0000-4000-8000-000000000000"';

/** Creates a value that another caller has changed since it was read. */
async function changedSinceRead() {
  const parameter = await organization.parameter({ name: 'PORT' });
  const original = await organization.value({ parameter, internal_value: '1' });
  const theirs = await organization.as('ADMIN').patch<Value>(original.url, { internal_value: '2' });
  const { body: administrator } = await organization.as('ADMIN').get<{ id: string; name: string }>('users/current/');
  const currentObject = {
    object: { type: 'Value', id: original.id, name: 'PORT' },
    ledger_id: theirs.body.ledger_id,
    action: 'update',
    revision: Number(theirs.headers['x-revision']),
    at: theirs.body.modified_at,
    actor: { id: administrator.id, name: expect.stringMatching(/^admin-/), type: 'service' },
  };
  return { parameter, original, theirs: theirs.body, currentObject };
}

const ifMatch = (tag: string) => ({ 'if-match': tag });

describe('a write with a stale precondition', () => {
  it('returns the present version of the object, who changed it, and when', async () => {
    const { original, currentObject } = await changedSinceRead();

    const response = await organization.owner.patch(original.url, { internal_value: '3' }, ifMatch('"old"'));
    expect(response).toMatchObject({ status: 412, headers: { 'x-error-code': 'precondition_failed' } });
    expect(response.body).toEqual({ detail: expect.stringContaining('has changed since'), present: [currentObject] });
    expect(response.text).not.toContain('internal_value');
    const removal = await organization.owner.delete(original.url, undefined, ifMatch('"old"'));
    expect(removal.body).toEqual(response.body);
  });

  it('returns the same for each operation of a changeset, with if_match and with base_revision', async () => {
    const { parameter, original, currentObject } = await changedSinceRead();
    const change = {
      operation: 'projects_parameters_values_partial_update',
      path: { project_pk: parameter.url.split('/')[6], parameter_pk: parameter.id, id: original.id },
      body: { internal_value: '3' },
    };
    const sendChangeset = (body: object) => organization.owner.post('changesets/', body);
    const expected = {
      status: 412,
      body: {
        operations: [{ index: 0, status: 412, error: { detail: expect.any(String), present: [currentObject] } }],
      },
    };

    expect(await sendChangeset({ operations: [{ ...change, if_match: original.ledger_id }] })).toMatchObject(expected);
    expect(await sendChangeset({ operations: [change], base_revision: currentObject.revision - 1 })).toMatchObject(
      expected,
    );
    expect((await sendChangeset({ operations: [{ ...change, if_match: currentObject.ledger_id }] })).status).toBe(201);
  });

  it('returns the author of the current version, even if the object has no version history', async () => {
    const { body: group } = await organization.owner.post<{ id: string; url: string }>('groups/', {
      name: 'team',
      users: [],
    });
    const { body } = await organization.owner.patch(group.url, { name: 'crew' }, ifMatch('"old"'));
    expect(body).toMatchObject({
      present: [
        { object: { type: 'Group', name: 'team' }, ledger_id: null, action: 'create', actor: { name: 'Owner' } },
      ],
    });
  });

  it('returns nothing else in a forbidden scope', async () => {
    const project = await controlledProject(organization);
    const value = await organization.value({ parameter: await organization.parameter({ project }) });
    const { client } = await createMember(core, organization);

    const response = await client.patch(value.url, { internal_value: 'x' }, ifMatch('"old"'));
    expect([response.status, Object.keys(response.body as object)]).toEqual([403, ['detail']]);
  });

  it('returns nothing about the value in a forbidden environment', async () => {
    const environment = await organization.environment({ name: 'vault' });
    await organization.owner.patch(environment.url, { access_controlled: true });
    const value = await organization.value({ parameter: await organization.parameter(), environment });
    const { client, url } = await createMember(core, organization);

    const response = await client.patch(value.url, { internal_value: 'x' }, ifMatch('"old"'));
    expect([response.status, response.text.includes('present')]).toEqual([403, false]);
    await createGrant(organization, url, environment.url, 'CONTRIB');
    expect((await client.patch(value.url, { internal_value: 'x' }, ifMatch('"old"'))).status).toBe(412);
  });
});

describe('If-Match', () => {
  it('accepts the ledger_id of the object until it changes', async () => {
    const { original, theirs } = await changedSinceRead();
    const patch = (text: string, tag: string) =>
      organization.owner.patch(original.url, { internal_value: text }, ifMatch(tag));

    expect((await patch('3', `"${original.ledger_id}"`)).status).toBe(412);
    expect((await patch('3', NO_VERSION)).status).toBe(412);
    expect((await patch('3', `"${theirs.ledger_id}"`)).status).toBe(200);
    expect((await patch('4', `"${theirs.ledger_id}"`)).status).toBe(412);
  });

  it('accepts the ledger_id of projects and parameters after their contents have changed', async () => {
    const project = await organization.project({ name: 'shop' });
    const parameter = await organization.parameter({ project, name: 'PORT' });
    await organization.value({ parameter });
    const { body } = await organization.owner.get<Page<Parameter>>(`${project.url}parameters/`);

    const renamed = await organization.owner.patch<Project>(
      project.url,
      { description: 'x' },
      ifMatch(`"${project.ledger_id}"`),
    );
    expect(renamed.status).toBe(200);
    const ledgerId = (body.results[0] as { ledger_id?: string } | undefined)?.ledger_id;
    expect((await organization.owner.patch(parameter.url, { description: 'x' }, ifMatch(`"${ledgerId}"`))).status).toBe(
      200,
    );
  });

  it('accepts the modified_at of an object without history', async () => {
    const { body: group } = await organization.owner.post<Group>('groups/', { name: 'team', users: [] });
    const rename = (name: string, { modified_at: at }: Group) =>
      organization.owner.patch<Group>(group.url, { name }, ifMatch(`"${at}"`));

    const { status, body: renamed } = await rename('crew', group);
    expect(status).toBe(200);
    expect(await rename('gang', group)).toMatchObject({
      status: 412,
      headers: { 'x-error-code': 'precondition_failed' },
    });
    expect((await organization.owner.delete(group.url, undefined, ifMatch(`"${group.modified_at}"`))).status).toBe(412);
    expect((await organization.owner.get<Group>(group.url)).body).toEqual(renamed);
    expect((await rename('gang', renamed)).status).toBe(200);
  });

  it('rejects the modified_at of an object with a ledger_id', async () => {
    const { original } = await changedSinceRead();
    const { body: now } = await organization.owner.get<Value>(original.url);

    const patch = organization.owner.patch(original.url, { internal_value: '3' }, ifMatch(`"${now.modified_at}"`));
    expect((await patch).status).toBe(412);
  });

  it.each(['tags', 'invitations'])('accepts the versions that lists of %s contain, and no others', async (kind) => {
    const { url: production } = await organization.environmentNamed('production');
    const [list, input, change] =
      kind === 'tags'
        ? [`${production}tags/`, { name: 'v1' }, { description: 'x' }]
        : ['invitations/', { email: 'somebody@shop.example', role: 'VIEWER' }, { role: 'CONTRIB' }];
    const { body: createdObject } = await organization.owner.post<{ url: string }>(list, input);
    const listed = async (query = '') =>
      (await organization.owner.get<Page<{ modified_at?: string }>>(list + query)).body.results[0];
    const original = await listed('?versions=true');
    const patch = () => organization.owner.patch(createdObject.url, change, ifMatch(`"${original?.modified_at}"`));

    expect(await listed()).toEqual({ ...original, modified_at: undefined });
    expect([(await patch()).status, (await patch()).status]).toEqual([200, 412]);
    expect((await organization.owner.get<object>(createdObject.url)).body).not.toHaveProperty('modified_at');
  });
});
