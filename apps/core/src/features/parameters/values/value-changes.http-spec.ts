import type { Page, Value } from '@strata/contract';
import { ledgerProblems, RawClient, type Reply, type TestOrganization } from '@strata/testkit';
import pg from 'pg';
import { type CoreInProcess, startCoreInProcess, startSecondCore } from '../../../testing/core-in-process.ts';
import { query } from '../../../testing/query.ts';

/** Two cores that write to the same organizations. */
let first: CoreInProcess;
let second: CoreInProcess;
beforeAll(async () => {
  first = await startCoreInProcess();
  second = await startSecondCore(first);
});
afterAll(async () => {
  await second.close();
  await first.close();
});

interface Fixture {
  readonly organization: TestOrganization;
  readonly parameter: { readonly url: string; readonly name: string };
  readonly values: readonly [Value, Value];
  /** A client of the second core. */
  readonly elsewhere: RawClient;
  /** Writes the first value, or the given one, through the first core. */
  write(text: string, url?: string): Promise<Reply<Value>>;
}

/** Creates a parameter with two values that the first core has just changed. */
async function fixture(input: object = {}): Promise<Fixture> {
  const organization = await first.organization();
  const parameter = await organization.parameter({ name: 'known', ...input });
  const production = await organization.environmentNamed('production');
  const values = [
    await organization.value({ parameter, internal_value: '1' }),
    await organization.value({ parameter, internal_value: '2', environment: production }),
  ] as const;
  const write = (text: string, url = values[0].url) => organization.owner.patch<Value>(url, { internal_value: text });
  expect((await write('3')).status).toBe(200);
  const otherClient = new RawClient(second.origin, organization.ownerAuthorization);
  return { organization, parameter, values, elsewhere: otherClient, write };
}

const texts = (count: number) => Array.from({ length: count }, (_, n) => `text ${n}`);

