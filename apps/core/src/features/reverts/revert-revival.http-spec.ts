import type {
  AuditTrail,
  Effective,
  Environment,
  Grant,
  Page,
  Parameter,
  Project,
  RecordedChangeset,
  Value,
} from '@strata/contract';
import { type RunningCore, sharedCore, type TestOrganization } from '@strata/testkit';
import { createGrant, createMember } from '../../testing/members.ts';
import { query } from '../../testing/query.ts';
import { applyChanges, latestRevision, listConflicts, revertChanges, set } from '../../testing/reverts.ts';

let core: RunningCore;
beforeAll(async () => {
  core = await sharedCore();
});

const CANARY = 'canary-of-the-vault';

async function tree(organization: TestOrganization) {
  await applyChanges(organization, [
    { operation: 'projects_create', as: 'base', body: { name: 'base' } },
    {
      operation: 'projects_create',
      as: 'web',
      body: { name: 'web', depends_on: { $ref: 'base' }, description: 'a shop' },
    },
    { operation: 'projects_create', body: { name: 'leaf', depends_on: { $ref: 'web' } } },
    { operation: 'environments_create', as: 'test', body: { name: 'test' } },
    { operation: 'environments_create', body: { name: 'test-a', parent: { $ref: 'test' } } },
  ]);
  await applyChanges(organization, [
    set('base', { HOST: 'example.com' }),
    set('web', { PORT: { value: '443', type: 'integer' }, TOKEN: { value: CANARY, secret: true } }, 'test'),
    set('leaf', { OWN: '1' }, 'test-a'),
  ]);
  const { results } = (await organization.owner.get<Page<Project>>('projects/?page_size=100')).body;
  const [base, web, leaf] = ['base', 'web', 'leaf'].map((name) => results.find((project) => project.name === name));
  return { base: base as Project, web: web as Project, leaf: leaf as Project };
}

const readTexts = async ({ owner }: TestOrganization, { url }: Project, environment: string) =>
  (await owner.get<Effective>(`${url}effective/?environment=${environment}&mask_secrets=false`)).body.values;

