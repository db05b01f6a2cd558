import type { Group, Page, ServiceAccountCreated, User } from '@strata/contract';
import { RawClient, type RunningCore, sharedCore, type TestOrganization } from '@strata/testkit';
import { createPerson } from '../../testing/people.ts';
import { query } from '../../testing/query.ts';

let core: RunningCore;
beforeAll(async () => {
  core = await sharedCore();
});

async function bot(organization: TestOrganization, name = 'bot'): Promise<User> {
  return (await organization.owner.post<ServiceAccountCreated>('serviceaccounts/', { name })).body.user;
}

const make = (organization: TestOrganization, input: object = {}) =>
  organization.owner.post<Group>('groups/', { name: 'ops', users: [], ...input });

describe('groups', () => {
  it('can be created by a client that sends empty read-only fields', async () => {
    const organization = await core.organization();
    const createResponse = await make(organization, { url: '', id: '', created_at: '', modified_at: null });
    expect(createResponse).toMatchObject({ status: 201, body: { name: 'ops', description: '', users: [] } });
    expect(createResponse.headers.location).toBe(createResponse.body.url);
    expect((await organization.as('VIEWER').get(createResponse.body.url)).body).toEqual(createResponse.body);
  });

  it('require users (at least an empty list) and an available name of at most 150 characters', async () => {
    const organization = await core.organization();
    expect(await organization.owner.post('groups/', { name: 'x' })).toMatchObject({
      status: 400,
      body: { users: [expect.any(String)] },
    });
    expect(await make(organization, { name: 'x'.repeat(151) })).toMatchObject({
      status: 400,
      body: { name: [expect.any(String)] },
    });
    await make(organization);
    const twin = await make(organization);
    expect(twin).toMatchObject({ status: 400, body: { name: [expect.stringContaining('ops')] } });
    expect(twin.headers['x-error-code']).toBe('duplicate_name');
    expect((await make(organization, { name: 'Ops' })).status).toBe(201);
  });

  it('contain people and service accounts; users replaces all members, and omitting it keeps them', async () => {
    const organization = await core.organization();
    const [firstBot, secondBot] = [await bot(organization, 'a'), await bot(organization, 'b')];
    const human = await createPerson(core, organization.id, 'VIEWER', `auth0|${Date.now()}`);
    const link = `${core.origin}/api/v1/users/${encodeURIComponent(human.id)}/`;
    const { body: group } = await make(organization, { users: [secondBot.url, firstBot.id, secondBot.url] });

    expect(group.users).toEqual([firstBot.url, secondBot.url]);
    const replaced = await organization.owner.patch<Group>(group.url, {
      users: [`https://other.example/api/v1/users/${encodeURIComponent(human.id)}/`],
    });
    expect(replaced).toMatchObject({ status: 200, body: { users: [link] } });
    expect((await organization.owner.patch<Group>(group.url, { description: 'd' })).body).toMatchObject({
      users: [link],
      description: 'd',
    });
    expect((await organization.owner.put<Group>(group.url, { name: 'ops', users: [] })).body).toMatchObject({
      users: [],
      description: 'd',
    });
    expect(await organization.owner.put(group.url, { name: 'ops' })).toMatchObject({ status: 400 });
  });

  it('add and remove single members, who are named in the query; the body is ignored, and repetitions have no effect', async () => {
    const organization = await core.organization();
    const human = await createPerson(core, organization.id, 'VIEWER', `auth0|${Date.now()}x`);
    const link = `${core.origin}/api/v1/users/${encodeURIComponent(human.id)}/`;
    const { body: group } = await make(organization);
    const junk = { url: '', id: '', name: '', users: ['x'], created_at: '' };
    const call = (action: string) =>
      organization.owner.post<Group>(`${group.url}${action}/?user=${encodeURIComponent(link)}`, junk);

    const added = await call('add');
    expect(added).toMatchObject({ status: 200, body: { name: 'ops', users: [link] } });
    expect((await call('add')).headers['x-revision']).toBe(added.headers['x-revision']);
    // Clients may leave a link unescaped if its id is already escaped.
    expect((await organization.owner.post<Group>(`${group.url}remove/?user=${link}`, junk)).body.users).toEqual([]);
    expect(await call('remove')).toMatchObject({ status: 200, body: { users: [] } });
    expect(await organization.owner.post(`${group.url}add/`, junk)).toMatchObject({
      status: 400,
      body: { user: [expect.any(String)] },
    });
    expect(await organization.owner.post(`${group.url}add/?user=nobody`, junk)).toMatchObject({
      status: 400,
      body: { user: [expect.any(String)] },
    });
  });

  it('can be found by exact name and by user, and are in natural order', async () => {
    const organization = await core.organization();
    const member = await bot(organization);
    await make(organization, { name: 'web' });
    await make(organization, { name: 'Redis', users: [member.url] });
    const names = async (filter: string) =>
      (await organization.owner.get<Page<Group>>(`groups/?${filter}`)).body.results.map(({ name }) => name);
    expect(await names('')).toEqual(['Redis', 'web']);
    expect(await names('name=redis')).toEqual([]);
    expect(await names('name=Redis')).toEqual(['Redis']);
    expect(await names(`user=${encodeURIComponent(member.url)}`)).toEqual(['Redis']);
    expect((await organization.owner.get('groups/?user=nobody')).status).toBe(400);
  });

  it('reject people of another organization, who can neither see nor change them', async () => {
    const [organization, otherOrganization] = [await core.organization(), await core.organization()];
    const outsider = await bot(otherOrganization);
    expect(await make(organization, { users: [outsider.url] })).toMatchObject({
      status: 400,
      body: { users: [expect.any(String)] },
    });
    const { body } = await make(otherOrganization);
    const never = await organization.owner.get('groups/00000000-0000-4000-8000-000000000000/');
    for (const response of [
      await organization.owner.get(body.url),
      await organization.owner.patch(body.url, { name: 'x' }),
      await organization.owner.delete(body.url),
      await organization.owner.post(`${body.url}add/?user=${organization.id}`),
    ]) {
      expect(response).toMatchObject({ status: 404, text: never.text });
    }
  });

  it('can be managed by ADMINs and OWNERs, and only be read by other members', async () => {
    const organization = await core.organization();
    const { body } = await make(organization);
    for (const role of ['VIEWER', 'CONTRIB'] as const) {
      const client = organization.as(role);
      for (const response of [
        await client.post('groups/', { name: 'x', users: [] }),
        await client.patch(body.url, { name: 'x' }),
        await client.delete(body.url),
        await client.post(`${body.url}add/?user=x`),
      ]) {
        expect(response).toMatchObject({ status: 403 });
      }
    }
    expect((await organization.as('ADMIN').patch(body.url, { name: 'x' })).status).toBe(200);
    expect((await new RawClient(core.origin, null).get('groups/')).status).toBe(401);
  });

  it('lose removed members, support conditional requests, and are recorded', async () => {
    const organization = await core.organization();
    const member = await bot(organization);
    const { body } = await make(organization, { users: [member.url] });
    await organization.owner.delete(`serviceaccounts/${member.id}/`);
    const { headers, body: left } = await organization.owner.get<Group>(body.url);
    expect(left.users).toEqual([]);
    expect((await organization.owner.get(body.url, { 'if-none-match': headers.etag ?? '' })).status).toBe(304);
    expect((await organization.owner.patch(body.url, { name: 'new' }, { 'if-match': '"stale"' })).status).toBe(412);
    expect((await organization.owner.delete(body.url)).status).toBe(204);
    const recorded = await query<{ action: string }>(
      core,
      `select action from change where organization_id = $1 and object_type = 'Group' order by revision`,
      [organization.id],
    );
    expect(recorded.map(({ action }) => action)).toEqual(['create', 'delete']);
  });
});