describe('parallel changes of values', () => {
  it('are batched: there are fewer commits than changes, each with its own revision and response', async () => {
    const { organization, values } = await fixture();
    const changeable = [...values, ...(await manyValues(organization, 6))];
    first.statements();
    const responses = await Promise.all(
      texts(64).map((text, n) =>
        organization.owner.patch<Value>(changeable[n % 8]?.url ?? '', { internal_value: text }),
      ),
    );
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200));
    const commits = first.statements().filter((text) => text === 'commit').length;
    expect(commits).toBeLessThan(8);
    const revisions = responses.map(({ headers }) => Number(headers['x-revision'])).sort((a, b) => a - b);
    expect(revisions).toEqual(revisions.map((_, n) => (revisions[0] ?? 0) + n));
    expect(responses.map(({ body }) => body.value)).toEqual(texts(64));
    expect(new Set(responses.map(({ body }) => body.modified_at)).size).toBe(64);
  });

  it('are listed separately in the history, in the order of their revisions', async () => {
    const { organization, values } = await fixture();
    const responses = await Promise.all(
      texts(20).map((text, n) =>
        organization.owner.patch<Value>((values[n % 2] as Value).url, { internal_value: text }),
      ),
    );
    for (const { body, headers } of responses) {
      const then = await organization.owner.get<Value>(`${body.url}?revision=${headers['x-revision']}`);
      expect(then.body).toEqual(body);
    }
    const last = Number(responses.at(-1)?.headers['x-revision']);
    const { body } =
      await organization.owner.get<Page<{ revision: number; object_type: string }>>('audit/?page_size=20');
    expect(body.results.map(({ object_type: type }) => type)).toEqual(responses.map(() => 'Value'));
    expect(last).toBe(Math.max(...responses.map(({ headers }) => Number(headers['x-revision']))));
    expect(await ledgerProblems(first.database.url)).toEqual([]);
  });

  it.each([{}, { secret: true }])('of one value each see the previous one: %j', async (input) => {
    const { organization, values } = await fixture(input);
    const [{ url }] = values;
    const responses = await Promise.all(
      texts(24).map((text, n) =>
        organization.owner.patch<Value>(url, n % 3 === 2 ? { interpolated: false } : { internal_value: text }),
      ),
    );
    for (const { body, headers, status } of responses) {
      const then = await organization.owner.get<Value>(`${url}?revision=${headers['x-revision']}`);
      expect([status, body]).toEqual([200, then.body]);
    }
    const currentResponse = await organization.owner.get<Value>(url);
    const revisions = responses.map(({ headers }) => Number(headers['x-revision']));
    expect(Number(currentResponse.headers['x-revision'])).toBe(Math.max(...revisions));
    expect(new Set(revisions).size).toBe(16);
    expect(await ledgerProblems(first.database.url)).toEqual([]);
  });

  it('are all rejected soon if the organization is locked', async () => {
    const { organization, values } = await fixture();
    const many = [...values, ...(await manyValues(organization, 6))];
    const holder = new pg.Client({ connectionString: first.database.url });
    await holder.connect();
    await holder.query('begin');
    await holder.query('select from organization_head where organization_id = $1 for update', [organization.id]);
    first.statements();
    try {
      const responses = await Promise.all(
        many.map(({ url }) => organization.owner.patch(url, { internal_value: 'x' })),
      );
      expect(responses.map(({ status }) => status)).toEqual(many.map(() => 503));
      expect(new Set(responses.map(({ headers }) => headers['x-error-code']))).toEqual(new Set(['contention']));
      expect(first.statements().filter((text) => text.includes('for update')).length).toBeLessThanOrEqual(2);
    } finally {
      await holder.query('rollback');
      await holder.end();
    }
    expect((await organization.owner.patch(values[0].url, { internal_value: 'x' })).status).toBe(200);
  });

  it('are rejected one by one, so that an invalid one does not affect the others', async () => {
    const { organization, values } = await fixture({ type: 'integer' });
    const more = await manyValues(organization, 4);
    const responses = await Promise.all([
      ...more.map(({ url }) => organization.owner.patch(url, { internal_value: 'fine' })),
      organization.owner.patch(values[0].url, { internal_value: 'no number' }),
      organization.owner.patch(values[1].url, { internal_value: '12' }),
      organization.owner.patch(values[1].url.replace(/[^/]+\/$/, `${organization.id}/`), { internal_value: '1' }),
      organization.as('VIEWER').patch(values[1].url, { internal_value: '13' }),
    ]);
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 400, 200, 404, 403]);
    expect((await organization.owner.get<Value>(values[1].url)).body.value).toBe('12');
  });

  it('do not affect each other if the database rejects one of them at commit', async () => {
    const { organization } = await fixture();
    const values = await manyValues(organization, 6);
    await rejectText(organization.id, 'poison');
    try {
      const responses = await Promise.all(
        values.map(({ url }, n) =>
          organization.owner.patch<Value>(url, { internal_value: n === 3 ? 'poison' : 'good' }),
        ),
      );
      expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 500, 200, 200]);
      const read = await Promise.all(values.map(({ url }) => organization.owner.get<Value>(url)));
      expect(read.map(({ body }) => body.value)).toEqual(['good', 'good', 'good', 'text', 'good', 'good']);
      expect(await ledgerProblems(first.database.url)).toEqual([]);
    } finally {
      await query(first, 'alter table value drop constraint strata_test_error', []);
    }
  });
});

/** Makes the database reject this text at commit, as deferred constraints do. */
async function rejectText(organizationId: string, text: string): Promise<void> {
  await query(
    first,
    `alter table value add constraint strata_test_error check (organization_id <> '${organizationId}' or text is distinct from '${text}')`,
    [],
  );
}

function manyValues(organization: TestOrganization, count: number): Promise<Value[]> {
  return Promise.all(
    Array.from({ length: count }, async (_, n) =>
      organization.value({ parameter: await organization.parameter({ name: `many${n}` }), internal_value: 'text' }),
    ),
  );
}

