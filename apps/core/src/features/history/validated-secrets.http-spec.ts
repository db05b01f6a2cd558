import type { AuditTrail, Page, Parameter, Project, ServiceAccountCreated, Value } from '@strata/contract';
import { RawClient, type RunningCore, sharedCore, type TestOrganization } from '@strata/testkit';
import { lockOrganizationHead } from '../../testing/locked-head.ts';
import { createPerson, type Person } from '../../testing/people.ts';
import { latestRevision, revertChanges, set } from '../../testing/reverts.ts';
import { waitUntil } from '../../testing/until.ts';

const SECRET = 'hunter2';

let core: RunningCore;
let organization: TestOrganization;
let project: Project;
let token: Parameter;
let value: Value;
let contributor: Person;
beforeAll(async () => {
  core = await sharedCore();
});
beforeEach(async () => {
  organization = await core.organization();
  project = await organization.project({ name: 'shop' });
  token = await organization.parameter({ project, name: 'TOKEN', secret: true });
  value = await organization.value({ parameter: token, internal_value: SECRET });
  contributor = await createPerson(core, organization.id, 'CONTRIB');
});

const reveals = async (): Promise<readonly AuditTrail[]> =>
  (await organization.owner.get<Page<AuditTrail>>('audit/?action=reveal')).body.results;

/** Reveals another secret and waits for its record, so that all earlier records are stored. Returns these. */
async function settledReveals(): Promise<readonly AuditTrail[]> {
  const witness = await createPerson(core, organization.id, 'VIEWER');
  await witness.client.get(value.url);
  const records = await waitUntil(reveals, (records) => records.some(({ user }) => user.id === witness.id));
  return records.filter(({ user }) => user.id !== witness.id);
}

const idsOfReaders = async () => (await settledReveals()).map(({ user }) => user.id);

const rule = (constraint: string) => ({ type: 'regex', constraint });

/** Returns an operation that adds a rule to the secret parameter. */
const ruleOperation = (constraint: string) => ({
  operation: 'projects_parameters_rules_create',
  path: { project_pk: project.id, parameter_pk: token.id },
  body: rule(constraint),
});
/** Returns an operation that is always rejected. */
const rejectedOperation = () => ({ operation: 'projects_create', body: { name: 'shop' } });

const changeset = (client: RawClient, operations: readonly object[], more: object = {}) =>
  client.post('changesets/', { operations, ...more });

/** Returns a text that is too costly to evaluate if the guess equals the secret. */
const tooCostlyIf = (guess: string) =>
  `{% if TOKEN == "${guess}" %}{% for i in (1..3000) %}{% for j in (1..3000) %}{{ j }}{% endfor %}{% endfor %}{% endif %}`;

async function dynamicValue(text: string) {
  const parameter = await organization.parameter({ project, name: 'PORT', type: 'integer' });
  return contributor.client.post(`${parameter.url}values/`, {
    environment: value.environment,
    internal_value: text,
    interpolated: true,
  });
}

describe('a changeset that is rejected anyway', () => {
  it.each([
    ['matches', 'h.*', 1],
    ['does not match', 'x.*', 2],
  ])('leaves a record if its rule %s the secret', async (_, constraint, expectedRecords) => {
    const { status, body } = await changeset(contributor.client, [ruleOperation(constraint), rejectedOperation()]);
    expect(status).toBe(400);
    expect((body as { operations: object[] }).operations.length).toBe(expectedRecords);

    const records = await settledReveals();
    expect(records).toMatchObject([{ action: 'reveal', user: { id: contributor.id } }]);
    expect(JSON.stringify(records)).not.toContain(SECRET);
  });

  it('leaves a record if the caller is a program', async () => {
    const input = { name: 'ci', role: 'CONTRIB' };
    const { body } = await organization.owner.post<ServiceAccountCreated>('serviceaccounts/', input);
    const client = new RawClient(core.origin, `Api-Key ${body.apikey}`);
    await changeset(client, [ruleOperation('h.*'), rejectedOperation()]);

    expect(await settledReveals()).toMatchObject([{ user: { name: 'ci', type: 'service' } }]);
  });

  it.each<[string, () => object]>([
    ['sets', () => set('shop', { TOKEN: SECRET })],
    [
      'imports',
      () => ({
        operation: 'import_create',
        body: { project: 'shop', environment: 'default', body: `TOKEN=${SECRET}`, secrets: [], ignore: [] },
      }),
    ],
  ])('leaves a record if it %s the text of the secret', async (_, operation) => {
    expect((await changeset(contributor.client, [operation(), rejectedOperation()])).status).toBe(400);
    expect(await idsOfReaders()).toEqual([contributor.id]);
  });
});

