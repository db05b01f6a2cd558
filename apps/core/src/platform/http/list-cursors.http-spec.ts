import { listCursor, OPERATIONS, type Operation, type Page } from '@strata/contract';
import { encodeListCursor } from '@strata/domain';
import {
  countCases,
  type FakeChat,
  type OwnCore,
  type RawClient,
  startCore,
  startFakeChat,
  type TestOrganization,
} from '@strata/testkit';
import fc from 'fast-check';
import { PathFixtures } from '../../testing/path-fixtures.ts';

interface Row {
  readonly id: string;
  readonly name: string;
  readonly url: string;
}

/** Search and lint have no envelope, since they do not know the total; their own specs test their cursors. */
const LISTS = OPERATIONS.filter(
  ({ method, query }) =>
    method === 'get' && query && ['page', 'page_size', 'after'].every((name) => name in query.shape),
);
const operationNamed = (id: string) => LISTS.find((operation) => operation.id === id) as Operation;

let core: OwnCore;
let chat: FakeChat;
beforeAll(async () => {
  chat = await startFakeChat();
  core = await startCore({ STRATA_SLACK_API_URL: chat.url });
});
afterAll(async () => {
  await core.close();
  await chat.close();
});

/** Reads page by page by cursor, as a client follows `next`. Runs `between` before each further page. */
async function walk<T>(
  client: RawClient,
  first: string,
  between: (rows: readonly T[]) => Promise<unknown> = async () => {},
) {
  const rows: T[] = [];
  for (let next: string | null = first; next !== null; ) {
    const response: { status: number; body: Page<T> } = await client.get<Page<T>>(next);
    expect(response.status).toBe(200);
    expect(response.body.previous).toBeNull();
    rows.push(...response.body.results);
    next = response.body.next;
    if (next !== null) await between(rows);
  }
  return rows;
}

/** Adds one more row to a list below an object, if the fixture has one. */
async function addTo(client: RawClient, path: string): Promise<void> {
  const [, parentPath = '', noun = ''] = /^(.*\/)([a-z]+)\/$/.exec(path) ?? [];
  const rows: Readonly<Record<string, readonly [string, object]>> = {
    tags: [path, { name: 'one-more' }],
    templates: [path, { name: 'one more', body: '' }],
    parameters: [path, { name: 'one more' }],
    duality: [parentPath, { name: 'one more' }],
    matrix: [`${parentPath}parameters/`, { name: 'one more' }],
    explain: [path.includes('/access/') ? 'serviceaccounts/' : `${parentPath}parameters/`, { name: 'one more' }],
    values: [path, { environment: (await client.get<Page<Row>>('environments/?name=production')).body.results[0]?.id }],
    rules: [path, { type: 'max_len', constraint: '9' }],
    tasks: [`${parentPath}sync/`, {}],
    deliveries: [`${parentPath}test/`, {}],
  };
  if (path.includes('/types/') && noun === 'parameters') return addUse(client, parentPath);
  const row = rows[noun];
  if (row && path.split('/').length > 5) expect((await client.post(...row)).status).toBeLessThan(300);
}

/** Creates a parameter that has a type. */
async function addUse(client: RawClient, ofType: string): Promise<void> {
  const { body: type } = await client.get<Row>(ofType);
  const { body: project } = await client.post<Row>('projects/', { name: `uses ${type.id}` });
  const createResponse = await client.post(`${project.url}parameters/`, { name: 'one-more', type: type.name });
  expect(createResponse.status).toBe(201);
}

/**
 * Returns the smallest number of rows of a list in these fixtures: a run has one step, only the service creates pulls,
 * no push reaches a parameter, and one value differs.
 */
