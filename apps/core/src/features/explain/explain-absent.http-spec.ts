import { type RawClient, type RunningCore, sharedCore } from '@strata/testkit';
import { createExplainFixture, type ExplainFixture, explain, readRevision } from '../../testing/explain.ts';
import { createGrant, createMember } from '../../testing/members.ts';

let core: RunningCore;
beforeAll(async () => {
  core = await sharedCore();
});

const reasonFor = async (client: RawClient, { web }: Pick<ExplainFixture, 'web'>, name = 'port', more = '') =>
  (await explain(client, web, `environment=production&name=${name}${more}`)).reason;

it('explain reports when and by whom a name was removed by changing the dependency of the project', async () => {
  const fixture = await createExplainFixture(core);
  const { organization, base, web } = fixture;
  const { owner } = organization;
  const port = await organization.parameter({ project: base, name: 'port' });
  await owner.patch(web.url, { depends_on: null });
  const revision = await readRevision(organization);
  await owner.patch(web.url, { name: 'website' });
  await owner.patch(port.url, { description: 'still there' });

  expect(await reasonFor(owner, fixture)).toMatchObject({
    code: 'no_longer_inherited',
    detail: 'port was then a parameter of base. It went out of sight when `depends_on` was changed by Owner.',
    revision,
    at: expect.any(String),
    actor_name: expect.any(String),
    renamed_to: null,
    other_projects: [{ project_name: 'base' }],
  });
  await owner.delete(port.url);
  expect(await reasonFor(owner, fixture)).toMatchObject({ code: 'no_longer_inherited', revision, other_projects: [] });
  expect(await reasonFor(owner, fixture, 'never')).toMatchObject({ code: 'never_made', revision: null });
});

it('explain reports what happened later to the removed name: deleted, renamed, or deleted with its project', async () => {
  const fixture = await createExplainFixture(core);
  const { organization, base, web } = fixture;
  const { owner } = organization;
  const [keptParameter, deletedParameter, renamedParameter] = [
    await organization.parameter({ project: base, name: 'kept' }),
    await organization.parameter({ project: base, name: 'gone' }),
    await organization.parameter({ project: base, name: 'renamed' }),
  ];
  await owner.patch(web.url, { depends_on: null });
  await owner.delete(deletedParameter.url);
  await owner.patch(renamedParameter.url, { name: 'other' });
  const sight = 'It went out of sight when `depends_on` was changed by Owner.';
  const instant = String.raw`\d{4}-\d\d-\d\dT[\d:.]+Z`;
  const details = async () => [
    (await reasonFor(owner, fixture, 'kept'))?.detail,
    (await reasonFor(owner, fixture, 'gone'))?.detail,
    (await reasonFor(owner, fixture, 'renamed'))?.detail,
  ];
  const saying = (name: string, later: string) =>
    expect.stringMatching(new RegExp(`^${name} was then a parameter of base\\. ${sight}${later}$`));
  const wasDeleted = ` Later gone was deleted by Owner at ${instant}\\.`;
  const wasRenamed = ` Later renamed was renamed by Owner at ${instant}: it is called other now\\.`;

  expect(await details()).toEqual([saying('kept', ''), saying('gone', wasDeleted), saying('renamed', wasRenamed)]);
  await owner.patch(base.url, { name: 'ground' });
  const wasMoved = ` Later base was renamed by Owner at ${instant}: it is called ground now\\.`;
  expect(await details()).toEqual([
    saying('kept', wasMoved),
    saying('gone', wasMoved + wasDeleted),
    saying('renamed', wasMoved + wasRenamed),
  ]);
  expect((await owner.delete(keptParameter.url)).status).toBe(204);
  expect((await owner.delete(base.url)).status).toBe(204);
  const wentWithIt = ` Later base was deleted by Owner at ${instant}\\.`;
  expect(await details()).toEqual(['kept', 'gone', 'renamed'].map((name) => saying(name, wentWithIt)));
});

it('explain finds a change further up the chain, and the latest of several removals', async () => {
  const fixture = await createExplainFixture(core);
  const { organization, base, web } = fixture;
  const { owner } = organization;
  const far = await organization.project({ name: 'far' });
  await owner.patch(base.url, { depends_on: far.url });
  await organization.parameter({ project: far, name: 'port' });
  const ownPort = await organization.parameter({ project: web, name: 'port' });
  await owner.patch(base.url, { depends_on: null });
  expect((await explain(owner, web, 'name=port')).reason?.code).toBe('unset');
  await owner.delete(ownPort.url);
  expect(await reasonFor(owner, fixture)).toMatchObject({
    code: 'deleted',
    revision: await readRevision(organization),
  });

  await owner.patch(base.url, { depends_on: far.url });
  await owner.patch(base.url, { depends_on: null });

  const revision = await readRevision(organization);
  expect(await reasonFor(owner, fixture)).toMatchObject({ code: 'no_longer_inherited', revision });
});

