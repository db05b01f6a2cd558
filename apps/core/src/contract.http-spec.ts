import { OPERATIONS, type Operation, type Page } from '@strata/contract';
import { roleIncludes } from '@strata/domain';
import {
  contract,
  createInvalidSamples,
  createInvalidTexts,
  type FakeChat,
  pickSample,
  RawClient,
  type Reply,
  startFakeChat,
  type TestOrganization,
} from '@strata/testkit';
import { type CoreInProcess, startCoreInProcess } from './testing/core-in-process.ts';
import { type PathFixture, PathFixtures } from './testing/path-fixtures.ts';
import { query } from './testing/query.ts';
import { buildBody, buildEmptyBody, buildFullQueries, buildLeastQuery, findInputs } from './testing/request-samples.ts';
import { findTablesWithoutOrganization } from './testing/tenant-conditions.ts';

/**
 * Sends requests to every operation: with the required inputs only, with all inputs, with one invalid input at a time,
 * without a credential, as a VIEWER, and for objects that do not exist. The inputs are generated from v1.json and from
 * our own description of the API. The client compares each response with the description.
 */
let core: CoreInProcess;
let chat: FakeChat;
let organization: TestOrganization;
let fixtures: PathFixtures;
const NOWHERE = '00000000-0000-4000-8000-000000000000';

beforeAll(async () => {
  chat = await startFakeChat();
  core = await startCoreInProcess({
    STRATA_SLACK_API_URL: chat.url,
    STRATA_WORKLOAD_ISSUERS: 'https://workloads.example',
    STRATA_CHECKPOINT_KEY: Buffer.alloc(32, 'checkpoint').toString('base64'),
  });
  core.statements();
  organization = await core.organization();
  fixtures = new PathFixtures(core, organization);
  for (const name of ['default', 'production']) {
    const { url } = await organization.environmentNamed(name);
    // in the far future, so that every fixture exists at the time of the tag
    await organization.owner.post(`${url}tags/`, { name: 'release', timestamp: '2099-01-01T00:00:00Z' });
  }
});
afterAll(async () => {
  const total = [...countByStatus.values()].reduce((sum, count) => sum + count, 0);
  const kinds = [...countByStatus].map(([kind, count]) => `${count} ${kind}`).join(', ');
  process.stdout.write(`contract: ${OPERATIONS.length} operations, ${total} answers checked: ${kinds}\n`);
  await core.close();
  await chat.close();
});

/** Statements that find a person's credential before its organization is known, or that serve all organizations of a person. */
const CREDENTIAL_STATEMENTS = [
  ['session', 'select requester.n::int, membership.role,'],
  ['session, api_key', 'select session.secret_hmac,'],
  ['session', 'with expired as ( delete from session'],
  ['session', 'update session set last_used_at'],
  ['session', 'select id, method, provider,'],
  ['session', 'delete from session where id = $1 and person_id = $2'],
  ['membership', 'select organization_id from membership where person_id = $1'],
  ['membership', 'delete from person where id = $1'],
  ['membership', 'with gone as (delete from membership where organization_id = $1'],
  ['invitation', 'select invitation.id, invitation.organization_id,'],
] as const;

const TENANT_TABLES = `
select table_name as name from information_schema.columns where table_schema = 'public' and column_name = 'organization_id'`;

/** The number of checked responses by kind of request. */
const countByStatus = new Map<string, number>();