describe('a change right after another one of the same parameter', () => {
  it('is returned, recorded and read like any other change', async () => {
    const { organization, parameter, values, write } = await fixture();
    const changeResponse = await write('set', values[1].url);
    const read = await organization.owner.get<Value>(values[1].url);
    expect(changeResponse.body).toEqual(read.body);
    expect(read.body).toMatchObject({ value: 'set', internal_value: 'set' });
    expect(changeResponse.headers['x-revision']).toBe(read.headers['x-revision']);
    const { body } = await organization.owner.get<Page<{ action: string; object_name: string }>>('audit/?page_size=1');
    expect(body.results).toMatchObject([{ action: 'update', object_type: 'Value', object_name: parameter.name }]);
  });

  it('is encrypted if the parameter is secret', async () => {
    const { values, write, organization } = await fixture({ secret: true });
    expect((await write('whispered', values[1].url)).body).toMatchObject({ secret: true, value: 'whispered' });
    expect((await write('again', values[1].url)).body).toMatchObject({ value: 'again' });
    const rows = await query(first, `select text from value where organization_id = $1`, [organization.id]);
    expect(rows).toEqual([{ text: null }, { text: null }]);
  });

  it('is validated against type and rules', async () => {
    const { values, write } = await fixture({ type: 'integer' });
    expect((await write('many', values[1].url)).status).toBe(400);
    expect((await write('12', values[1].url)).status).toBe(200);
  });
});

describe('permissions and preconditions are checked for each change, which is rejected', () => {
  it('without write access to its project or its environment', async () => {
    const { organization, parameter, values } = await fixture();
    const contributor = organization.as('CONTRIB');
    const project = parameter.url.replace(/parameters\/.*$/, '');
    expect((await contributor.patch(values[1].url, { internal_value: 'mine' })).status).toBe(200);
    expect((await organization.owner.patch(project, { access_controlled: true })).status).toBe(200);
    expect((await contributor.patch(values[1].url, { internal_value: 'mine again' })).status).toBe(403);
    expect((await organization.owner.patch(values[0].url, { internal_value: 'ours' })).status).toBe(200);
    expect((await contributor.patch(values[1].url, { internal_value: 'mine again' })).status).toBe(403);
    expect((await organization.as('VIEWER').patch(values[1].url, { internal_value: 'seen' })).status).toBe(403);
  });

  it('from another organization, or with the path of another project or parameter', async () => {
    const { values, parameter } = await fixture();
    const otherFixture = await fixture();
    const outsider = otherFixture.organization.owner;
    expect((await outsider.patch(values[1].url, { internal_value: 'theirs' })).status).toBe(404);
    const otherToken = values[1].url.replace(parameter.url, otherFixture.parameter.url);
    expect((await outsider.patch(otherToken, { internal_value: 'theirs' })).status).toBe(404);
  });

  it('with a stale precondition', async () => {
    const { organization, values } = await fixture();
    const { headers } = await organization.owner.get(values[1].url);
    const seen = { 'if-match': headers.etag ?? '' };
    expect((await organization.owner.patch(values[1].url, { internal_value: 'a' }, seen)).status).toBe(200);
    expect((await organization.owner.patch(values[1].url, { internal_value: 'b' }, seen)).status).toBe(412);
  });
});

describe('a change', () => {
  it('that is sent twice with the same idempotency key is made once', async () => {
    const { organization, values } = await fixture();
    const named = { 'idempotency-key': 'one-change-0000-0001' };
    const once = await organization.owner.patch<Value>(values[1].url, { internal_value: 'named' }, named);
    const repeatedResponse = await organization.owner.patch<Value>(values[1].url, { internal_value: 'named' }, named);
    expect([once.status, repeatedResponse.status]).toEqual([200, 200]);
    expect(repeatedResponse.headers['x-revision']).toBe(once.headers['x-revision']);
  });

  it('is validated by the rules that this core changed a moment ago', async () => {
    const { organization, parameter, values, write } = await fixture();
    await organization.owner.patch(parameter.url, { name: 'renamed', type: 'integer' });
    expect((await write('text', values[1].url)).status).toBe(400);
    expect((await write('4', values[1].url)).status).toBe(200);
    expect((await write('five')).status).toBe(400);
  });
});

