import type { AppliedChangeset, AuditTrail, Effective, Page, Parameter, Plan, Project } from '@strata/contract';
import { type RawClient, type RunningCore, sharedCore, type TestOrganization } from '@strata/testkit';
import { createGrant, createMember } from '../../testing/members.ts';

let core: RunningCore;
beforeAll(async () => {
  core = await sharedCore();
});

const apply = (client: RawClient, ...operations: readonly object[]) =>
  client.post<AppliedChangeset>('changesets/', { operations });

const set = (project: string, environment: string, values: object) => ({
  set: { project, environment, values, create_missing: true },
});

const from = (environment: string, more: object = {}) => ({ from: { environment, ...more } });

async function effective({ owner }: TestOrganization, project: Project, environment: string) {
  return (await owner.get<Effective>(`${project.url}effective/?environment=${environment}`)).body.values;
}

/** Creates `web`, which depends on `base` and inherits its secret. In staging, `web` has its own secret and text. */
async function fixture() {
  const organization = await core.organization();
  const base = await organization.project({ name: 'base' });
  const web = await organization.project({ name: 'web', depends_on: base.url });
  await apply(
    organization.owner,
    set('base', 'default', { SHARED: { value: 'hunter-base', secret: true } }),
    set('web', 'default', { HOST: 'old.example', TOKEN: { value: 'hunter-default', secret: true } }),
    set('web', 'staging', { HOST: 'new.example', TOKEN: 'hunter-staging' }),
  );
  return { organization, base, web };
}

/** Returns the expected error of a rejected operation. */
const rejection = (status: number, code: string, error: object) => ({
  status,
  body: { operations: [{ code, error: expect.objectContaining(error) }] },
});

describe('a value that is copied from another location', () => {
  it('stays secret, and no response contains its text', async () => {
    const { organization, web } = await fixture();

    const applied = await apply(
      organization.owner,
      set('web', 'production', { HOST: from('staging'), TOKEN: { ...from('staging'), if_none_match: '*' } }),
    );

    expect(applied).toMatchObject({ status: 201, body: { operations: [{ changes: [{}, {}] }] } });
    expect(applied.text).not.toContain('hunter');
    expect(await effective(organization, web, 'production')).toMatchObject({
      HOST: 'new.example',
      TOKEN: 'hunter-staging',
    });
    const { body } = await organization.owner.get<Page<AuditTrail>>('audit/?access_log=true&action=reveal');
    expect(body.results.map(({ object_name: name }) => name)).not.toContain('TOKEN');
  });

  it('may be inherited in its source from an environment or a project', async () => {
    const { organization, web } = await fixture();

    const values = { TOKEN: from('production'), SHARED: from('production') };
    expect(await apply(organization.owner, set('web', 'staging', values))).toMatchObject({ status: 201 });

    expect(await effective(organization, web, 'staging')).toMatchObject({
      TOKEN: 'hunter-default',
      SHARED: 'hunter-base',
    });
    const { body } = await organization.owner.get<Page<Parameter>>(`${web.url}parameters/?name=SHARED`);
    expect(body.results).toMatchObject([{ secret: true, project: web.url }]);
  });

  it('may come from the past or from another project; a new parameter gets the same type', async () => {
    const { organization, web } = await fixture();
    const otherProject = await organization.project({ name: 'other' });
    await organization.parameter({ project: web, name: 'PORT', type: 'integer', description: 'Listens here' });
    const { revision } = (await apply(organization.owner, set('web', 'default', { PORT: '80' }))).body;
    await apply(organization.owner, set('web', 'default', { PORT: '443', TOKEN: 'hunter-later' }));

    const past = from('default', { project: 'web', revision });
    expect(await apply(organization.owner, set('other', 'default', { PORT: past, TOKEN: past }))).toMatchObject({
      status: 201,
    });

    expect(await effective(organization, otherProject, 'default')).toEqual({ PORT: '80', TOKEN: 'hunter-default' });
    const { body } = await organization.owner.get<Page<Parameter>>(`${otherProject.url}parameters/`);
    expect(body.results).toMatchObject([
      { name: 'PORT', type: 'integer', description: 'Listens here', secret: false },
      { name: 'TOKEN', secret: true },
    ]);
    const never = from('default', { project: 'web', revision: 1_000_000 });
    expect(await apply(organization.owner, set('other', 'default', { PORT: never }))).toMatchObject(
      rejection(404, 'unknown_revision', {}),
    );
  });

  it('is rejected by name if it does not exist, is dynamic, or would change its secret flag', async () => {
    const { organization, web } = await fixture();
    const otherProject = await organization.project({ name: 'other' });
    await organization.parameter({ project: otherProject, name: 'TOKEN' });
    await organization.parameter({ project: otherProject, name: 'HOST', secret: true });
    const dynamic = await organization.parameter({ project: web, name: 'URL' });
    await organization.value({ parameter: dynamic, internal_value: 'https://{{ HOST }}', interpolated: true });
    const into = (project: string, values: object) => apply(organization.owner, set(project, 'production', values));

    const web_ = { project: 'web' };
    const bothValues = { TOKEN: from('staging', web_), HOST: from('staging', web_) };
    const errors = [expect.stringContaining('One of the two parameters is secret')];
    const leaked = await into('other', bothValues);
    expect(leaked).toMatchObject(rejection(400, 'parameter_mismatch', { TOKEN: errors, HOST: errors }));
    expect(leaked.text).not.toContain('hunter');
    expect(await into('web', { URL: from('staging') })).toMatchObject(
      rejection(400, 'parameter_mismatch', { URL: [expect.stringContaining('dynamic')] }),
    );
    expect(await into('web', { TOKEN: { ...from('staging'), secret: false } })).toMatchObject(
      rejection(400, 'parameter_mismatch', { TOKEN: [expect.stringContaining('is secret in staging')] }),
    );
    expect(await into('web', { NOWHERE: from('staging') })).toMatchObject(
      rejection(404, 'unknown_parameter', { NOWHERE: ['NOWHERE has no value in staging.'] }),
    );
    expect(await into('web', { HOST: { ...from('staging'), value: 'x' } })).toMatchObject({ status: 400 });
    expect(await into('web', { HOST: {} })).toMatchObject({ status: 400 });
  });

  it('returns 412 if the target does not have the expected version', async () => {
    const { organization } = await fixture();

    const late = set('web', 'staging', { TOKEN: { ...from('default'), if_none_match: '*' } });
    expect(await apply(organization.owner, late)).toMatchObject({ status: 412 });
  });

  it('can be planned without revealing a secret, and is applied exactly as planned or not at all', async () => {
    const { organization, web } = await fixture();
    const operations = [set('web', 'production', { TOKEN: from('staging') })];
    const planned = async () => (await organization.owner.post<Plan>('changesets/plan/', { operations })).body;

    const plan = await planned();
    expect(plan).toMatchObject({
      refusals: [],
      effective_changes: [{ environment_name: 'production', before: '*****', after: '*****', masked: true }],
    });
    await apply(organization.owner, set('web', 'staging', { TOKEN: 'hunter-later' }));
    const outdated = await organization.owner.post('changesets/', { operations, plan_hash: plan.plan_hash });
    expect(outdated).toMatchObject({ status: 412, headers: { 'x-error-code': 'plan_outdated' } });
    const { plan_hash } = await planned();
    expect(await organization.owner.post('changesets/', { operations, plan_hash })).toMatchObject({ status: 201 });
    expect(await effective(organization, web, 'production')).toMatchObject({ TOKEN: 'hunter-later' });
  });
});