describe('a single request that validates a stored secret', () => {
  it.each<[string, () => Promise<{ readonly status: number }>, number]>([
    ['a rule that it violates', () => contributor.client.post(`${token.url}rules/`, rule('x.*')), 400],
    ['a rule that it satisfies', () => contributor.client.post(`${token.url}rules/`, rule('h.*')), 201],
    ['another type', () => contributor.client.patch(token.url, { type: 'integer' }), 400],
    ['a dynamic value that refers to it', () => dynamicValue('{{ TOKEN }}'), 400],
    [
      'a masked preview of a text that can be evaluated',
      () =>
        contributor.client.post(`${project.url}template-preview/?mask_secrets=true`, {
          body: tooCostlyIf('hunter3'),
        }),
      200,
    ],
    [
      'a masked preview of a text that cannot be evaluated',
      () =>
        contributor.client.post(`${project.url}template-preview/?mask_secrets=true`, {
          body: tooCostlyIf('hunter2'),
        }),
      422,
    ],
    [
      'a digest that depends on it',
      () => contributor.client.get('effective/?project=shop&environment=default&include=value_id'),
      200,
    ],
  ])('is recorded: %s', async (_, send, status) => {
    expect((await send()).status).toBe(status);
    expect(await idsOfReaders()).toEqual([contributor.id]);
  });

  it('is recorded when a promotion compares two secrets', async () => {
    const promotion = { promote: { project: 'shop', from: 'staging', to: 'default' } };
    await changeset(contributor.client, [set('shop', { TOKEN: SECRET }, 'staging')]);
    expect(await reveals()).toEqual([]);
    expect((await changeset(contributor.client, [promotion])).body).toMatchObject({ url: null });

    expect(await idsOfReaders()).toEqual([contributor.id]);
  });

  it('is recorded when a revert restores a secret under a rule', async () => {
    await organization.owner.patch(value.url, { internal_value: 'x1' });
    const overwritten = await latestRevision(organization);
    expect((await organization.owner.post(`${token.url}rules/`, rule('x.*'))).status).toBe(201);
    expect((await revertChanges(contributor.client, overwritten)).status).toBe(409);

    const records = await settledReveals();
    expect(records.filter(({ user }) => user.id === contributor.id).length).toBe(1);
  });
});

it('the record names the caller whose request validated a secret, and not the caller of a queued write before it', async () => {
  const otherWriter = await createPerson(core, organization.id, 'CONTRIB');
  const lock = await lockOrganizationHead(core, organization.id);
  const first = otherWriter.client.post('projects/', { name: 'first' });
  await lock.waiting(1);
  const second = contributor.client.post(`${token.url}rules/`, rule('h.*'));
  await lock.arrival();
  await lock.release();
  expect([(await first).status, (await second).status]).toEqual([201, 201]);

  expect(await idsOfReaders()).toEqual([contributor.id]);
});

it('a plan leaves no record, because it does not validate secrets', async () => {
  const operations = [ruleOperation('x.*'), rejectedOperation()];
  const { body } = await contributor.client.post('changesets/plan/', { operations });
  expect(body).toMatchObject({ totals: { refusals: 1, uncovered: 1 } });

  expect(await settledReveals()).toEqual([]);
});
