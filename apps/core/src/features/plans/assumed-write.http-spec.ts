import type { Plan, ServiceAccountCreated } from '@strata/contract';
import { RawClient, type RunningCore, sharedCore, type TestOrganization } from '@strata/testkit';
import { controlledProject, createGrant } from '../../testing/members.ts';
import { latestRevision, set } from '../../testing/reverts.ts';

const CANARY = 'canary-2b8f41';
const ASSUMING = 'changesets/plan/?assume_write=true';

let core: RunningCore;
let organization: TestOrganization;
beforeAll(async () => {
  core = await sharedCore();
});
beforeEach(async () => {
  organization = await core.organization();
});

/** Creates a service account that can only read. */
async function account(input: object) {
  const { status, body } = await organization.owner.post<ServiceAccountCreated>('serviceaccounts/', {
    ...{ name: 'agent', role: 'VIEWER', reveals_secrets: false },
    ...input,
  });
  expect(status).toBe(201);
  return { url: body.user.url, client: new RawClient(core.origin, `Api-Key ${body.apikey}`) };
}

async function planned(client: RawClient, operations: readonly object[], path = ASSUMING): Promise<Plan> {
  const { status, body, text } = await client.post<Plan>(path, { operations });
  expect([status, status === 200 ? '' : text]).toEqual([200, '']);
  return body;
}

it('shows a viewer the plan of a contributor, and stores nothing', async () => {
  const project = await organization.project({ name: 'web' });
  const parameter = await organization.parameter({ project, name: 'PORT' });
  await organization.value({ parameter, internal_value: '80' });
  const [viewer, contributor] = [organization.as('VIEWER'), organization.as('CONTRIB')];
  const operations = [set('web', { PORT: '81' }), set('web', { PORT: '82' }, 'staging')];
  // The first request creates the account, which is a revision.
  await viewer.get('users/current/');
  await contributor.get('users/current/');
  const before = await latestRevision(organization);

  const { plan_hash: hash, ...plan } = await planned(viewer, operations);
  const { plan_hash: _, ...expected } = await planned(contributor, operations, 'changesets/plan/');
  expect(plan).toEqual(expected);
  expect(plan.totals).toMatchObject({ refusals: 0, changes: 2 });
  expect(await latestRevision(organization)).toBe(before);

  const plain = await planned(viewer, operations, 'changesets/plan/');
  expect(plain.refusals.map(({ code }) => code)).toEqual(['forbidden', 'forbidden']);
  expect((await viewer.post('changesets/', { operations })).status).toBe(403);
  expect((await viewer.post('changesets/', { operations, plan_hash: hash })).status).toBe(412);
  expect((await viewer.post('changesets/?assume_write=true', { operations })).status).toBe(403);
  expect(await latestRevision(organization)).toBe(before);
});

it('plans nothing in projects that the caller may not read', async () => {
  const [closed, granted] = [await controlledProject(organization), await controlledProject(organization)];
  const [limit, outside] = [await organization.project(), await organization.project()];
  const viewer = await account({});
  await createGrant(organization, viewer.url, granted.url, 'VIEWER');
  const { client: limited } = await account({ only_projects: [limit.url] });
  const listErrorCodes = async (client: RawClient, { name }: { readonly name: string }) => {
    const operation = { set: { project: name, environment: 'default', values: { A: '1' }, create_missing: true } };
    return (await planned(client, [operation])).refusals.map(({ code }) => code);
  };
  expect(await listErrorCodes(viewer.client, closed)).toEqual(['forbidden']);
  expect(await listErrorCodes(viewer.client, granted)).toEqual([]);
  expect(await listErrorCodes(limited, limit)).toEqual([]);
  expect(await listErrorCodes(limited, outside)).toEqual(['forbidden']);

  const stranger = await core.organization();
  expect((await planned(stranger.as('VIEWER'), [set(limit.name, { A: '1' })])).refusals).toMatchObject([
    { status: 404 },
  ]);
});

it('does not reveal a secret, nor whether a guess of it is right', async () => {
  const project = await organization.project({ name: 'web' });
  const secret = await organization.parameter({ project, name: 'PASSWORD', secret: true });
  await organization.value({ parameter: secret, internal_value: CANARY });
  const url = await organization.parameter({ project, name: 'URL' });
  await organization.value({ parameter: url, internal_value: 'https://{{ PASSWORD }}@db', interpolated: true });
  const { client } = await account({});
  const guessOperations = (guess: string) => [
    [set('web', { PASSWORD: guess })],
    [set('web', { PASSWORD: { value: guess, secret: false } })],
    [set('web', { URL: `https://${guess}@db` })],
    [set('web', { PASSWORD: guess }, 'staging'), { unset: { project: 'web', environment: 'staging', names: ['URL'] } }],
  ];
  for (const [index, operations] of guessOperations(CANARY).entries()) {
    const [right, wrong] = [
      await planned(client, operations),
      await planned(client, guessOperations('another-2b8f41')[index] ?? []),
    ];
    const text = JSON.stringify({ ...right, plan_hash: '' });
    expect(text.replaceAll(`https://${CANARY}@db`, 'https://another-2b8f41@db')).toBe(
      JSON.stringify({ ...wrong, plan_hash: '' }),
    );
  }
  const copies = [
    { promote: { project: 'web', from: 'default', to: 'staging' } },
    set('web', { PASSWORD: { from: { environment: 'default' } } }, 'staging'),
    { unset: { project: 'web', environment: 'default', names: ['PASSWORD'] } },
  ];
  for (const operation of copies) expect(JSON.stringify(await planned(client, [operation]))).not.toContain(CANARY);
});

it('plans only values', async () => {
  const operations = [{ operation: 'projects_create', body: { name: 'web' } }];
  expect(await organization.as('VIEWER').post(ASSUMING, { operations })).toMatchObject({
    status: 400,
    body: { assume_write: [expect.stringContaining('plans only set, unset and promote')] },
  });
});
