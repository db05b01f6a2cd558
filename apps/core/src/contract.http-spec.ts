import { randomUUID } from 'node:crypto';
import {
  type Delivery,
  OPERATIONS,
  type Operation,
  type Page,
  type ParameterType,
  type ServiceAccountCreated,
  type Webhook,
} from '@strata/contract';
import { can } from '@strata/domain';
import {
  contract,
  type FakeChat,
  type OwnCore,
  RawClient,
  startCore,
  startFakeChat,
  type TestOrganization,
} from '@strata/testkit';
import pg from 'pg';
import { INTEGRATION_BODIES, integrationPlace } from './testing/integration-place.ts';

/**
 * Every operation that is served is called with valid, minimal and invalid input, without credential, as a VIEWER,
 * and for things that are not there. The client compares each answer with v1.json (ours with our own description).
 */
let core: OwnCore;
let chat: FakeChat;
let house: TestOrganization;
const NOWHERE = '00000000-0000-4000-8000-000000000000';

beforeAll(async () => {
  chat = await startFakeChat();
  core = await startCore({ STRATA_SLACK_API_URL: chat.url });
  house = await core.organization();
});
afterAll(async () => {
  const answers = [...contract.checked.values()].reduce((sum, count) => sum + count, 0);
  process.stdout.write(`contract: ${OPERATIONS.length} operations, ${answers} answers checked\n`);
  await core.close();
  await chat.close();
});

const TOKEN = `xoxb-${'1234567890-'.repeat(2)}abcd`;
const WEBHOOK = {
  name: 'hook',
  event_types: ['value_updated'],
  type: 'slack',
  configuration: { token: TOKEN, channel: '#changes', username: 'strata' },
};

/** Bodies that a noun accepts, by the beginning of its operation ids; the longest that fits counts. */
const BODIES: Readonly<Record<string, () => Promise<object> | object>> = {
  environments: () => ({ name: unique(), description: 'd' }),
  environments_tags: () => ({ name: unique().replace(' ', '-'), description: 'd', timestamp: null }),
  projects: () => ({ name: unique(), description: 'd', parameter_name_pattern: '' }),
  projects_parameters: () => ({ name: unique(), description: 'd', type: 'string' }),
  projects_parameters_rules: () => ({ type: 'max_len', constraint: '99' }),
  projects_parameters_values_create: async () => ({
    environment: (await house.environment()).url,
    internal_value: 'v',
  }),
  projects_templates: () => ({ name: unique(), description: 'd', body: '{{ cloudtruth.environment }}' }),
  projects_template_preview: () => ({ body: '{{ cloudtruth.environment | upcase }}' }),
  projects_parameters_values: () => ({ internal_value: unique() }),
  types: async () => ({ name: unique(), description: 'd', parent: await stringType() }),
  types_rules: () => ({ type: 'max_len', constraint: '99' }),
  serviceaccounts_rekey: () => ({ expire_at: null }),
  serviceaccounts: () => ({ name: unique(), description: 'd', role: 'VIEWER' }),
  memberships_create: async () => ({ user: (await stranger()).url, role: 'VIEWER' }),
  memberships: () => ({ role: 'CONTRIB' }),
  organizations: () => ({ name: unique() }),
  invitations: () => ({ email: `${randomUUID()}@example.com`, role: 'VIEWER' }),
  invitations_accept: () => ({}),
  groups: () => ({ name: unique(), description: 'd', users: [] }),
  grants_create: async () => ({ ...(await grantee()), scope: (await house.project()).url }),
  grants: () => grantee(),
  ...INTEGRATION_BODIES,
  environments_copy: () => ({ name: unique() }),
  projects_copy: () => ({ name: unique() }),
  projects_parameters_copy: async () => ({ name: unique(), project: (await house.project()).url }),
  import: async () => ({ project: (await house.project()).name, body: 'A=1', secrets: [], ignore: [] }),
  webhooks: () => ({ ...WEBHOOK, name: unique() }),
  auth_token: () => ({ email: 'nobody@strata.local', password: 'wrong password' }),
};

let made = 0;
function unique(): string {
  made += 1;
  return `thing ${made}`;
}

function bodyOf({ id, body }: Operation): Promise<object> | object | undefined {
  if (!body) return undefined;
  const [prefix] = Object.keys(BODIES)
    .filter((key) => id.startsWith(key))
    .sort((a, b) => b.length - a.length);
  if (!prefix) throw new Error(`Say what ${id} accepts.`);
  return BODIES[prefix]?.();
}

/** Somebody who can be given a grant. */
async function grantee(): Promise<{ principal: string; role: string }> {
  const { body } = await house.owner.post<ServiceAccountCreated>('serviceaccounts/', { name: unique() });
  return { principal: body.user.url, role: 'OWNER' };
}

