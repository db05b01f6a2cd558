import { type AppliedChangeset, changesetUse, OPERATIONS, type Operation } from '@strata/contract';
import {
  type FakeChat,
  ledgerProblems,
  type OwnCore,
  startCore,
  startFakeChat,
  type TestOrganization,
} from '@strata/testkit';
import { PathFixtures } from '../../testing/path-fixtures.ts';
import { buildBody, buildLeastQuery } from '../../testing/request-samples.ts';

/** Runs every operation of the contract inside a changeset. */
let core: OwnCore;
let chat: FakeChat;
let organization: TestOrganization;
let fixtures: PathFixtures;

beforeAll(async () => {
  chat = await startFakeChat();
  core = await startCore({ STRATA_SLACK_API_URL: chat.url });
  organization = await core.organization();
  fixtures = new PathFixtures(core, organization);
});
afterAll(async () => {
  await core.close();
  await chat.close();
});

const rows = (changeset: 'yes' | 'no') =>
  OPERATIONS.filter((operation) => changesetUse(operation).changeset === changeset).map(
    (operation) => [operation.id, operation] as const,
  );

const pathValues = ({ path }: Operation, valueByName: Readonly<Record<string, string>>) =>
  Object.fromEntries([...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [name, valueByName[name] ?? '']));

it.each(rows('yes'))('%s can be an operation of a changeset', async (_, operation) => {
  const fixture = await fixtures.of(operation);
  const context = { operation, fixture, fixtures, size: 'least' } as const;
  const step = {
    operation: operation.id,
    path: pathValues(operation, fixture.values),
    query: await buildLeastQuery(context),
    ...(operation.body && { body: await buildBody(context) }),
  };
  const before = Number(await fixtures.revision());

  const applied = await organization.owner.post<AppliedChangeset>('changesets/', {
    operations: [step, { operation: 'environments_create', body: { name: `beside-${before}` } }],
  });

  expect([applied.status, applied.status === 201 ? '' : applied.text]).toEqual([201, '']);
  expect(applied.body.revision).toBe(before + 1);
  const [done] = applied.body.operations;
  const use = changesetUse(operation);
  const makes = use.changeset === 'yes' ? use.makes : null;
  if (makes !== null) expect(done?.id).toEqual(expect.any(String));
  const kinds = new Set(done?.changes.map((change) => change.object_type));
  if (makes !== null && kinds.size > 0) expect([...kinds]).toContain(makes);
});

it.each(rows('no'))(
  '%s cannot be an operation of a changeset, and the error contains the reason',
  async (_, operation) => {
    const before = await fixtures.revision();
    const response = await organization.owner.post('changesets/', { operations: [{ operation: operation.id }] });

    const use = changesetUse(operation);
    expect(response).toMatchObject({
      status: 400,
      body: {
        operations: [
          {
            index: 0,
            code: 'not_in_changeset',
            error: { operation: [expect.stringContaining(use.changeset === 'no' ? use.reason : '?')] },
          },
        ],
      },
    });
    expect(response.headers['x-error-code']).toBe('not_in_changeset');
    expect(await fixtures.revision()).toBe(before);
  },
);

it('rows, history and changes are consistent at the end', async () => {
  expect(await ledgerProblems(core.database.url)).toEqual([]);
});