it('only applying a changeset validates a copied secret, so that plans reveal nothing about it', async () => {
  const { organization } = await fixture();
  const otherProject = await organization.project({ name: 'other' });
  const token = await organization.parameter({ project: otherProject, name: 'TOKEN', secret: true });
  await organization.owner.post(`${token.url}rules/`, { type: 'max_len', constraint: '5' });
  const operations = [set('other', 'default', { TOKEN: from('default', { project: 'web' }) })];

  const { body: plan } = await organization.owner.post<Plan>('changesets/plan/', { operations });
  expect(plan).toMatchObject({ refusals: [], uncovered: [{ reason: 'secret_not_judged', name: 'TOKEN' }] });
  const response = await organization.owner.post('changesets/', { operations });
  expect(response).toMatchObject({
    status: 400,
    body: { operations: [{ code: 'rule_violation', rules: ['max_len'] }] },
  });
  expect(response.headers['x-error-rule']).toBe('max_len');
  expect(response.text).not.toContain('hunter');
});

describe('a forbidden location', () => {
  it('cannot be copied from, and the response does not reveal whether it has a value', async () => {
    const { organization, web } = await fixture();
    await organization.project({ name: 'mine' });
    const staging = await organization.environmentNamed('staging');
    const { client } = await createMember(core, organization, 'CONTRIB');
    const copied = (environment: string, project: string, name: string) =>
      apply(client, set('mine', 'default', { [name]: from(environment, { project }) }));
    await organization.owner.patch(staging.url, { access_controlled: true });

    const there = await copied('staging', 'web', 'TOKEN');
    expect(there).toMatchObject({ status: 403, body: { operations: [{ code: 'forbidden' }] } });
    expect((await copied('staging', 'web', 'NOWHERE')).text).toBe(there.text);

    await organization.owner.patch(web.url, { access_controlled: true });
    const inside = await copied('default', 'web', 'TOKEN');
    expect(inside).toMatchObject({ status: 403, body: { operations: [{ code: 'forbidden' }] } });
    expect((await copied('default', 'web', 'NOWHERE')).text).toBe(inside.text);
  });

  it('can be copied to a location with more readers only by an owner', async () => {
    const { organization, web } = await fixture();
    await organization.project({ name: 'open' });
    const [writer, owner] = [await createMember(core, organization), await createMember(core, organization)];
    await organization.owner.patch(web.url, { access_controlled: true });
    await createGrant(organization, writer.url, web.url, 'CONTRIB');
    await createGrant(organization, owner.url, web.url, 'OWNER');
    const opened = set('open', 'default', { TOKEN: from('staging', { project: 'web' }) });

    expect(await apply(writer.client, opened)).toMatchObject({
      status: 403,
      body: { operations: [{ code: 'copy_would_open' }] },
    });
    expect(await apply(writer.client, set('web', 'production', { TOKEN: from('staging') }))).toMatchObject({
      status: 201,
    });
    expect(await apply(owner.client, opened)).toMatchObject({ status: 201 });
  });
});
