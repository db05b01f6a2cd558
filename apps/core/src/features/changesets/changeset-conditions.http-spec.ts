import { randomUUID } from 'node:crypto';
import type { Environment, Page, Project, RecordedChangeset } from '@strata/contract';
import { type RunningCore, sharedCore } from '@strata/testkit';
import { applyAsClient, readRevision, rename } from '../../testing/changeset-requests.ts';
import { query } from '../../testing/query.ts';
import { rawRequest } from '../../testing/raw-request.ts';

let core: RunningCore;
beforeAll(async () => {
  core = await sharedCore();
});

describe('conditions of a changeset', () => {
  it('compare if_match with the version before the changeset, even if the changeset writes the object several times', async () => {
    const organization = await core.organization();
    const project = await organization.project({ name: 'web' });
    const { owner } = organization;
    const mine = { if_match: project.ledger_id };

    const twice = await applyAsClient(owner, [rename(project, 'a', mine), rename(project, 'b', mine)]);
    expect(twice).toMatchObject({ status: 201, body: { operations: [{ id: project.id }, { id: project.id }] } });
    const stale = await applyAsClient(owner, [rename(project, 'c', mine)]);
    expect(stale).toMatchObject({
      status: 412,
      body: { operations: [{ index: 0, status: 412, code: 'precondition_failed' }] },
    });
    const misplaced = await applyAsClient(owner, [
      { operation: 'projects_create', body: { name: 'x' }, if_match: 'x' },
    ]);
    expect(misplaced).toMatchObject({
      status: 400,
      body: { operations: [{ error: { if_match: [expect.any(String)] } }] },
    });
  });

  it('reject an unknown condition', async () => {
    const organization = await core.organization();
    const project = await organization.project({ name: 'web' });

    const hashed = await applyAsClient(organization.owner, [rename(project, 'a')], { plan_hsah: 'x' });
    expect(hashed).toMatchObject({
      status: 400,
      body: { non_field_errors: [expect.stringContaining('plan_hsah')] },
    });
    expect((await organization.owner.get<Project>(project.url)).body.name).toBe('web');
  });

  it('return 412 for if_none_match if the object exists', async () => {
    const organization = await core.organization();
    await organization.project({ name: 'web' });
    const make = (name: string) => ({ operation: 'projects_create', body: { name }, if_none_match: '*' });

    expect(await applyAsClient(organization.owner, [make('web')])).toMatchObject({ status: 412 });
    expect(await applyAsClient(organization.owner, [make('shop')])).toMatchObject({ status: 201 });
    expect(await applyAsClient(organization.owner, [{ ...make('shop'), if_none_match: 'x' }])).toMatchObject({
      status: 400,
    });
  });

  it('name the condition that an operation cannot have', async () => {
    const organization = await core.organization();
    const { id } = await organization.project({ name: 'web' });
    const change = { operation: 'projects_partial_update', path: { id }, body: { name: 'a' }, if_none_match: '*' };
    const creation = { operation: 'projects_create', body: { name: 'b' }, if_match: randomUUID() };

    const ofChange = { if_none_match: ['`if_none_match` requires an operation that creates an object.'] };
    expect(await applyAsClient(organization.owner, [change])).toMatchObject({
      body: { operations: [{ error: ofChange }] },
    });
    const ofCreation = { if_match: ['`if_match` requires an operation on an existing object.'] };
    expect(await applyAsClient(organization.owner, [creation])).toMatchObject({
      body: { operations: [{ error: ofCreation }] },
    });
  });

  it('reject with base_revision only objects that have changed since then', async () => {
    const organization = await core.organization();
    const [web, shop] = [await organization.project({ name: 'web' }), await organization.project({ name: 'shop' })];
    const base = { base_revision: await readRevision(organization.owner) };
    await organization.owner.patch(web.url, { description: 'theirs' });

    expect(await applyAsClient(organization.owner, [rename(shop, 'shop-2'), rename(web, 'web-2')], base)).toMatchObject(
      {
        status: 412,
        body: { operations: [{ index: 1, status: 412, code: 'precondition_failed' }] },
      },
    );
    expect(await applyAsClient(organization.owner, [rename(shop, 'shop-2')], base)).toMatchObject({ status: 201 });
  });
});

describe('several operations on one object', () => {
  it('are recorded as one net change', async () => {
    const organization = await core.organization();
    const project = await organization.project({ name: 'web' });
    const applied = await applyAsClient(organization.owner, [
      { operation: 'environments_create', as: 'gone', body: { name: 'gone' } },
      { operation: 'environments_partial_update', path: { id: { $ref: 'gone' } }, body: { name: 'gone-2' } },
      { operation: 'environments_destroy', path: { id: { $ref: 'gone' } } },
      rename(project, 'web-2'),
      { operation: 'projects_parameters_create', as: 'p', path: { project_pk: project.id }, body: { name: 'P' } },
      {
        operation: 'projects_parameters_partial_update',
        path: { project_pk: project.id, id: { $ref: 'p' } },
        body: { name: 'Q' },
      },
      rename(project, 'web-3'),
    ]);

    const { body } = await organization.owner.get<RecordedChangeset>(applied.body.url ?? '');
    expect(
      body.changes.map((change) => [change.action, change.object_type, change.object_name, change.project_name]),
    ).toEqual([
      ['update', 'Project', 'web-3', 'web-3'],
      ['create', 'Parameter', 'Q', 'web-3'],
    ]);
    const nothing = await applyAsClient(organization.owner, [
      { operation: 'environments_create', as: 'gone', body: { name: 'gone' } },
      { operation: 'environments_destroy', path: { id: { $ref: 'gone' } } },
    ]);
    expect(nothing.body).toMatchObject({ url: null, revision: applied.body.revision });
  });
});