it('explain does not reveal to a caller without access what a project once had', async () => {
  const fixture = await createExplainFixture(core);
  const { organization, base, web } = fixture;
  const { owner } = organization;
  const middle = await organization.project({ name: 'middle', depends_on: base.url });
  await owner.patch(web.url, { depends_on: middle.url });
  await organization.parameter({ project: base, name: 'port' });
  await owner.patch(middle.url, { depends_on: null });
  const revision = await readRevision(organization);
  const reader = await createMember(core, organization, 'VIEWER');
  for (const scope of [web, middle]) await owner.patch(scope.url, { access_controlled: true });
  await createGrant(organization, reader.url, web.url, 'VIEWER');

  // The change happened in a forbidden scope, so the response shows only that it happened.
  expect(await reasonFor(reader.client, fixture)).toMatchObject({
    code: 'no_longer_inherited',
    revision,
    actor_name: null,
  });
  await owner.patch(base.url, { access_controlled: true });
  const never = await reasonFor(reader.client, fixture, 'never');
  expect(await reasonFor(reader.client, fixture)).toEqual({ ...never, detail: never?.detail.replace('never', 'port') });
});

it('explain names an open project that has the name, even if many forbidden projects have it', async () => {
  const fixture = await createExplainFixture(core);
  const { organization } = fixture;
  const { owner } = organization;
  const top = await organization.project({ name: 'closed-top' });
  for (let index = 0; index < 24; index += 1) {
    const project = await organization.project({ name: `closed-${index}`, depends_on: top.url });
    await organization.parameter({ project, name: 'shared' });
  }
  await owner.patch(top.url, { access_controlled: true });
  const last = await organization.project({ name: 'zebra' });
  await organization.parameter({ project: last, name: 'shared' });

  const reason = await reasonFor(organization.as('VIEWER'), fixture, 'shared');

  expect(reason).toMatchObject({ code: 'other_project', other_projects: [{ project_name: 'zebra' }] });
  expect(reason?.detail).not.toContain('closed');
  expect((await reasonFor(owner, fixture, 'shared'))?.other_projects).toHaveLength(20);
});

it('explain returns no_longer_inherited for a deleted name, whether the deletion or the end of the inheritance came first', async () => {
  const fixture = await createExplainFixture(core);
  const { organization, base, web } = fixture;
  const { owner } = organization;
  const make = async (name: string) => (await organization.parameter({ project: base, name })).url;
  const before = [await make('deleted_before'), await make('renamed_before')];
  const ownParameter = await organization.parameter({ project: web, name: 'own' });
  await owner.delete(await make('own'));
  await owner.delete(ownParameter.url);
  const ofItsOwn = await readRevision(organization);
  await owner.delete(before[0] ?? '');
  await owner.patch(before[1] ?? '', { name: 'other' });
  await owner.patch(web.url, { depends_on: null });
  const revision = await readRevision(organization);
  const [after, secondResult] = [await make('deleted_after'), await make('again')];
  await owner.delete(after);
  await owner.delete(secondResult);
  await make('again');

  const sight = 'base went out of sight when `depends_on` was changed by Owner.';
  const end = (name: string, change: string) =>
    expect.stringMatching(new RegExp(`^${name} was once a parameter of base\\. ${name} was ${change} ${sight}$`));
  for (const name of ['deleted_before', 'deleted_after']) {
    const detail = end(name, String.raw`deleted by Owner at \S+Z\.`);
    expect(await reasonFor(owner, fixture, name)).toMatchObject({ code: 'no_longer_inherited', revision, detail });
  }
  expect(await reasonFor(owner, fixture, 'renamed_before')).toMatchObject({
    code: 'no_longer_inherited',
    revision,
    detail: end('renamed_before', String.raw`renamed by Owner at \S+Z: it is called other now\.`),
  });
  expect(await reasonFor(owner, fixture, 'again')).toMatchObject({ code: 'other_project' });
  expect(await reasonFor(owner, fixture, 'own')).toMatchObject({ code: 'deleted', revision: ofItsOwn });
  expect(await reasonFor(owner, fixture, 'never')).toMatchObject({ code: 'never_made' });

  const reader = await createMember(core, organization, 'VIEWER');
  await owner.patch(base.url, { access_controlled: true });
  expect(await reasonFor(reader.client, fixture, 'deleted_before')).toMatchObject({ code: 'never_made' });
});