/** A person whom the owner knows from another organization. */
async function stranger(): Promise<{ url: string }> {
  const elsewhere = await core.organization();
  const id = unique();
  const client = new pg.Client({ connectionString: core.database.url });
  await client.connect();
  await client.query(`insert into person (id, type, name) values ($1, 'interactive', $1)`, [id]);
  await client.query(`insert into membership (organization_id, id, person_id, role) values ($1, $2, $3, 'VIEWER')`, [
    elsewhere.id,
    randomUUID(),
    id,
  ]);
  await client.end();
  return { url: `users/${encodeURIComponent(id)}/` };
}

/** Ids for the placeholders of a path, of things made for this call alone. */
async function placeOf({ path }: Operation): Promise<string> {
  const ids: Record<string, string> = {};
  if (path.includes('/environments/')) Object.assign(ids, await environmentPlace(path));
  if (path.includes('/audit/'))
    ids.id = (await house.owner.get<Page<{ id: string }>>('audit/')).body.results[0]?.id ?? '';
  if (path.includes('/types/')) Object.assign(ids, await typePlace(path));
  if (path.includes('/projects/')) Object.assign(ids, await projectPlace(path));
  if (path.includes('/organizations/')) ids.id = house.id;
  if (/users|memberships|serviceaccounts/.test(path)) Object.assign(ids, await accountPlace(path));
  if (path.includes('/integrations/')) Object.assign(ids, await integrationPlace(house, path));
  if (/invitations|groups/.test(path)) Object.assign(ids, await peoplePlace(path));
  if (path.includes('/grants/')) Object.assign(ids, await grantPlace());
  if (path.includes('/webhooks/')) Object.assign(ids, await webhookPlace(path));
  return path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(ids[name] ?? ''));
}

async function environmentPlace(path: string) {
  const { id, url } = await house.environment();
  if (!path.includes('/tags/')) return { id, environment_pk: id };
  const tag = await house.owner.post<{ id: string }>(`${url}tags/`, { name: unique().replace(' ', '-') });
  return { environment_pk: id, id: tag.body.id };
}

async function stringType(): Promise<string> {
  return (await house.owner.get<Page<{ id: string }>>('types/?name=string')).body.results[0]?.id ?? '';
}

const RULE = { type: 'min_len', constraint: '0' };

async function typePlace(path: string) {
  const { body: type } = await house.owner.post<ParameterType>('types/', {
    name: unique(),
    parent: await stringType(),
  });
  if (!path.includes('/rules/')) return { id: type.id };
  const { body } = await house.owner.post<{ id: string }>(`${type.url}rules/`, RULE);
  return { parametertype_pk: type.id, id: body.id };
}

async function projectPlace(path: string) {
  const project = await house.project();
  const parameter = await house.parameter({ project });
  const value = await house.value({ parameter });
  if (path.includes('/pushes/')) return { project_pk: project.id, parameter_pk: parameter.id };
  if (path.includes('/rules/')) {
    const { body } = await house.owner.post<{ id: string }>(`${parameter.url}rules/`, RULE);
    return { project_pk: project.id, parameter_pk: parameter.id, id: body.id };
  }
  if (path.includes('/templates/')) {
    const { body } = await house.owner.post<{ id: string }>(`${project.url}templates/`, { name: unique(), body: 'b' });
    return { project_pk: project.id, id: body.id };
  }
  if (path.includes('/values/')) return { project_pk: project.id, parameter_pk: parameter.id, id: value.id };
  return {
    project_pk: project.id,
    parameter_pk: parameter.id,
    id: path.includes('/parameters/') ? parameter.id : project.id,
  };
}

async function accountPlace(path: string) {
  const { body } = await house.owner.post<ServiceAccountCreated>('serviceaccounts/', { name: unique() });
  return { id: (path.includes('memberships') ? body.user.membership_id : body.user.id) ?? '' };
}

async function peoplePlace(path: string) {
  const collection = path.includes('/groups/') ? 'groups' : 'invitations';
  const wish = collection === 'groups' ? { name: unique(), users: [] } : BODIES.invitations?.();
  return { id: (await house.owner.post<{ id: string }>(`${collection}/`, await wish)).body.id };
}

async function grantPlace() {
  const scope = (await house.project()).id;
  const { body } = await house.owner.post<{ id: string }>('grants/', { ...(await grantee()), scope });
  // a second owner, so that either may go
  await house.owner.post('grants/', { ...(await grantee()), scope });
  return { id: body.id, scope };
}

