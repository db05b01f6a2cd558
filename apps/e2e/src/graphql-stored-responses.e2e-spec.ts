import { setTimeout } from 'node:timers/promises';
import type { Grant, Parameter, Project, ServiceAccountCreated, Value } from '@strata/contract';
import { useGraphQLStack } from './graphql-stack.ts';

const graphql = useGraphQLStack();

const VALUES = `query Values($project: ID!, $reveal: Boolean! = false) {
  project(id: $project) {
    name
    parameters(first: 5, reveal: $reveal) {
      problem { code }
      edges { node { name effective(environment: "production", reveal: $reveal) { value } } }
    }
  }
}`;

let project: Project;
let parameter: Parameter;
let value: Value;

beforeEach(async () => {
  project = await graphql.organization.project({ name: 'shop' });
  parameter = await graphql.organization.parameter({ project, name: 'PORT' });
  value = await graphql.organization.value({ parameter, internal_value: '80' });
  graphql.stack.upstream.length = 0;
});

const send = (authorization = graphql.organization.ownerAuthorization, variables: object = {}) =>
  graphql.stack.request(VALUES, { project: project.id, ...variables }, authorization);

const shownValue = ({ data }: Awaited<ReturnType<typeof send>>): string =>
  data.project.parameters.edges[0].node.effective.value;

/** Runs a request, and returns what the gateway sent to the core for it. */
async function recordUpstream(request: () => Promise<unknown>): Promise<readonly string[]> {
  graphql.stack.upstream.length = 0;
  await request();
  return [...graphql.stack.upstream];
}

const VALIDATION = ['POST /api/v1/batch/'];
const VALIDATION_OF_ONE = [expect.stringMatching(/^VALIDATE /)];

/** Sends a request twice and expects that both are executed. */
async function expectNotStored(request: () => Promise<unknown>): Promise<void> {
  const first = await recordUpstream(request);
  expect(await recordUpstream(request)).toEqual(first);
  expect(first).not.toEqual(VALIDATION);
}

describe('the response of a repeated query', () => {
  it('is sent from memory after one request to the core', async () => {
    const first = await send();
    expect(graphql.stack.upstream.length).toBeGreaterThan(1);

    expect(await recordUpstream(async () => expect(await send()).toEqual(first))).toEqual(VALIDATION);
  });

  it('is another one after a change', async () => {
    expect(shownValue(await send())).toBe('80');
    await graphql.organization.owner.patch(value.url, { internal_value: '81' });
    expect(shownValue(await send())).toBe('81');
  });

  it('is the same after a change elsewhere', async () => {
    const environments = () => graphql.request('{ environments(first: 5) { edges { node { name } } } }');
    const first = await environments();
    await graphql.organization.project();
    expect(await recordUpstream(async () => expect(await environments()).toEqual(first))).toEqual(VALIDATION_OF_ONE);
  });

  it('shows the present revision if the document selects it', async () => {
    const revision = async () =>
      (await graphql.request('{ environments(first: 1) { revision } }')).environments.revision;
    const first = await revision();
    expect(await recordUpstream(async () => expect(await revision()).toBe(first))).toEqual(VALIDATION_OF_ONE);

    await graphql.organization.project();
    expect(await revision()).toBe(first + 1);
  });

  it('is another one if time has changed what the core shows, although nothing was written', async () => {
    const { body: account } = await graphql.organization.owner.post<ServiceAccountCreated>('serviceaccounts/', {
      ...{ name: 'ci', role: 'VIEWER' },
    });
    const expireAt = Date.now() + 3_000;
    const rekeyed = await graphql.organization.owner.post(`${account.url}rekey/`, {
      expire_at: new Date(expireAt).toISOString(),
    });
    expect(rekeyed.status).toBeLessThan(300);
    const hasExpired = async () => {
      const { serviceAccounts } = await graphql.request(
        '{ serviceAccounts(first: 5) { edges { node { keys { hasExpired } } } } }',
      );
      return serviceAccounts.edges[0].node.keys[0].hasExpired;
    };
    expect([await hasExpired(), await hasExpired()]).toEqual([false, false]);

    await setTimeout(expireAt - Date.now() + 100);
    expect(await hasExpired()).toBe(true);
  });

  it('is never older than the request, while others write and read', async () => {
    let written = 100;
    const write = async () => {
      for (let count = 0; count < 15; count += 1) {
        await graphql.organization.owner.patch(value.url, { internal_value: String(written + 1) });
        written += 1;
      }
    };
    let isWriting = true;
    const read = async () => {
      while (isWriting) {
        const before = written;
        expect(Number(shownValue(await send()))).toBeGreaterThanOrEqual(before);
      }
    };
    await Promise.all([write().finally(() => (isWriting = false)), ...Array.from({ length: 8 }, read)]);
    expect(shownValue(await send())).toBe(String(written));
  });

  it('depends on variables, the operation and the form of the response', async () => {
    await send();
    const otherProject = await graphql.organization.project({ name: 'other' });
    expect((await send(undefined, { project: otherProject.id })).data.project.name).toBe('other');

    const query = '{ environments(first: 1) { totalCount } } '.replace('{', 'query A {');
    const twoOperations = `${query} query B { projects(first: 1) { totalCount } }`;
    const named = (operationName: string) =>
      graphql.stack.post({ query: twoOperations, operationName }, graphql.organization.ownerAuthorization);
    expect(Object.keys((await named('A')).data)).toEqual(['environments']);
    expect(Object.keys((await named('B')).data)).toEqual(['projects']);
    expect(Object.keys((await named('A')).data)).toEqual(['environments']);
  });
});

