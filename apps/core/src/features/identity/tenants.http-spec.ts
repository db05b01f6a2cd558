import { randomUUID } from 'node:crypto';
import type { AuthToken, Page, Session, User } from '@strata/contract';
import { RawClient, type Reply, type TestOrganization } from '@strata/testkit';
import { type CoreInProcess, listRoutes, startCoreInProcess } from '../../testing/core-in-process.ts';
import { integrationBody, integrationFixture } from '../../testing/integration-fixture.ts';
import { rotationId } from '../../testing/path-fixtures.ts';
import { createPerson, type Person } from '../../testing/people.ts';

/** The ids of one object of each kind, by the name of their collection. */
type Things = Readonly<Record<string, string>>;

let core: CoreInProcess;
let mine: TestOrganization;
let ownObjects: Things;
let theirs: Things;
let routes: { method: string; url: string }[];

beforeAll(async () => {
  core = await startCoreInProcess();
  const foreign = await core.organization();
  mine = await core.organization();
  [ownObjects, theirs] = [await fillOrganization(mine), await fillOrganization(foreign)];
  routes = (await listRoutes(core)).filter(
    ({ method, url }) =>
      url.startsWith('/api/v1/') && url.includes(':') && method !== 'OPTIONS' && !url.includes(LOG_OF_CALLER),
  );
});
afterAll(() => core.close());

/** The paths below it contain positions in the log of the caller's organization, and no id. */
const LOG_OF_CALLER = '/audit/log/';

async function fillOrganization(organization: TestOrganization): Promise<Things> {
  const project = await organization.project();
  const parameter = await organization.parameter({ project });
  const value = await organization.value({ parameter });
  const webhook = await organization.webhook();
  const destination = await organization.owner.post<{ id: string }>('destinations/', {
    name: 'destination',
    type: 'http',
    event_types: ['value_updated'],
    address: 'https://hooks.invalid/path',
  });
  const member = await createPerson(core, organization.id, 'VIEWER');
  const service = await organization.as('VIEWER').get<User>('users/current/');
  const types = await organization.owner.get<Page<{ id: string }>>('types/');
  const environment = await organization.environment();
  const createObject = async (path: string, input: object) =>
    (await organization.owner.post<{ id: string }>(path, input)).body.id;
  const pushed = Object.values(
    await integrationFixture(organization, 'integrations/aws/{a}/pushes/{p}/tasks/{t}/steps/{s}/'),
  );
  return {
    projects: project.id,
    flags: parameter.name,
    parameters: parameter.id,
    values: value.id,
    environments: environment.id,
    webhooks: webhook.id,
    destinations: destination.body.id,
    rotations: await rotationId(organization),
    // These objects do not exist in any organization.
    ...Object.fromEntries(['deliveries', 'vault', 'manager', 'github', 'pulls'].map((name) => [name, randomUUID()])),
    ...Object.fromEntries(pushed.map((id, depth) => [['aws', 'pushes', 'tasks', 'steps'][depth], id])),
    rules: await createObject(`${parameter.url}rules/`, { type: 'max_len', constraint: '99' }),
    templates: await createObject(`${project.url}templates/`, { name: 'template', body: 'text' }),
    types: types.body.results[0]?.id ?? '',
    users: member.id,
    memberships: member.membershipId,
    sessions: await signIn(member),
    recents: project.id,
    favourites: await favourite(organization, project.id),
    views: await view(organization, project.id),
    serviceaccounts: service.body.id,
    organizations: organization.id,
    tags: await createObject(`environments/${environment.id}/tags/`, { name: 'tag' }),
    audit: (await organization.owner.get<Page<{ id: string }>>('audit/')).body.results[0]?.id ?? '',
    groups: await createObject('groups/', { name: 'group', users: [] }),
    grants: await createObject('grants/', { principal: member.id, scope: project.id, role: 'OWNER' }),
    requests: await createObject('access/requests/', {
      ...{ scope: project.url, role: 'VIEWER', duration_minutes: 60, message: 'outage' },
    }),
    invitations: await createObject('invitations/', { email: 'somebody@example.com', role: 'VIEWER' }),
  };
}

async function favourite({ owner }: TestOrganization, id: string): Promise<string> {
  await owner.put(`users/current/favourites/${id}/`);
  return id;
}

async function view({ owner }: TestOrganization, project: string): Promise<string> {
  const id = randomUUID();
  await owner.put('users/current/views/', { id, project, name: 'view' });
  return id;
}

async function signIn({ email, password }: Person): Promise<string> {
  const { body } = await new RawClient(core.origin, null).post<AuthToken>('auth/session/', { email, password });
  const client = new RawClient(core.origin, `Bearer ${body.access_token}`);
  return (await client.get<Page<Session>>('users/current/sessions/')).body.results[0]?.id ?? '';
}

/**
 * The id of a changeset is its revision. Each organization counts its own revisions, so the number is not foreign. The
 * key of a flag is a name, which every organization may use.
 */
const collections = (url: string) =>
  [...url.matchAll(/([a-z]+)\/:/g)]
    .map(([, name = '']) => name)
    .filter((name) => !['changesets', 'flags'].includes(name));

/** Returns the path with these ids. The collection `strange` gets the id of the other object. */
function path(url: string, objects: Things, strange: { readonly collection: string; readonly id: string }): string {
  return url.replace(/([a-z]+)\/:\w+/g, (_, collection: string) => {
    const id = collection === strange.collection ? strange.id : (objects[collection] ?? 'there-is-no-such-thing');
    return `${collection}/${id}`;
  });
}