async function webhookPlace(path: string) {
  const { body } = await house.owner.post<Webhook>('webhooks/', { ...WEBHOOK, name: unique() });
  if (!path.includes('delivery_pk')) {
    return { id: body.id };
  }
  const value = await house.value();
  await house.owner.patch(value.url, { internal_value: unique() });
  // the message arrives before the answer to it is written down
  for (;;) {
    const deliveries = await house.owner.get<Page<Delivery>>(`webhooks/${body.id}/deliveries/`);
    const [delivery] = deliveries.body.results;
    if (delivery?.status === 'delivered') return { id: body.id, delivery_pk: delivery.id };
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function send(client: RawClient, { method }: Operation, path: string, body?: unknown) {
  return client.send(method.toUpperCase(), path, { body });
}

/** The document comes as YAML unless JSON is asked for. */
const QUERY: Readonly<Record<string, string>> = {
  api_schema_retrieve: '?format=json',
  projects_parameter_export_list: '?output=docker',
  utils_generate_password_create: '?length=12',
};

/** What a query must hold for the operation to make sense, where that takes something that exists. */
async function queryOf({ id }: Operation): Promise<string> {
  if (/^groups_(add|remove)/.test(id)) return `?user=${encodeURIComponent((await grantee()).principal)}`;
  if (id === 'grants_multi_destroy') return `?scope=${(await grantPlace()).scope}`;
  return QUERY[id] ?? '';
}

/** They need a credential of their own, or end the one of the house. */
const ELSEWHERE = [
  'events_stream',
  'auth_token_create',
  'users_destroy',
  'organizations_destroy',
  'invitations_accept_create',
];
const named = OPERATIONS.filter(({ id }) => !ELSEWHERE.includes(id));

describe('every operation', () => {
  it.each(named.map((operation) => [operation.id, operation] as const))(
    '%s does what it is for',
    async (_, operation) => {
      const path = await placeOf(operation);
      const reply = await send(house.owner, operation, `${path}${await queryOf(operation)}`, await bodyOf(operation));
      await house.owner.get('webhooks/').then(({ body }) => removeAll(body as Page<Webhook>));

      expect([operation.id, reply.status, reply.status === operation.status ? '' : reply.text]).toEqual([
        operation.id,
        operation.status,
        '',
      ]);
      expect(contract.operationOf(operation.method.toUpperCase(), path)).toBe(operation.id);
    },
  );

  it.each(
    OPERATIONS.filter(({ requires }) => requires !== 'nothing').map((operation) => [operation.id, operation] as const),
  )('%s refuses nobody’s and a small role’s request', async (_, operation) => {
    const path = operation.path.replace(/\{\w+\}/g, NOWHERE);
    const nobody = await send(new RawClient(core.origin, null), operation, path, operation.body ? {} : undefined);
    expect(nobody).toMatchObject({ status: 401, body: { detail: expect.any(String) } });
    const { requires } = operation;
    if (requires === 'nothing' || can('VIEWER', requires)) return;
    const viewer = await send(house.as('VIEWER'), operation, path, operation.body ? {} : undefined);
    expect(viewer).toMatchObject({ status: 403, body: { detail: expect.any(String) } });
  });

  it.each(OPERATIONS.filter(({ path }) => path.includes('{')).map((operation) => [operation.id, operation] as const))(
    '%s does not find what is not there',
    async (_, operation) => {
      const path = operation.path.replace(/\{\w+\}/g, NOWHERE) + (await queryOf(operation));
      const reply = await send(house.owner, operation, path, await bodyOf(operation));
      expect(reply).toMatchObject({ status: 404, body: { detail: expect.any(String) } });
    },
  );

  it.each(
    OPERATIONS.filter(({ body, method, bodyOptional }) => body && method !== 'patch' && !bodyOptional).map(
      (operation) => [operation.id, operation] as const,
    ),
  )(
    '%s refuses a body that is no object, and fields of the wrong kind, without storing anything',
    async (_, operation) => {
      const path = await placeOf(operation);
      const before = (await house.owner.get('projects/')).headers['x-revision'];
      for (const wrong of ['[]', '7', '"x"', '{"name":']) {
        expect(await send(house.owner, operation, path, wrong)).toMatchObject({ status: 400, body: expect.anything() });
      }
      for (const value of [{}, [[]], true]) {
        const body = {
          name: value,
          role: value,
          user: value,
          environment: value,
          event_types: value,
          internal_value: value,
          email: value,
          expire_at: value,
          description: value,
          body: value,
          owner: value,
          constraint: value,
        };
        const reply = await send(house.owner, operation, path, body);
        expect([operation.id, reply.status]).toEqual([operation.id, 400]);
      }
      expect((await house.owner.get('projects/')).headers['x-revision']).toBe(before);
    },
  );

  it('of v1.json that this service has was answered, and every list refuses a page that is not there', async () => {
    for (const operation of OPERATIONS.filter(({ query }) => query?.shape.page !== undefined)) {
      const path = await placeOf(operation);
      expect(await send(house.owner, operation, `${path}?page=99`)).toMatchObject({
        status: 404,
        body: { detail: 'Invalid page.' },
      });
      expect(await send(house.owner, operation, `${path}?page_size=0&wrap=1&id__in=`)).toMatchObject({ status: 200 });
    }
    const answered = new Set([...contract.checked.keys()].map((key) => key.split(' ')[0]));
    expect(OPERATIONS.filter(({ id }) => !answered.has(id)).map(({ id }) => id)).toEqual([]);
  });
});

async function removeAll({ results }: Page<Webhook>): Promise<void> {
  for (const { url } of results) await house.owner.delete(url);
}
