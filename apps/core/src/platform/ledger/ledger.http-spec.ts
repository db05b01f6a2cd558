import type { Event, EventPage, Page, Parameter, Value } from '@strata/contract';
import { ledgerProblems, type OwnCore, RawClient, type Reply, startCore, type TestOrganization } from '@strata/testkit';
import pg from 'pg';

let core: OwnCore;
let second: OwnCore;
let owner: pg.Client;

beforeAll(async () => {
  core = await startCore();
  second = await core.another();
  owner = new pg.Client({ connectionString: core.database.url });
  owner.on('error', () => {});
  await owner.connect();
});
afterAll(async () => {
  await owner.end();
  await second.close();
  await core.close();
});

const WRITERS = 60;
const CHANGES = 3;

const revisionIn = ({ headers }: Reply) => Number(headers['x-revision']);

async function readHead({ id }: TestOrganization): Promise<number> {
  const { rows } = await owner.query('select revision from organization_head where organization_id = $1', [id]);
  return Number(rows[0]?.revision);
}

/** Returns the instant one microsecond before. */
function justBefore(timestamp: string | null): string {
  const [, seconds = '', fraction = ''] = /^(.*)\.(\d{6})Z$/.exec(timestamp ?? '') ?? [];
  if (Number(fraction) > 0) return `${seconds}.${String(Number(fraction) - 1).padStart(6, '0')}Z`;
  const earlier = new Date(Date.parse(`${seconds}Z`) - 1_000).toISOString().slice(0, 19);
  return `${earlier}.999999Z`;
}

async function expectStatus<T>(reply: Promise<Reply<T>>, status: number): Promise<Reply<T>> {
  const answer = await reply;
  if (answer.status !== status) throw new Error(`Expected ${status}, got ${answer.status}: ${answer.text}`);
  return answer;
}

/**
 * One of many concurrent writers: it creates a parameter with a value and changes it, and every other writer deletes
 * them again.
 */
async function writer(client: RawClient, target: { project: string; environment: string }, number: number) {
  const revisions: number[] = [];
  const done = <T>(reply: Reply<T>): T => {
    revisions.push(revisionIn(reply));
    return reply.body;
  };
  const parameter = done(
    await expectStatus(client.post<Parameter>(`${target.project}parameters/`, { name: `p${number}` }), 201),
  );
  const creation = { environment: target.environment, internal_value: 'first' };
  let value = done(await expectStatus(client.post<Value>(`${parameter.url}values/`, creation), 201));
  for (let change = 1; change <= CHANGES; change += 1) {
    const input = { internal_value: `${number}-${change}` };
    const next = done(await expectStatus(client.patch<Value>(value.url, input), 200));
    if (String(next.modified_at) <= String(value.modified_at))
      throw new Error(`${next.modified_at} is not after ${value.modified_at}`);
    const again = await expectStatus(client.patch<Value>(value.url, {}), 200);
    if (again.body.modified_at !== next.modified_at) throw new Error('A change of nothing was written.');
    value = next;
  }
  if (number % 2 === 0) done((await expectStatus(client.delete(value.url), 204)) as Reply<null>);
  return revisions;
}

/** Follows the feed by long poll until it has received this many events. */
async function follow(client: RawClient, start: string, count: number): Promise<Event[]> {
  const received: Event[] = [];
  for (let cursor = start; received.length < count; ) {
    const { body } = await expectStatus(client.get<EventPage>(`events/?after=${cursor}&wait=10&limit=50`), 200);
    if (body.results.length === 0) return received;
    received.push(...body.results);
    cursor = body.cursor;
  }
  return received;
}

describe('sixty concurrent writers of one organization in two processes, with concurrent readers', () => {
  let organization: TestOrganization;
  let target: { project: string; environment: string };
  let before: number;
  let acknowledged: number[];
  let received: Event[];
  const samples: { revision: number; count: number }[] = [];

  beforeAll(async () => {
    organization = await core.organization();
    const project = await organization.project();
    const environment = await organization.environmentNamed('default');
    target = { project: project.url, environment: environment.url };
    const authorization = await organization.authorization('CONTRIB');
    const clients = [core, second].map(({ origin }) => new RawClient(origin, authorization)) as [RawClient, RawClient];
    const { body } = await clients[0].get<EventPage>('events/?after=now');
    before = await readHead(organization);

    const writes = WRITERS * (2 + CHANGES) + WRITERS / 2;
    const following = follow(clients[1], body.cursor, writes);
    let isOver = false;
    const reading = (async () => {
      while (!isOver) {
        for (const client of clients) {
          const list = await expectStatus(client.get<Page<Parameter>>(`${project.url}parameters/?page_size=1`), 200);
          samples.push({ revision: revisionIn(list), count: list.body.count });
        }
      }
    })();
    const working = Array.from({ length: WRITERS }, (_, n) => writer(clients[n % 2] as RawClient, target, n));
    acknowledged = (await Promise.all(working)).flat();
    isOver = true;
    await reading;
    received = await following;
  });

  it('get consecutive revisions, one per acknowledged write', async () => {
    const head = await readHead(organization);
    const expected = Array.from({ length: head - before }, (_, n) => before + n + 1);
    expect(acknowledged.toSorted((a, b) => a - b)).toEqual(expected);
  });

  it('are followed by a client that receives every write once, in the order of revisions', () => {
    expect(received.map(({ revision }) => revision)).toEqual(acknowledged.toSorted((a, b) => a - b));
    const times = received.map(({ at }) => at);
    expect(times).toEqual([...new Set(times)].sort());
  });

  it('never make a reader see an older state after a newer one, or a state that differs from its revision', () => {
    const created = received.filter(({ type }) => type === 'parameter_created').map(({ revision }) => revision);
    expect(samples.length).toBeGreaterThan(10);
    expect(new Set(samples.map(({ revision }) => revision)).size).toBeGreaterThan(5);
    expect(samples.map(({ revision }) => revision)).toEqual(
      samples.map(({ revision }) => revision).toSorted((a, b) => a - b),
    );
    for (const { revision, count } of samples) expect(count).toBe(created.filter((at) => at <= revision).length);
  });

  it('leave heads, changesets, changes, rows and histories consistent, with the modified_at of every revision', async () => {
    expect(await ledgerProblems(core.database.url)).toEqual([]);
  });

  it('leave a state that can be read at every instant: at the microsecond of a write, and one microsecond before', async () => {
    for (const { at, revision } of received.filter((_, n) => n % 25 === 0)) {
      const [then, earlier] = await Promise.all([
        organization.owner.get(`${target.project}parameters/?page_size=1&as_of=${at}`),
        organization.owner.get(`${target.project}parameters/?page_size=1&as_of=${justBefore(at)}`),
      ]);
      expect([revisionIn(then), revisionIn(earlier)]).toEqual([revision, revision - 1]);
    }
  });
});