interface SampleRequest {
  readonly client: RawClient;
  readonly path: string;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

/**
 * Sends a request. The client compares the response with the description. The status must be one of those that the
 * operation describes.
 */
async function send(
  kind: string,
  operation: Operation,
  { client, path, query = {}, body }: SampleRequest,
): Promise<Reply> {
  const parameters = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
  const target = parameters.size === 0 ? path : `${path}?${parameters}`;
  const response = await client.send(operation.method.toUpperCase(), target, { body });
  countByStatus.set(kind, (countByStatus.get(kind) ?? 0) + 1);
  if (findInputs(operation).statuses.has(response.status)) return response;
  throw new Error(`${operation.id} is not described with ${response.status}: ${response.text}`);
}

/** Sends a request that must succeed. */
async function succeed(kind: string, operation: Operation, request: SampleRequest): Promise<Reply> {
  const response = await send(kind, operation, request);
  const { status } = operation;
  expect([response.status, response.status === status ? '' : response.text, request.query]).toEqual([
    status,
    '',
    request.query,
  ]);
  return response;
}

/** Operations that read share a fixture. Operations that delete or use up an object get a new one each. */
const fixturesByKey = new Map<string, Promise<PathFixture>>();
function sharedFixture(operation: Operation): Promise<PathFixture> {
  const { id, method, path } = operation;
  if (isUsedUp(operation)) return fixtures.of(operation);
  const key = method === 'get' ? path : id;
  const fixture = fixturesByKey.get(key) ?? fixtures.of(operation);
  fixturesByKey.set(key, fixture);
  return fixture;
}
const isUsedUp = ({ id, method }: Operation) =>
  method === 'delete' ||
  /^access_requests_(approve|decline|revoke)_create$/.test(id) ||
  ['invitations_accept_create', 'users_current_password_create'].includes(id);

/** Returns the row of a list with the most members, so that filters can match it; no members if the operation is no list. */
async function fullestRow({ method, query }: Operation, { client, path }: PathFixture) {
  if (method !== 'get' || !query?.shape.page) return {};
  const { body } = await client.get<Partial<Page<Record<string, unknown>>>>(`${path}?page_size=20`);
  const countMembers = (row: object) => Object.values(row).filter((value) => value !== null).length;
  // a list that requires further arguments returns no items here
  return (body.results ?? []).toSorted((a, b) => countMembers(b) - countMembers(a))[0] ?? {};
}

const FULL_TILES = /^audit_log_tile_(long_)?retrieve$/;
/** Lists that return no rows if every filter is set: no record has all of these members, and pushes have keys only with a store. */
const EMPTY_WITH_ALL_FILTERS = /^audit_list$|^integrations_all_list$|_steps_list$|_keys_list$/;

const rows = (operations: readonly Operation[]) => operations.map((operation) => [operation.id, operation] as const);
/**
 * All operations except those with specs of their own: the responses of streams need not end (`feed.http-spec.ts`,
 * `audit-stream.http-spec.ts`), an exchange needs the token of an issuer (`provider-sign-in.http-spec.ts`), a dismissal
 * needs an instance that no longer reports (`rotations.http-spec.ts`), and full tiles a long audit (`audit-log.http-spec.ts`).
 */
const ENDING = OPERATIONS.filter(
  ({ id }) =>
    !id.endsWith('_stream') &&
    !['auth_exchange_create', 'rotations_dismiss_create'].includes(id) &&
    !FULL_TILES.test(id),
);

describe('the operation', () => {
  it.each(rows(ENDING))('%s succeeds with only its required inputs', async (_, operation) => {
    const fixture = await sharedFixture(operation);
    const context = { operation, fixture, fixtures, size: 'least' } as const;
    await succeed('minimal', operation, {
      ...fixture,
      query: await buildLeastQuery(context),
      body: await buildBody(context),
    });
    const empty = await buildEmptyBody(context);
    if (empty) await succeed('empty', operation, { ...fixture, query: await buildLeastQuery(context), body: empty });

    expect(contract.findOperationId(operation.method.toUpperCase(), fixture.path)).toBe(operation.id);
  });

  it.each(rows(ENDING))('%s succeeds with all of its inputs', async (_, operation) => {
    const fixture = await sharedFixture(operation);
    const first = await fullestRow(operation, fixture);
    const context = { operation, fixture, fixtures, size: 'most', first } as const;
    const { possible, impossible } = await buildFullQueries(context);
    for (const query of possible) {
      const there = possible.length > 1 && isUsedUp(operation) ? await sharedFixture(operation) : fixture;
      const { body } = await succeed('maximal', operation, { ...there, query, body: await buildBody(context) });
      const mustFit = first.id !== undefined && !EMPTY_WITH_ALL_FILTERS.test(operation.id) && !('difference' in query);
      if (mustFit) expect([query, (body as Page<object>).results.length]).not.toEqual([query, 0]);
    }
    for (const query of impossible) {
      const response = await send('contradictory', operation, { ...fixture, query, body: await buildBody(context) });
      expect(response).toMatchObject({ status: 400, body: { detail: expect.any(String) } });
    }
  });

  it.each(rows(OPERATIONS))(
    '%s rejects each invalid input, names it in the error, and stores nothing',
    async (_, operation) => {
      const fixture = await sharedFixture(operation);
      const context = { operation, fixture, fixtures, size: 'least' } as const;
      const [query, body] = [await buildLeastQuery(context), await buildBody(context)];
      const before = await fixtures.revision();

      const responses = await Promise.all(
        pickSample(wrongRequests(operation, query, body)).map(async ({ wrong, name, expected, ...request }) => {
          const response = await send('invalid', operation, { ...fixture, ...request });
          // an error in the shape of another protocol does not name the member
          const named = response.status !== 400 || operation.protocol || name in (response.body as object);
          return [name, wrong, response.status, response.status === expected && named ? '' : response.text, expected];
        }),
      );

      expect(responses.filter(([, , , trouble]) => trouble !== '')).toEqual([]);
      expect(await fixtures.revision()).toBe(before);
    },
  );

  const taking = OPERATIONS.filter(({ body, bodyOptional }) => body && !bodyOptional);
  it.each(rows(taking))('%s rejects a body that is not an object', async (_, operation) => {
    const fixture = await sharedFixture(operation);
    for (const body of ['[]', '7', '"x"', '{"name":']) {
      expect(await send('invalid', operation, { ...fixture, body })).toMatchObject({
        status: 400,
        body: expect.anything(),
      });
    }
  });

  const guarded = OPERATIONS.filter(({ requires }) => requires !== 'nothing');
  it.each(rows(guarded))(
    '%s rejects requests without a credential and requests of an insufficient role',
    async (_, operation) => {
      const path = operation.path.replace(/\{\w+\}/g, NOWHERE);
      const body = operation.body ? {} : undefined;
      const anonymousResponse = await send('forbidden', operation, {
        client: new RawClient(core.origin, null),
        path,
        body,
      });
      expect(anonymousResponse).toMatchObject({ status: 401, body: { detail: expect.any(String) } });
      const { requires } = operation;
      if (requires === 'nothing' || roleIncludes('VIEWER', requires)) return;
      const viewer = await send('forbidden', operation, { client: organization.as('VIEWER'), path, body });
      expect(viewer).toMatchObject({ status: 403, body: { detail: expect.any(String) } });
    },
  );

  it.each(rows(OPERATIONS.filter(({ path }) => path.includes('{'))))(
    '%s returns 404 for objects that do not exist',
    async (_, operation) => {
      const fixture = { path: operation.path.replace(/\{\w+\}/g, NOWHERE), client: organization.owner, values: {} };
      const context = { operation, fixture, fixtures, size: 'least' } as const;
      const request = { ...fixture, query: await buildLeastQuery(context), body: await buildBody(context) };
      expect(await send('missing', operation, request)).toMatchObject({
        status: 404,
        body: { detail: expect.any(String) },
      });
    },
  );
});

describe('a database that could be distributed by organization', () => {
  it('gets only statements that compare the organization, except for people and their credentials', async () => {
    const tenants = await query<{ name: string }>(core, TENANT_TABLES);
    const tenantTables = new Set(tenants.map(({ name }) => name));
    const statements = [...new Set(core.statements())];
    const otherStatements: string[] = [];
    for (const text of statements) {
      const foundTables = await findTablesWithoutOrganization(text, tenantTables);
      const isException = CREDENTIAL_STATEMENTS.some(([tables, beginning]) => {
        const areExpected = foundTables.every((table) => tables.includes(table));
        return areExpected && text.replace(/\s+/g, ' ').trim().startsWith(beginning);
      });
      if (foundTables.length > 0 && !isException) otherStatements.push(`${foundTables.join(', ')}: ${text}`);
    }

    expect(statements.length).toBeGreaterThan(300);
    expect(otherStatements).toEqual([]);
  });
});

type Words = Readonly<Record<string, unknown>>;

/**
 * The status of the response to an invalid query parameter that old clients may send (behaviour.md §1.1, §1.6, §1.7).
 */
const OTHERWISE: Readonly<Record<string, number>> = {
  page: 404,
  page_size: 200,
  ordering: 200,
  include: 200,
  exclude: 200,
  lang: 200,
};

/** Old clients may send unknown words in `include`, except to these reads, which they do not know. */
const EXACT_CHOICES = ['effective_list include', 'projects_explain_list include', 'lint_list include'];
const statusOfWrong = ({ id }: Operation, name: string): number =>
  EXACT_CHOICES.includes(`${id} ${name}`) ? 400 : (OTHERWISE[name] ?? 400);

/** Returns the smallest valid request with one error in it, for each member and each kind of error. */
function wrongRequests(operation: Operation, query: Words, body: Words | undefined) {
  const inputs = findInputs(operation);
  const fields = inputs.body?.filter(({ ignored }) => !ignored) ?? [];
  return [
    ...fields.flatMap((field) =>
      createInvalidSamples(field).map((wrong) => {
        const { name } = field;
        return { name, wrong, expected: 400, query, body: { ...body, [name]: wrong } };
      }),
    ),
    ...inputs.query.flatMap((field) =>
      [...createInvalidTexts(field), ...(field.name === 'page' ? ['99'] : [])].map((wrong) => {
        const { name } = field;
        return { name, wrong, expected: statusOfWrong(operation, name), query: { ...query, [name]: wrong }, body };
      }),
    ),
  ];
}