describe('a deleted object', () => {
  it('is restored with its ids and contents', async () => {
    const organization = await core.organization();
    const { owner } = organization;
    const { web, leaf } = await tree(organization);
    const parameters = (await owner.get<Page<Parameter>>(`${web.url}parameters/`)).body.results;
    const texts = await readTexts(organization, leaf, 'test-a');
    const [test, inner] = [await organization.environmentNamed('test'), await organization.environmentNamed('test-a')];

    const { revision } = await applyChanges(organization, [
      { operation: 'projects_destroy', path: { id: leaf.id } },
      { operation: 'projects_destroy', path: { id: web.id } },
      { operation: 'environments_destroy', path: { id: inner.id } },
      { operation: 'environments_destroy', path: { id: test.id } },
    ]);
    expect((await owner.get(web.url)).status).toBe(404);
    const back = await revertChanges(owner, revision);

    expect([back.status, back.body.not_revertible]).toEqual([201, []]);
    expect((await owner.get<Project>(web.url)).body).toMatchObject({ name: 'web', description: 'a shop' });
    expect((await owner.get<Environment>(inner.url)).body).toMatchObject({ parent: test.url });
    const secondParameter = (await owner.get<Page<Parameter>>(`${web.url}parameters/`)).body.results;
    expect(secondParameter.map(({ id, name, type, secret }) => [id, name, type, secret])).toEqual(
      parameters.map(({ id, name, type, secret }) => [id, name, type, secret]),
    );
    expect(await readTexts(organization, leaf, 'test-a')).toEqual(texts);
  });

  it('gets new timestamps, and reads of the time in between stay the same', async () => {
    const organization = await core.organization();
    const { owner } = organization;
    const { leaf } = await tree(organization);
    const before = await latestRevision(organization);
    const [parameter] = (await owner.get<Page<Parameter>>(`${leaf.url}parameters/?name=OWN`)).body.results;
    const { revision } = await applyChanges(organization, [{ operation: 'projects_destroy', path: { id: leaf.id } }]);
    const back = (await revertChanges(owner, revision)).body.revision;

    const now = (await owner.get<Project>(leaf.url)).body;
    expect(now.created_at > leaf.created_at).toBe(true);
    expect(now.created_at).toBe(now.modified_at);
    for (const [at, status] of [
      [before, 200],
      [revision, 404],
      [back, 200],
    ] as const) {
      const instant = (await owner.get<RecordedChangeset>(`changesets/${at}/`)).body.at;
      for (const { url } of [leaf, parameter as Parameter]) {
        expect([at, url, (await owner.get(`${url}?as_of=${instant}`)).status]).toEqual([at, url, status]);
      }
    }
    const timeline = (await owner.get<{ results: { history_type: string }[] }>(`${parameter?.url}timeline/`)).body;
    const types = timeline.results.map(({ history_type: type }) => type);
    expect(types.slice(0, 2).sort()).toEqual(['create', 'create']);
    expect(types).toContain('delete');
  });

  it('is recorded object by object, and raises the same events as a copy', async () => {
    const organization = await core.organization();
    const { leaf } = await tree(organization);
    const { revision } = await applyChanges(organization, [{ operation: 'projects_destroy', path: { id: leaf.id } }], {
      message: 'away with it',
    });
    const back = await revertChanges(organization.owner, revision);
    expect(back.body).toMatchObject({
      message: `Revert of revision ${revision}: away with it`,
      change_count: 3,
      changes: [
        { action: 'create', object_type: 'Project', object_name: 'leaf' },
        { action: 'create', object_type: 'Parameter', object_name: 'OWN' },
        { action: 'create', object_type: 'Value', object_name: 'OWN', environment_name: 'test-a' },
      ],
    });
    const audit = (await organization.owner.get<Page<AuditTrail>>('audit/?page_size=3')).body.results;
    expect(audit.map(({ action, object_type: type }) => [action, type])).toEqual([
      ['create', 'Value'],
      ['create', 'Parameter'],
      ['create', 'Project'],
    ]);
  });

  it('shows no secret, and its secrets are encrypted again', async () => {
    const organization = await core.organization();
    const { web, leaf } = await tree(organization);
    const { revision } = await applyChanges(organization, [
      { operation: 'projects_destroy', path: { id: leaf.id } },
      { operation: 'projects_destroy', path: { id: web.id } },
    ]);
    const sealed = () =>
      query<{ sealed: string }>(
        core,
        `select encode(sealed, 'hex') as sealed from value where organization_id = $1 and sealed is not null
         union all select encode(sealed, 'hex') from value_history where organization_id = $1 and sealed is not null`,
        [organization.id],
      );
    const before = await sealed();
    const back = await revertChanges(organization.owner, revision);
    const after = await sealed();

    expect(back.status).toBe(201);
    expect(new Set(after.map((row) => row.sealed)).size).toBe(before.length + 1);
    expect(await readTexts(organization, web, 'test')).toMatchObject({ TOKEN: CANARY });
    const response = await revertChanges(organization.owner, revision);
    for (const { text } of [back, response, await organization.owner.get('audit/?page_size=100')]) {
      expect(text).not.toContain(CANARY);
    }
  });
});