describe('a write that changes nothing', () => {
  it('creates no revision, whether it is a no-op or rejected', async () => {
    const organization = await core.organization();
    const project = await organization.project({ name: 'taken' });
    const parameter = await organization.parameter({ project, type: 'integer' });
    const value = await organization.value({ parameter, internal_value: '1' });
    const root = await organization.environmentNamed('default');
    const head = await readHead(organization);
    const { owner: client } = organization;

    const answers = [
      await client.patch(value.url, {}),
      await client.patch(project.url, {}),
      await client.patch(value.url, { internal_value: 'not a number' }),
      await client.post('projects/', { name: 'taken' }),
      await client.post(`${parameter.url}values/`, { environment: root.url, internal_value: '2' }),
      await client.delete('environments/00000000-0000-4000-8000-000000000000/'),
      await client.delete(root.url),
    ];

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 400, 400, 400, 404, 409]);
    expect(await readHead(organization)).toBe(head);
    expect(await ledgerProblems(core.database.url)).toEqual([]);
  });
});

describe('as_of (H2)', () => {
  it('is inclusive: a read at the instant of a write shows it, a read one microsecond before does not', async () => {
    const organization = await core.organization();
    const { owner: client } = organization;
    const parameter = await organization.parameter();
    const first = await organization.value({ parameter, internal_value: 'a' });
    const { body: changed } = await client.patch<Value>(first.url, { internal_value: 'b' });
    await client.delete(first.url);
    const deletedAt = (await client.get<EventPage>('events/?types=value_deleted')).body.results.at(-1)?.at ?? '';
    const textAt = async (instant: string | null) => {
      const { body } = await expectStatus(client.get<Parameter>(`${parameter.url}?as_of=${instant}`), 200);
      const value = Object.values(body.values)[0];
      return value === null || value === undefined ? null : value.value;
    };

    expect(await textAt(justBefore(first.modified_at))).toBeNull();
    expect(await textAt(first.modified_at)).toBe('a');
    expect(await textAt(justBefore(changed.modified_at))).toBe('a');
    expect(await textAt(changed.modified_at)).toBe('b');
    expect(await textAt(justBefore(deletedAt))).toBe('b');
    expect(await textAt(deletedAt)).toBeNull();
  });

  it('returns 404 with the sentence that clients match, if the project did not exist yet', async () => {
    const organization = await core.organization();
    const parameter = await organization.parameter();
    const list = parameter.url.replace(/[^/]+\/$/, '');

    expect(await organization.owner.get(`${list}?as_of=2000-01-01`)).toMatchObject({
      status: 404,
      body: { detail: 'No ProjectLedger matches the given query. No Project matches the given query.' },
    });
  });
});

describe('the consistency check of the ledger', () => {
  it('detects rows that were deleted, changed or moved in time by direct SQL', async () => {
    const organization = await core.organization();
    const value = await organization.value();
    await organization.owner.patch(value.url, { internal_value: 'other' });
    const tampering = [
      `delete from change where object_id = '${value.id}' and action = 'update'`,
      `delete from value_history where id = '${value.id}'`,
      `update value set modified_at = modified_at + interval '1 microsecond' where id = '${value.id}'`,
      `update organization_head set revision = revision + 1 where organization_id = '${organization.id}'`,
      `delete from value where id = '${value.id}'`,
    ];
    await owner.query('set session_replication_role = replica'); // disables triggers
    let knownProblems = await ledgerProblems(core.database.url);
    for (const statement of tampering) {
      expect((await owner.query(statement)).rowCount).toBe(1);
      const problems = await ledgerProblems(core.database.url);
      expect(problems).not.toEqual(knownProblems);
      knownProblems = problems;
    }
  });
});