function leastRows(path: string): number {
  // A push has keys only if it reaches a store (`decisions.http-spec.ts` reads pages of them).
  // No right is old enough to be unused.
  if (/\/(environments|parameters)\/\{\w+\}\/pushes|\/keys\/|\/unused\//.test(path)) return 0;
  return /steps|pushes|pulls|compare|types\/\{\w+\}\/parameters/.test(path) ? 1 : 2;
}

describe('every list', () => {
  let organization: TestOrganization;
  let locations: PathFixtures;
  beforeAll(async () => {
    organization = await core.organization();
    locations = new PathFixtures(core, organization);
  });

  it.each(LISTS.map(({ id }) => id))('%s returns the same rows by cursor as in one page', async (id) => {
    const operation = operationNamed(id);
    for (let count = 0; count < 2; count += 1) await locations.of({ ...operation, path: `${operation.path}{id}/` });
    const { path, client } = await locations.of(operation);
    await addTo(client, path);

    // compare requires two sides, and an explanation of access a project
    const project = (await organization.project()).id;
    const sides =
      { projects_compare_list: `left=default&right_project=${project}&`, access_explain_list: `project=${project}&` }[
        id
      ] ?? '';
    const { body: whole } = await client.get<Page<object>>(`${path}?${sides}`);
    expect(whole.count).toBeGreaterThanOrEqual(leastRows(operation.path));
    expect(await walk(client, `${path}?${sides}after=start&page_size=1`)).toEqual(whole.results);

    for (const [index, row] of whole.results.entries()) {
      const cursor = listCursor(operation, path, row);
      if (cursor === null) continue;
      const { body: rest } = await client.get<Page<object>>(`${path}?${sides}after=${cursor}`);
      // all other members of the envelope are the same on every page
      expect(rest).toEqual({ ...whole, next: null, previous: null, results: whole.results.slice(index + 1) });
    }
  });
});

describe('reading a list by cursor', () => {
  /** Two lists of each kind: one that SQL pages, and one that is paged in memory. */
  const KINDS = ['environments', 'parameters'] as const;
  async function createList(kind: (typeof KINDS)[number]) {
    const organization = await core.organization();
    const { owner } = organization;
    const path = kind === 'environments' ? 'environments/' : `${(await organization.project()).url}parameters/`;
    const make = async (name: string) => {
      const createResponse = await owner.post<Row>(path, { name });
      expect([201, 400]).toContain(createResponse.status);
    };
    const remove = async ({ url }: Row) => expect((await owner.delete(url)).status).toBe(204);
    const all = async () => (await owner.get<Page<Row>>(path)).body.results;
    return { owner, path, make, remove, all };
  }

  it.each(KINDS)(
    'returns each of the %s that are never deleted exactly once, while others are created and deleted',
    async (kind) => {
      const names = fc.string({ unit: fc.constantFrom(...'aAbB-_.9'), minLength: 1, maxLength: 4 });
      const plans = fc.record({
        before: fc.uniqueArray(names, { minLength: 3, maxLength: 7 }),
        size: fc.integer({ min: 1, max: 3 }),
        deeds: fc.array(fc.record({ makes: names, deletes: fc.nat(20), deletesLastSeen: fc.boolean() }), {
          maxLength: 4,
        }),
      });
      await fc.assert(
        fc.asyncProperty(plans, async ({ before, size, deeds: actions }) => {
          const { owner, path, make, remove, all } = await createList(kind);
          for (const name of before) await make(name);
          const atFirst = await all();
          const left = [...actions];
          const walked = await walk<Row>(owner, `${path}?after=start&page_size=${size}`, async (rows) => {
            const action = left.shift();
            if (!action) return;
            await make(action.makes);
            const there = (await all()).filter(({ name }) => name !== 'default');
            const victim = action.deletesLastSeen
              ? there.find(({ id }) => id === rows.at(-1)?.id)
              : there[action.deletes % there.length];
            if (victim) await remove(victim);
          });
          const atLast = new Set((await all()).map(({ id }) => id));
          const ids = walked.map(({ id }) => id);
          expect(new Set(ids).size).toBe(ids.length);
          const stayed = atFirst.filter(({ id }) => atLast.has(id)).map(({ id }) => id);
          expect(ids.filter((id) => stayed.includes(id))).toEqual(stayed);
        }),
        { numRuns: countCases(12) },
      );
    },
  );

  it('continues by name, although an exact match is listed first among the types that contain the name', async () => {
    const { owner } = await core.organization();
    for (const name of ['a-string', 'strings', 'my string'])
      await owner.post('types/', { name, parent: await stringType(owner) });
    const path = 'types/?name__icontains=String';
    const { body: whole } = await owner.get<Page<Row>>(path);
    expect(whole.results[0]?.name).toBe('string');
    expect(await walk(owner, `${path}&after=start&page_size=1`)).toEqual(whole.results);
  });

  it('lists people without a name last', async () => {
    const organization = await core.organization();
    const locations = new PathFixtures(core, organization);
    for (let count = 0; count < 2; count += 1) await locations.serviceAccount();
    const { body: whole } = await organization.owner.get<Page<Row>>('users/');
    expect(await walk(organization.owner, 'users/?after=start&page_size=1')).toEqual(whole.results);
  });
});

describe('a cursor', () => {
  it.each`
    why                     | query                                 | says
    ${'with a page'}        | ${'after=start&page=2'}               | ${'Set after or page, not both.'}
    ${'with another order'} | ${'after=start&ordering=-created_at'} | ${'Cursors require the default ordering'}
  `('$why returns 400', async ({ query, says }) => {
    const { owner } = await core.organization();
    const response = await owner.get(`environments/?${query}`);
    expect(response).toMatchObject({ status: 400, body: { detail: expect.stringContaining(says) } });
  });

  it.each`
    why                                  | query                                                         | says
    ${'in the wrong format'}             | ${'after=zzz'}                                                | ${'not a cursor of this list'}
    ${'of another list'}                 | ${`after=${encodeCursor('projects/')}`}                       | ${'not a cursor of this list'}
    ${'of a feed'}                       | ${'after=c1.0b9f4c5e1f5a4f0e8a436f1f4f3b2a10.c.0.4d37365b'}   | ${'not a cursor of this list'}
    ${'with a malformed id'}             | ${`after=${encodeCursor('environments/', ['a', 'b'])}`}       | ${'not a cursor of this list'}
    ${'with too few parts'}              | ${`after=${encodeCursor('environments/', ['a'])}`}            | ${'not a cursor of this list'}
    ${'with a text no name can contain'} | ${`after=${encodeCursor('environments/', ['\0', ID()])}`}     | ${'not a cursor of this list'}
    ${'with half a surrogate pair'}      | ${`after=${encodeCursor('environments/', ['\ud800', ID()])}`} | ${'not a cursor of this list'}
  `('$why is rejected with 400', async ({ query, says }) => {
    const { owner } = await core.organization();
    const response = await owner.get(`environments/?${query}`);
    expect(response).toMatchObject({ status: 400, body: { after: [expect.stringContaining(says)] } });
  });

  it('of one project is rejected by the lists of another one', async () => {
    const organization = await core.organization();
    const [firstProject, secondProject] = [
      await organization.project({ name: 'one' }),
      await organization.project({ name: 'two' }),
    ];
    await organization.parameter({ project: firstProject, name: 'a' });
    const path = `${firstProject.url}parameters/`;
    const { body } = await organization.owner.get<Page<Row>>(path);
    const cursor = listCursor(operationNamed('projects_parameters_list'), path, body.results[0] ?? {});

    const ownPage = await organization.owner.get(`${path}?after=${cursor}`);
    const foreign = await organization.owner.get(`${secondProject.url}parameters/?after=${cursor}`);

    expect([ownPage.status, foreign.status]).toEqual([200, 400]);
  });

  it.each(['audit/', 'memberships/', 'types/?name__icontains=a', 'grants/', 'webhooks/'])(
    'that a client invents for %s is rejected, and never causes a server error',
    async (path) => {
      const { owner } = await core.organization();
      for (const key of [['x'], ['x', 'y'], [null], [null, null], ['a', ID()], [ID()], ['', '', '']]) {
        const response = await owner.get(`${path}${path.includes('?') ? '&' : '?'}after=${encodeCursor(path, key)}`);
        expect([200, 400]).toContain(response.status);
      }
    },
  );
});

function ID(): string {
  return '00000000-0000-4000-8000-000000000000';
}

function encodeCursor(path: string, key: readonly (string | null)[] = ['a', ID()]): string {
  return encodeListCursor(path, key);
}

async function stringType(owner: RawClient): Promise<string> {
  return (await owner.get<Page<Row>>('types/?name=string')).body.results[0]?.url ?? '';
}
