import type { Page, Tag } from '@strata/contract';
import { type RunningCore, sharedCore } from '@strata/testkit';
import { query } from '../../testing/query.ts';

let core: RunningCore;
beforeAll(async () => {
  core = await sharedCore();
});

/** Returns the changes of an organization from the ledger. */
const changes = (organizationId: string) =>
  query<{ action: string; object_name: string; event_type: string | null; environment_name: string }>(
    core,
    `select action, object_name, event_type, environment_name from change
      where organization_id = $1 and object_type = 'Tag' order by revision, ordinal`,
    [organizationId],
  );

async function fixture() {
  const organization = await core.organization();
  const environment = await organization.environment({ name: 'e' });
  const tags = `${environment.url}tags/`;
  return { organization, environment, tags, owner: organization.owner };
}

describe('tags', () => {
  it('name the moment of their creation by default, and are unused at first', async () => {
    const { tags, organization } = await fixture();
    const createResponse = await organization.as('CONTRIB').post<Tag>(tags, { name: 'v1' });
    const nulled = await organization.owner.post<Tag>(tags, { name: 'v2', timestamp: null });
    const head = await query<{ at: string }>(
      core,
      `select to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at from changeset
        where organization_id = $1 order by revision desc limit 2`,
      [organization.id],
    );

    expect(createResponse).toMatchObject({
      status: 201,
      headers: { location: createResponse.body.url },
      body: {
        url: `${tags}${createResponse.body.id}/`,
        name: 'v1',
        description: '',
        immutable: false,
        pushes: [],
        push_urls: [],
        usage: { last_read: null, last_read_by: '', total_reads: 0 },
      },
    });
    expect([nulled.body.timestamp, createResponse.body.timestamp]).toEqual(head.map(({ at }) => at));
  });

  it('accept any instant with microseconds, even one before the first revision', async () => {
    const { tags, owner } = await fixture();
    const at = async (name: string, timestamp: string) =>
      (await owner.post<Tag>(tags, { name, timestamp })).body.timestamp;

    expect(await at('early', '1970-01-01')).toBe('1970-01-01T00:00:00.000000Z');
    expect(await at('exact', '2023-03-15T09:38:48.368123-04:00')).toBe('2023-03-15T13:38:48.368123Z');
    expect(await owner.post(tags, { name: 'bad', timestamp: 'yesterday' })).toMatchObject({
      status: 400,
      body: { timestamp: [expect.stringContaining('date and time')] },
    });
  });

  it('have names of at most 64 allowed characters, unique in their environment and case-sensitive', async () => {
    const { tags, owner, organization } = await fixture();
    const otherEnvironment = await organization.environment();
    await owner.post(tags, { name: 'v1' });

    for (const name of ['a b', 'ä', 'a/b', '', 'x'.repeat(65)]) {
      expect(await owner.post(tags, { name })).toMatchObject({ status: 400, body: { name: [expect.any(String)] } });
    }
    const twice = await owner.post(tags, { name: 'v1' });
    expect(twice).toMatchObject({ status: 400, body: { name: [expect.stringContaining('v1')] } });
    expect(twice.headers['x-error-code']).toBe('duplicate_name');
    expect((await owner.post(tags, { name: 'V1' })).status).toBe(201);
    expect((await owner.post(`${otherEnvironment.url}tags/`, { name: 'v1' })).status).toBe(201);
    expect((await owner.post(tags, { name: `a-b_c.${'9'.repeat(58)}` })).status).toBe(201);
  });

  it('keep members that a PUT or PATCH omits; null moves them to now; an equal change has no effect', async () => {
    const { tags, owner } = await fixture();
    const tag = (await owner.post<Tag>(tags, { name: 'v1', timestamp: '2020-01-01', description: 'd' })).body;

    const renamed = await owner.put<Tag>(tag.url, { name: 'v2', id: '', timestamp: tag.timestamp });
    expect(renamed).toMatchObject({ status: 200, body: { ...tag, name: 'v2' } });
    const same = await owner.patch<Tag>(tag.url, { name: 'v2', description: 'd' });
    expect(same.body).toEqual(renamed.body);
    expect(same.headers['x-revision']).toBe(renamed.headers['x-revision']);
    expect(await owner.put(tag.url, {})).toMatchObject({ status: 400, body: { name: expect.anything() } });

    const moved = await owner.patch<Tag>(tag.url, { timestamp: null });
    expect(Date.parse(moved.body.timestamp)).toBeGreaterThan(Date.now() - 60_000);
    expect((await owner.get<Tag>(tag.url)).body).toEqual(moved.body);
  });

  it('cannot be changed if they are immutable, but can be deleted (E70)', async () => {
    const { tags, owner } = await fixture();
    const tag = (await owner.post<Tag>(tags, { name: 'v1', immutable: true })).body;

    for (const input of [{ description: 'x' }, { name: 'x' }, { timestamp: null }, { immutable: false }]) {
      const response = await owner.patch(tag.url, input);
      expect(response).toMatchObject({ status: 400, body: { detail: expect.stringContaining('immutable') } });
      expect(response.headers['x-error-code']).toBe('tag_immutable');
      expect((await owner.put(tag.url, { name: 'v1', ...input })).status).toBe(400);
    }
    expect(await owner.patch(tag.url, { name: 'v1', immutable: true })).toMatchObject({ status: 200, body: tag });
    expect((await owner.delete(tag.url)).status).toBe(204);
    expect((await owner.get(tag.url)).status).toBe(404);
  });

  it('can become immutable later', async () => {
    const { tags, owner } = await fixture();
    const tag = (await owner.post<Tag>(tags, { name: 'v1' })).body;

    expect(await owner.patch(tag.url, { immutable: true })).toMatchObject({ status: 200, body: { immutable: true } });
    expect((await owner.patch(tag.url, { description: 'x' })).status).toBe(400);
  });

  it('can be listed by name and filtered by name, description and instant', async () => {
    const { tags, owner } = await fixture();
    for (const [name, timestamp, description] of [
      ['b', '2020-01-01', 'first'],
      ['A', '2021-01-01', 'second'],
      ['c', '2022-01-01', 'third'],
    ]) {
      await owner.post(tags, { name, timestamp, description });
    }
    const names = async (filter: string) =>
      (await owner.get<Page<Tag>>(`${tags}${filter}`)).body.results.map(({ name }) => name);

    expect(await names('')).toEqual(['A', 'b', 'c']);
    expect(await names('?name=a')).toEqual([]);
    expect(await names('?name__icontains=a')).toEqual(['A']);
    expect(await names('?description__icontains=IR')).toEqual(['b', 'c']);
    expect(await names('?timestamp=2021-01-01T00:00:00Z')).toEqual(['A']);
    expect(await names('?timestamp__gte=2021-01-01')).toEqual(['A', 'c']);
    expect(await names('?timestamp__lte=2021-01-01&timestamp__gte=2020-06-01')).toEqual(['A']);
    expect(await names('?ordering=-timestamp')).toEqual(['c', 'A', 'b']);
    expect(await owner.get(`${tags}?timestamp=x`)).toMatchObject({
      status: 400,
      body: { timestamp: expect.anything() },
    });
  });

  it('belong to one environment; the path of another environment returns 404', async () => {
    const { tags, owner, organization } = await fixture();
    const otherEnvironment = await organization.environmentNamed('default');
    const tag = (await owner.post<Tag>(tags, { name: 'v1' })).body;

    for (const method of ['GET', 'PATCH', 'DELETE']) {
      expect(await owner.send(method, `${otherEnvironment.url}tags/${tag.id}/`, { body: {} })).toMatchObject({
        status: 404,
        body: { detail: 'No Tag matches the given query.' },
      });
    }
    const nowhere = 'environments/00000000-0000-4000-8000-000000000000/tags/';
    for (const path of [nowhere, `${nowhere}${tag.id}/`]) {
      expect(await owner.get(path)).toMatchObject({
        status: 404,
        body: { detail: expect.stringMatching(/^No Environment/) },
      });
    }
  });

  it('of another organization return 404; a viewer can only read tags', async () => {
    const { tags, owner, organization } = await fixture();
    const otherOrganization = await core.organization();
    const tag = (await owner.post<Tag>(tags, { name: 'v1' })).body;

    const never = await otherOrganization.owner.get('environments/00000000-0000-4000-8000-000000000000/tags/');
    expect(await otherOrganization.owner.get(tags)).toMatchObject({ status: 404, text: never.text });
    expect(await otherOrganization.owner.get(tag.url)).toMatchObject({ status: 404, text: never.text });
    expect((await organization.as('VIEWER').get(tags)).status).toBe(200);
    expect((await organization.as('VIEWER').post(tags, { name: 'v2' })).status).toBe(403);
    expect((await organization.as('VIEWER').delete(tag.url)).status).toBe(403);
  });

  it('reject a change with a stale precondition', async () => {
    const { tags, owner } = await fixture();
    const tag = (await owner.post<Tag>(tags, { name: 'v1' })).body;
    const { etag = '' } = (await owner.get(tag.url)).headers;

    expect((await owner.patch(tag.url, { description: 'x' }, { 'if-match': etag })).status).toBe(200);
    expect((await owner.patch(tag.url, { description: 'y' }, { 'if-match': etag })).status).toBe(412);
    expect((await owner.delete(tag.url, undefined, { 'if-match': etag })).status).toBe(412);
  });

  it('are deleted with their environment even if they are immutable; each deletion is recorded without an event', async () => {
    const { tags, owner, organization, environment } = await fixture();
    const [tag] = [(await owner.post<Tag>(tags, { name: 'one' })).body];
    await owner.post(tags, { name: 'two', immutable: true });
    await owner.patch(tag.url, { description: 'x' });

    expect((await owner.delete(environment.url)).status).toBe(204);

    const location = { event_type: null, environment_name: 'e' };
    expect(await changes(organization.id)).toEqual([
      { action: 'create', object_name: 'one', ...location },
      { action: 'create', object_name: 'two', ...location },
      { action: 'update', object_name: 'one', ...location },
      { action: 'delete', object_name: 'one', ...location },
      { action: 'delete', object_name: 'two', ...location },
    ]);
    expect((await owner.get(tags)).status).toBe(404);
  });
});