/** Returns a body that is valid for every collection, so that only the path can cause an error. */
function body(url: string, method: string): unknown {
  if (['GET', 'HEAD', 'DELETE'].includes(method)) return undefined;
  return {
    name: 'name',
    role: 'VIEWER',
    environment: ownObjects.environments,
    project: ownObjects.projects,
    internal_value: 'value',
    principal: ownObjects.users,
    users: [],
    ...more(url),
  };
}

function more(url: string): object {
  if (url.includes('/validate/')) return { text: 'text' };
  if (url.includes('/integrations/')) return integrationBody();
  if (url.includes('/trust-rules/')) return { issuer: 'https://a.example', audience: 'strata', subject: 'a' };
  if (url.includes('/rules/')) return { type: 'max_len', constraint: '9' };
  if (url.includes('/types/')) return { parent: ownObjects.types };
  if (/_pk\/values\/$/.test(url) && !url.includes('/parameters/')) return { values: { name: 'value' } };
  if (/\/template(s|-preview)\//.test(url)) return { body: 'text' };
  if (url.includes('/replay/')) return { from_revision: 1 };
  if (url.includes('/dismiss/')) return { instances: [randomUUID()] };
  if (url.includes('/destinations/')) return { event_types: ['value_updated'] };
  if (!url.includes('/webhooks/')) return {};
  const configuration = { token: 'xoxb-1', channel: '#c', username: 'u' };
  return { type: 'slack', event_types: ['value_updated'], configuration };
}

function query(url: string): string {
  if (/groups.*(add|remove)\/$/.test(url)) return `?user=${ownObjects.users}`;
  if (url.endsWith('/parameter-export/')) return '?output=docker';
  return /\/(effective|projects\/:project_pk\/values)\/$/.test(url) ? '?environment=default' : '';
}

/** Returns everything in a response by which callers could distinguish a foreign object from a missing one. */
const seen = ({ status, text, headers }: Reply) => ({
  status,
  text,
  code: headers['x-error-code'],
  revision: headers['x-revision'],
  allow: headers.allow,
});

describe("another organization's objects", () => {
  it('are requested on every route with an id', () => {
    const collectionNames = Object.keys(ownObjects);
    expect(routes.flatMap(({ url }) => collections(url)).filter((name) => !collectionNames.includes(name))).toEqual([]);
    expect(routes.length).toBeGreaterThan(30);
  });

  it('return 404 with the same response as objects that do not exist', async () => {
    const client: RawClient = mine.owner;
    for (const { method, url } of routes) {
      for (const collection of collections(url)) {
        // The person who created both organizations is a member of both, so this object is not foreign.
        if (collection === 'organizations') continue;
        // People who accept an invitation or read its offer belong to another organization or to none, so the object is
        // not foreign.
        if (/\/(accept|offer)\/$/.test(url)) continue;
        const request = (id: string, objects: Things) =>
          client.send(method, path(url, objects, { collection, id }) + query(url), { body: body(url, method) });
        const foreign = await request(theirs[collection] ?? '', ownObjects);
        const missing = await request(randomUUID(), ownObjects);
        const allForeign = await request(theirs[collection] ?? '', theirs);

        expect([method, url, collection, foreign.status]).toEqual([method, url, collection, 404]);
        expect({ method, url, ...seen(foreign) }).toEqual({ method, url, ...seen(missing) });
        expect({ method, url, status: allForeign.status }).toEqual({ method, url, status: 404 });
      }
    }
  });

  it('are left out of lists and filters, and still exist afterwards', async () => {
    for (const collection of ['environments', 'projects', 'users', 'serviceaccounts', 'memberships', 'webhooks']) {
      const list = await mine.owner.get<Page<{ id: string }>>(`${collection}/`);
      const response = await mine.owner.get<Page<{ id: string }>>(
        `${collection}/?id__in=${theirs[collection]},${ownObjects[collection]}`,
      );
      expect(list.body.results.map(({ id }) => id)).not.toContain(theirs[collection]);
      expect([collection, response.body.results.map(({ id }) => id)]).toEqual([collection, [ownObjects[collection]]]);
    }
  });

  it('cannot be linked to: the response is 400, as for objects that do not exist', async () => {
    const { owner } = mine;
    for (const [method, target, field, collection] of [
      ['POST', 'environments/', 'parent', 'environments'],
      ['PATCH', `environments/${ownObjects.environments}/`, 'parent', 'environments'],
      ['POST', 'projects/', 'depends_on', 'projects'],
      ['PATCH', `projects/${ownObjects.projects}/`, 'depends_on', 'projects'],
      [
        'POST',
        `projects/${ownObjects.projects}/parameters/${ownObjects.parameters}/values/`,
        'environment',
        'environments',
      ],
    ] as const) {
      const send = (id: string) =>
        owner.send(method, target, {
          body: { name: 'link', internal_value: 'x', [field]: `${core.origin}/api/v1/${collection}/${id}/` },
        });
      const foreign = await send(theirs[collection] ?? '');
      const missing = await send(randomUUID());

      expect([target, foreign.status]).toEqual([target, 400]);
      expect(foreign.body).toHaveProperty(field);
      expect(seen(foreign)).toEqual(seen(missing));
    }
  });
});