describe('a deleted scope with access control', () => {
  const grantsOn = async ({ owner }: TestOrganization, { id }: { readonly id: string }) =>
    (await owner.get<Page<Grant>>('grants/?page_size=100')).body.results
      .filter(({ scope }) => scope.includes(id))
      .map(({ principal, role }) => [principal, role])
      .sort();
  const departed = ({ id }: TestOrganization) =>
    query(core, 'select scope_id from departed_scope where organization_id = $1', [id]);

  it.each(['projects', 'environments'] as const)('is restored with its access control and grants: %s', async (noun) => {
    const organization = await core.organization();
    const scope = noun === 'projects' ? await organization.project() : await organization.environment();
    const [writer, departedMember, outsider] = [
      await createMember(core, organization),
      await createMember(core, organization),
      await createMember(core, organization),
    ];
    await organization.owner.patch(scope.url, { access_controlled: true });
    await createGrant(organization, writer.url, scope.url, 'CONTRIB');
    await createGrant(organization, departedMember.url, scope.url, 'VIEWER');
    const before = await grantsOn(organization, scope);
    const { revision } = await applyChanges(organization, [{ operation: `${noun}_destroy`, path: { id: scope.id } }]);
    expect((await organization.owner.delete(departedMember.url.replace('/users/', '/serviceaccounts/'))).status).toBe(
      204,
    );

    const back = await revertChanges(organization.owner, revision);
    expect([back.status, back.body.not_revertible]).toEqual([201, []]);
    expect(await grantsOn(organization, scope)).toEqual(
      before.filter(([principal]) => principal !== departedMember.url),
    );
    expect(await departed(organization)).toEqual([]);
    const inside = noun === 'projects' ? 'parameters/' : 'tags/';
    expect((await writer.client.get(`${scope.url}${inside}`)).status).toBe(200);
    expect((await outsider.client.get(`${scope.url}${inside}`)).status).toBe(403);
  });

  it('gets the caller of the revert as its owner if no earlier owner remains', async () => {
    const organization = await core.organization();
    const [owner, admin] = [await createMember(core, organization), await createMember(core, organization, 'ADMIN')];
    const project = (await owner.client.post<Project>('projects/', { name: 'mine' })).body;
    await createGrant(organization, owner.url, project.url, 'OWNER');
    const others = (await organization.owner.get<Page<Grant>>('grants/')).body.results;
    for (const { url, principal } of others) if (principal !== owner.url) await organization.owner.delete(url);
    const { revision } = await applyChanges(organization, [
      { operation: 'projects_destroy', path: { id: project.id } },
    ]);
    await organization.owner.delete(owner.url.replace('/users/', '/serviceaccounts/'));

    expect((await revertChanges(admin.client, revision)).status).toBe(201);
    expect(await grantsOn(organization, project)).toEqual([[admin.url, 'OWNER']]);
  });

  it('can be restored by its ADMINs, but not by members who could only write in it', async () => {
    const organization = await core.organization();
    const [admin, writer, outsider] = [
      await createMember(core, organization),
      await createMember(core, organization),
      await createMember(core, organization),
    ];
    const project = await organization.project();
    await organization.owner.patch(project.url, { access_controlled: true });
    await createGrant(organization, admin.url, project.url, 'ADMIN');
    await createGrant(organization, writer.url, project.url, 'CONTRIB');
    await applyChanges(organization, [set(project.name, { A: 'hidden-a' })]);
    const { revision } = await applyChanges(organization, [
      { operation: 'projects_destroy', path: { id: project.id } },
    ]);

    const rejected = await revertChanges(outsider.client, revision);
    expect([rejected.status, listConflicts(rejected)]).toEqual([403, ['null null: forbidden']]);
    for (const hidden of [project.name, project.id, 'hidden-a']) expect(rejected.text).not.toContain(hidden);
    const response = await revertChanges(writer.client, revision);
    expect([response.status, listConflicts(response)]).toEqual([
      409,
      ['Value A: needs_skipped', 'Parameter A: needs_skipped', `Project ${project.name}: forbidden`],
    ]);
    expect(await departed(organization)).toHaveLength(1);
    expect((await revertChanges(admin.client, revision)).status).toBe(201);
    const { results } = (await admin.client.get<Page<Parameter>>(`${project.url}parameters/`)).body;
    const values = (await admin.client.get<Page<Value>>(`${results[0]?.url}values/`)).body.results;
    expect(values).toHaveLength(1);
  });
});