describe('a stored response', () => {
  it('belongs to one credential', async () => {
    const viewer = await graphql.organization.authorization('VIEWER');
    await graphql.organization.owner.patch(project.url, { access_controlled: true });
    expect(shownValue(await send())).toBe('80');

    const shown = await send(viewer);
    expect(shown.data.project.parameters).toEqual({ problem: { code: 'forbidden' }, edges: [] });
    expect((await send('')).errors).toMatchObject([{ extensions: { code: 'UNAUTHENTICATED' } }]);
    expect((await send('Api-Key nothing')).errors).toMatchObject([{ extensions: { code: 'UNAUTHENTICATED' } }]);
  });

  it('is not sent to a caller whose key was revoked', async () => {
    const { body: account } = await graphql.organization.owner.post<ServiceAccountCreated>('serviceaccounts/', {
      ...{ name: 'ci', role: 'VIEWER' },
    });
    const authorization = `Api-Key ${account.apikey}`;
    expect(shownValue(await send(authorization))).toBe('80');
    expect(shownValue(await send(authorization))).toBe('80');

    await graphql.organization.owner.delete(account.url);
    const { data, errors } = await send(authorization);
    expect(errors).toMatchObject([{ extensions: { code: 'UNAUTHENTICATED' } }]);
    expect(JSON.stringify(data ?? null)).not.toContain('80');
  });

  it('is not sent to a caller whose grant was deleted', async () => {
    const viewer = await graphql.organization.authorization('VIEWER');
    const { body: me } = await graphql.organization.as('VIEWER').get<{ url: string }>('users/current/');
    await graphql.organization.owner.patch(project.url, { access_controlled: true });
    const { body: grant } = await graphql.organization.owner.post<Grant>('grants/', {
      ...{ principal: me.url, scope: project.url, role: 'VIEWER' },
    });
    expect(shownValue(await send(viewer))).toBe('80');
    expect(shownValue(await send(viewer))).toBe('80');

    await graphql.organization.owner.delete(grant.url);
    expect((await send(viewer)).data.project.parameters).toEqual({ problem: { code: 'forbidden' }, edges: [] });
  });

  it('is not sent if the core cannot be reached', async () => {
    await send();
    graphql.stack.hangUps = 1_000;
    const { data, errors } = await send();
    graphql.stack.hangUps = 0;
    expect([data, errors?.[0]?.extensions.code]).toEqual([{ project: null }, 'UNAVAILABLE']);
  });
});

describe('is executed each time', () => {
  it('a query that shows a secret in clear', async () => {
    const closed = await graphql.organization.project();
    const secret = await graphql.organization.parameter({ project: closed, name: 'TOKEN', secret: true });
    await graphql.organization.value({ parameter: secret, internal_value: 'hunter2' });
    const show = async (reveal: boolean) => shownValue(await send(undefined, { project: closed.id, reveal }));
    await expectNotStored(async () => expect(await show(true)).toBe('hunter2'));

    expect(await show(false)).toBe('*****');
    expect(await recordUpstream(async () => expect(await show(false)).toBe('*****'))).toEqual(VALIDATION);
  });

  it('a query with an error', async () => {
    await expectNotStored(() =>
      graphql.stack.request(
        '{ project(id: "x") { name } other: audit(first: 1, user: "") { totalCount } }',
        {},
        graphql.organization.ownerAuthorization,
      ),
    );
  });

  it('a mutation', async () => {
    const change = `mutation ($project: ID!) { updateProject(id: $project, input: { description: "x" }) { ... on ProjectSaved { revision } } }`;
    await expectNotStored(() => graphql.request(change, { project: project.id }));
  });
});

describe('a query with GET', () => {
  const get = (headers: Record<string, string> = {}) =>
    fetch(`${graphql.stack.url}/graphql?query=${encodeURIComponent(`{ project(id: "${project.id}") { name } }`)}`, {
      headers: {
        authorization: graphql.organization.ownerAuthorization,
        'apollo-require-preflight': 'true',
        ...headers,
      },
    });

  it('returns 304 while the response is the same', async () => {
    const first = await get();
    const etag = first.headers.get('etag') ?? '';
    expect([first.status, first.headers.get('cache-control'), etag]).toEqual([
      200,
      'private, no-cache',
      expect.stringMatching(/^W\/".+"$/),
    ]);

    const same = await get({ 'if-none-match': etag });
    expect([same.status, await same.text(), same.headers.get('etag')]).toEqual([304, '', etag]);

    await graphql.organization.owner.patch(project.url, { name: 'store' });
    const changed = await get({ 'if-none-match': etag });
    expect([changed.status, ((await changed.json()) as { data: object }).data]).toEqual([
      200,
      { project: { name: 'store' } },
    ]);
  });

  it('is rejected without the header that a form cannot send, also if its response is stored', async () => {
    await get();
    expect((await get({ 'apollo-require-preflight': '' })).status).toBe(400);
  });
});