describe('a repeated changeset', () => {
  it('with the same Idempotency-Key changes nothing and returns the same response', async () => {
    const { owner } = await core.organization();
    const operations = [{ operation: 'environments_create', as: 'e', body: { name: 'once' } }];
    const key = { 'idempotency-key': 'deploy-1' };

    const [first, repeatedResponse] = [
      await applyAsClient(owner, operations, {}, key),
      await applyAsClient(owner, operations, {}, key),
    ];
    expect(repeatedResponse.text).toBe(first.text);
    expect(await readRevision(owner)).toBe(first.body.revision);
    expect((await applyAsClient(owner, operations, { message: 'other' }, key)).status).toBe(422);
  });
});

describe('an invalid changeset', () => {
  it.each`
    what                       | operations
    ${'no operation'}          | ${[]}
    ${'too many'}              | ${Array(1_001).fill({ operation: 'projects_create' })}
    ${'two actions in one'}    | ${[{ operation: 'projects_create', unset: { project: 'a', environment: 'b', names: ['c'] } }]}
    ${'an unknown member'}     | ${[{ operation: 'projects_create', if_macth: 'x' }]}
    ${'a reference in a text'} | ${[{ operation: 'projects_create', as: { $ref: 'x' } }]}
  `('is rejected with the name of the problem: $what', async ({ operations }) => {
    const { owner } = await core.organization();
    expect(await applyAsClient(owner, operations)).toMatchObject({
      status: 400,
      body: { operations: [expect.any(String)] },
    });
  });

  it('reports unknown references and literal texts at their operation', async () => {
    const { owner } = await core.organization();
    const response = await applyAsClient(owner, [
      { operation: 'projects_create', as: 'a', body: { name: 'a', depends_on: { $ref: 'b' } } },
      { operation: 'projects_create', as: 'b', body: { name: { $ref: 'b' } } },
      { operation: 'rockets_launch' },
      { operation: 'projects_partial_update', body: {} },
    ]);
    expect(response).toMatchObject({
      status: 400,
      body: {
        operations: [
          { index: 0, code: 'unknown_ref' },
          { index: 1, code: 'invalid', error: { name: ['Not a valid string.'] } },
          { index: 2, code: 'unknown_operation' },
          { index: 3, code: 'required', error: { path: [expect.stringContaining('id')] } },
        ],
      },
    });
  });

  it('is rejected if it is larger than eight megabytes', async () => {
    const organization = await core.organization();
    const { owner } = organization;
    const text = 'x'.repeat(60_000);
    const values = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`T${index}`, text]));
    const set = (count: number) => ({
      set: { project: 'p', environment: 'default', values: values(count), create_missing: true },
    });
    const make = { operation: 'projects_create', body: { name: 'p' } };

    expect((await applyAsClient(owner, [make, set(120)])).status).toBe(201);
    const tooLong = await rawRequest(core.origin, {
      method: 'POST',
      path: '/api/v1/changesets/',
      lines: [`Authorization: ${organization.ownerAuthorization}`, 'Content-Type: application/json'],
      body: JSON.stringify({ operations: [set(145)] }),
    });
    expect([tooLong.status, tooLong.text]).toEqual([413, expect.stringContaining('larger than 8 MiB')]);
  });
});

it('a changeset without a message stores no message', async () => {
  const organization = await core.organization();
  const { body: createdEnvironment } = await organization.owner.post<Environment>('environments/', { name: 'plain' });
  const { body } = await organization.owner.get<Page<RecordedChangeset>>('changesets/?page_size=1');
  expect(body.results[0]).toMatchObject({
    message: null,
    external_ref: null,
    changes: [{ object_id: createdEnvironment.id }],
  });
  const [row] = await query<{ message: string | null }>(
    core,
    'select message from changeset where organization_id = $1 order by revision desc',
    [organization.id],
  );
  expect(row?.message).toBeNull();
});

it('the list of changesets can be filtered by actor, location and time', async () => {
  const organization = await core.organization();
  const project: Project = await organization.project({ name: 'web' });
  const { body: me } = await organization.as('CONTRIB').get<{ id: string }>('users/current/');
  await organization.as('CONTRIB').patch(project.url, { description: 'theirs' });
  const { owner } = organization;
  const count = async (query: string) => (await owner.get<Page<RecordedChangeset>>(`changesets/?${query}`)).body.count;

  expect(await count(`actor=${encodeURIComponent(me.id)}`)).toBe(1);
  expect(await count('project=web')).toBe(2);
  expect(await count(`project=${project.id}&actor=nobody`)).toBe(0);
  expect(await count('since=2099-01-01T00:00:00Z')).toBe(0);

  await applyAsClient(owner, [
    { set: { project: 'web', environment: 'staging', values: { A: '1' }, create_missing: true } },
  ]);
  await applyAsClient(owner, [{ set: { project: 'web', environment: 'production', values: { A: '2' } } }]);
  const { body: stagingPage } = await owner.get<Page<Environment>>('environments/?name=staging');
  expect(await count('environment=staging')).toBe(await count(`environment=${stagingPage.results[0]?.id}`));
  expect(await count('environment=staging&project=web')).toBe(1);
  expect(await count('environment=production&project=web')).toBe(1);
  expect(await count(`environment=staging&project=${stagingPage.results[0]?.id}`)).toBe(0);
  expect(await count('environment=nowhere')).toBe(0);
  expect(await count('q=%25')).toBe(0);
});
