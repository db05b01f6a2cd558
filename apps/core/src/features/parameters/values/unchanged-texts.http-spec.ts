import type { AuditTrail, Effective, Page, Parameter, Value } from '@strata/contract';
import { ledgerProblems, type TestOrganization } from '@strata/testkit';
import { ChatFixture, listDeliveries, untilReceived } from '../../../testing/chat-fixture.ts';
import { lastRecorded } from '../../../testing/recorded.ts';

let at: ChatFixture;
let organization: TestOrganization;
beforeAll(async () => {
  at = await ChatFixture.open();
});
afterAll(() => at.close());
beforeEach(async () => {
  organization = await at.core.organization();
});

interface Kind {
  readonly text: string | null;
  readonly secret?: boolean;
  readonly interpolated?: boolean;
}

const KINDS: Readonly<Record<string, Kind>> = {
  'a literal text': { text: 'v' },
  'the empty text': { text: '' },
  'an explicit null': { text: null },
  'a secret': { text: 'hunter2', secret: true },
  'a dynamic text': { text: '{{ host }}', interpolated: true },
};

async function arrange({ text, secret = false, interpolated = false }: Kind = { text: 'v' }) {
  const project = await organization.project();
  const host = await organization.parameter({ project, name: 'host' });
  await organization.value({ parameter: host, internal_value: 'example.com' });
  const input = { name: 'x', secret, expires: 'P30D' };
  const { body: parameter } = await organization.owner.post<Parameter>(`${project.url}parameters/`, input);
  const value = await organization.value({ parameter, internal_value: text, interpolated });
  const { owner } = organization;
  const effective = async () => {
    const { body } = await owner.get<Effective>(`${project.url}effective/?environment=default`);
    return { digest: body.digest, values: body.values };
  };
  const revision = async () => Number((await owner.get('environments/')).headers['x-revision']);
  const audited = async () => (await owner.get<Page<AuditTrail>>(`audit/?object_id=${value.id}`)).body.results;
  const events = async (after: string) =>
    (await owner.get<{ results: object[]; cursor: string }>(`events/?after=${after}`)).body;
  return { owner, project, parameter, value, effective, revision, audited, events };
}

describe('a value that is set to its current text', () => {
  it.each(Object.keys(KINDS).flatMap((kind) => ['PUT', 'PATCH'].map((method) => ({ kind, method }))))(
    '$kind, by $method: is written and renews its expiration, but raises no event and does not change the configuration',
    async ({ kind, method }) => {
      const { text, interpolated = false } = KINDS[kind] as Kind;
      const { owner, value, effective, revision, audited, events } = await arrange(KINDS[kind]);
      const before = { seen: await effective(), revision: await revision(), cursor: (await events('now')).cursor };

      const response = await owner.send(method, value.url, { body: { internal_value: text, interpolated } });
      const set = response.body as Value;

      expect(response.status).toBe(200);
      expect(set).toMatchObject({ id: value.id, value: value.value, created_at: value.created_at });
      expect(set.ledger_id).not.toBe(value.ledger_id);
      expect((set.modified_at ?? '') > (value.modified_at ?? '')).toBe(true);
      expect(Date.parse(set.expires_at ?? '')).toBe(Date.parse(set.modified_at ?? '') + 30 * 86_400_000);
      expect((await owner.get<Value>(value.url)).body).toEqual(set);
      expect(Number(response.headers['x-revision'])).toBe(before.revision + 1);
      expect((await audited()).map(({ action, timestamp }) => [action, timestamp])).toEqual([
        ['update', set.modified_at],
        ['create', value.created_at],
      ]);
      expect((await events(before.cursor)).results).toEqual([]);
      expect(await effective()).toEqual(before.seen);
      expect((await owner.get<Value>(`${value.url}?as_of=${value.modified_at}`)).body.ledger_id).toBe(value.ledger_id);
      expect(await ledgerProblems(at.core.database.url)).toEqual([]);
    },
  );

  it('is written each time, even right after a write of another text', async () => {
    const { owner, value, effective } = await arrange();
    const ledgerIds = [value.ledger_id];
    for (const text of ['a', 'a', 'b', 'b', 'b', 'a', 'a']) {
      const { body } = await owner.patch<Value>(value.url, { internal_value: text });
      expect(body.value).toBe(text);
      ledgerIds.push(body.ledger_id);
      expect(await effective()).toMatchObject({ values: { x: text } });
    }
    expect(new Set(ledgerIds).size).toBe(8);
  });

  it('notifies no webhook, but webhooks report the next change', async () => {
    const { owner, value } = await arrange();
    const hook = await at.webhook(organization);
    await owner.patch(value.url, { internal_value: 'v' });
    const { headers } = await owner.patch(value.url, { internal_value: 'other' });
    await untilReceived(organization, hook, 1);
    expect(await listDeliveries(organization, hook)).toMatchObject([
      { events: 1, event_types: ['value_updated'], revision: Number(headers['x-revision']) },
    ]);
  });

  it('is recorded as an update without an event', async () => {
    const { owner, value } = await arrange();
    await owner.patch(value.url, { internal_value: 'v' });
    expect(await lastRecorded(at.core, organization)).toMatchObject([{ action: 'update', type: 'Value', event: '-' }]);
  });

  it('is one write if it is sent twice with the same key', async () => {
    const { owner, value, revision } = await arrange();
    const key = { 'idempotency-key': `set-${value.id}` };
    const first = await owner.patch<Value>(value.url, { internal_value: 'v' }, key);
    const repeatedResponse = await owner.patch<Value>(value.url, { internal_value: 'v' }, key);
    expect(repeatedResponse.body).toEqual(first.body);
    expect(await revision()).toBe(Number(first.headers['x-revision']));
  });

  it('is rejected with a stale precondition', async () => {
    const { owner, value } = await arrange();
    const { etag = '' } = (await owner.get(value.url)).headers;
    await owner.patch(value.url, { internal_value: 'v' });
    expect(await owner.patch(value.url, { internal_value: 'v' }, { 'if-match': etag })).toMatchObject({ status: 412 });
  });
});

describe('no revision is created for', () => {
  it.each`
    what                               | method     | body                       | headers
    ${'an empty PATCH'}                | ${'PATCH'} | ${{}}                      | ${{}}
    ${'a PATCH with the current flag'} | ${'PATCH'} | ${{ interpolated: false }} | ${{}}
    ${'a PUT without a text'}          | ${'PUT'}   | ${{ interpolated: false }} | ${{}}
    ${'the same text through GraphQL'} | ${'PATCH'} | ${{ internal_value: 'v' }} | ${{ 'x-strata-surface': 'graphql' }}
  `('$what', async ({ method, body, headers }) => {
    const { owner, value, revision, audited } = await arrange();
    const before = await revision();
    const response = await owner.send(method, value.url, { body, headers });
    expect([response.status, response.body]).toEqual([200, value]);
    expect(await revision()).toBe(before);
    expect(await audited()).toHaveLength(1);
  });

  it('an import of the current text', async () => {
    const { owner, project, value, revision } = await arrange();
    const before = await revision();
    const body = { project: project.name, environment: 'default', body: 'x=v\n', secrets: [], ignore: [] };
    expect((await owner.post('import/', body)).status).toBe(201);
    expect((await owner.get<Value>(value.url)).body.ledger_id).toBe(value.ledger_id);
    expect(await revision()).toBe(before);
  });
});