describe('after a change that another core made', () => {
  it('a new rule applies, and no longer applies after its deletion', async () => {
    const { parameter, write, elsewhere } = await fixture();
    const rule = await elsewhere.post<{ url: string }>(`${parameter.url}rules/`, { type: 'max_len', constraint: '3' });
    expect((await write('four')).status).toBe(400);
    await elsewhere.delete(rule.body.url);
    expect((await write('four')).status).toBe(200);
  });

  it('a new name appears in the response', async () => {
    const { organization, parameter, write, elsewhere } = await fixture();
    expect((await elsewhere.patch(parameter.url, { name: 'renamed' })).status).toBe(200);
    expect((await write('4')).status).toBe(200);
    const { body } = await organization.owner.get<Page<object>>('audit/?page_size=1');
    expect(body.results).toMatchObject([{ object_type: 'Value', object_name: 'renamed' }]);
  });

  it('the next change is compared with the new text', async () => {
    const { organization, values, write, elsewhere } = await fixture();
    await elsewhere.patch(values[0].url, { internal_value: 'theirs' });
    const back = await write('3');
    expect(back.body).toMatchObject({ value: '3' });
    expect((await organization.owner.get<Value>(values[0].url)).body).toEqual(back.body);
  });

  it('a deleted value returns 404', async () => {
    const { values, write, elsewhere } = await fixture();
    await elsewhere.delete(values[1].url);
    expect((await write('4', values[1].url)).status).toBe(404);
    expect((await write('4')).status).toBe(200);
  });

  it('a dynamic value that now refers to the name is validated', async () => {
    const { organization, write, elsewhere, parameter } = await fixture();
    const parameters = parameter.url.replace(/[^/]+\/$/, '');
    const dependent = await elsewhere.post<{ url: string }>(parameters, {
      name: 'twice',
      type: 'integer',
    });
    const { url: environment } = await organization.environmentNamed('default');
    const input = { environment, internal_value: `{{ ${parameter.name} }}`, interpolated: true };
    expect(await elsewhere.post(`${dependent.body.url}values/`, input)).toMatchObject({ status: 201 });
    const response = await write('none');
    expect(response.headers['x-error-code']).toBe('dependent_values');
    expect((await write('5')).status).toBe(200);
  });

  it('maintenance rejects writes until it ends', async () => {
    const { organization, write } = await fixture();
    const set = (on: boolean) =>
      query(first, 'update organization set maintenance = $2 where id = $1', [organization.id, on]);
    await set(true);
    expect((await write('4')).headers['x-error-code']).toBe('maintenance');
    await set(false);
    expect((await write('4')).status).toBe(200);
  });

  it('a replaced history is not mistaken for the former one', async () => {
    const { organization, values, write } = await fixture();
    await query(first, `update organization_head set epoch = gen_random_uuid() where organization_id = $1`, [
      organization.id,
    ]);
    expect((await write('4', values[1].url)).status).toBe(200);
    expect((await organization.owner.get<Value>(values[1].url)).body.value).toBe('4');
  });

  it('cores that write the same values in parallel lose no write and create each revision once', async () => {
    const { organization, values, write, elsewhere } = await fixture();
    const writes = Array.from({ length: 60 }, (_, n) => {
      const { url } = values[n % 2] as Value;
      const text = `text ${n}`;
      return n % 3 === 0 ? elsewhere.patch<Value>(url, { internal_value: text }) : write(text, url);
    });
    const responses = await Promise.all(writes);

    expect(responses.map(({ status }) => status)).toEqual(writes.map(() => 200));
    const revisions = responses.map(({ headers }) => Number(headers['x-revision']));
    expect(new Set(revisions).size).toBe(writes.length);
    for (const { url } of values) {
      const ofIt = responses.filter(({ body }) => body.url.endsWith(new URL(url).pathname));
      const last = ofIt.reduce((a, b) => (Number(a.headers['x-revision']) > Number(b.headers['x-revision']) ? a : b));
      expect((await organization.owner.get<Value>(url)).body.value).toBe(last.body.value);
    }
    expect(await ledgerProblems(first.database.url)).toEqual([]);
  });
});
