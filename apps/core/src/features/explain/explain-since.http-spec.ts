import type { Environment, Page, Parameter } from '@strata/contract';
import { type RunningCore, sharedCore } from '@strata/testkit';
import { createExplainFixture, type ExplainFixture, explain, readRevision } from '../../testing/explain.ts';

let core: RunningCore;
beforeAll(async () => {
  core = await sharedCore();
});

/** Runs an action, and expects that the effective value in canary last changed with it. */
async function sinceAfter(
  { organization, web }: Pick<ExplainFixture, 'organization' | 'web'>,
  name: string,
  act: () => Promise<unknown>,
  expected: object,
): Promise<void> {
  await act();
  const revision = await readRevision(organization);
  const { since } = await explain(organization.owner, web, `environment=canary&name=${name}`);
  expect(since).toMatchObject({ revision, exact: true, actor_type: 'interactive', ...expected });
}

it('explain reports since when a value is effective, for every kind of cause', async () => {
  const all = await createExplainFixture(core);
  const { organization, base, web, root, production, canary } = all;
  const { owner } = organization;
  const host = await organization.parameter({ project: base, name: 'host' });
  const at = (name: string, act: () => Promise<unknown>, expected: object) => sinceAfter(all, name, act, expected);
  const value = async (parameter: Parameter, environment: Environment, text: string) =>
    organization.value({ parameter, environment, internal_value: text });

  let inRoot = '';
  const set = async () => {
    inRoot = (await value(host, root, 'one')).url;
  };
  await at('host', set, { action: 'create', object_type: 'Value', environment_name: 'default', project_name: 'base' });
  await at('host', () => owner.patch(inRoot, { internal_value: 'two' }), { action: 'update', object_type: 'Value' });
  const before = await explain(owner, web, 'environment=canary&name=host');
  await owner.patch(inRoot, { internal_value: 'two' });
  await owner.patch(canary.url, { description: 'something else' });
  const covered = await organization.parameter({ project: web, name: 'host' });
  const coveredValue = await value(covered, production, 'three');
  const { since } = await explain(owner, web, 'environment=production&name=host');
  expect(since?.object_id).toBe(coveredValue.id);
  await owner.delete(coveredValue.url);
  await owner.delete(covered.url);
  await value(host, production, 'two');
  // The effective text has not changed, although other values were written meanwhile.
  expect((await explain(owner, base, 'environment=canary&name=host')).since?.revision).toBe(before.since?.revision);

  const [sibling] = [await organization.environment({ name: 'other', parent: root.url })];
  await value(host, sibling, 'four');
  await at('host', () => owner.patch(canary.url, { parent: sibling.url }), {
    action: 'update',
    object_type: 'Environment',
    object_id: canary.id,
  });
  await at(
    'host',
    () => owner.patch(web.url, { depends_on: null }).then(() => owner.patch(web.url, { depends_on: base.url })),
    {
      action: 'update',
      object_type: 'Project',
      object_id: web.id,
    },
  );
  await at(
    'link',
    async () => {
      const link = await organization.parameter({ project: web, name: 'link' });
      await organization.value({ parameter: link, internal_value: 'https://{{ host }}', interpolated: true });
    },
    { object_type: 'Value', action: 'create' },
  );
  const values = await owner.get<Page<{ url: string; environment_name: string }>>(`${host.url}values/`);
  const inOther = values.body.results.find(({ environment_name: name }) => name === 'other')?.url ?? '';
  await at('link', () => owner.patch(inOther, { internal_value: 'five' }), {
    action: 'update',
    object_type: 'Value',
    environment_name: 'other',
  });
  const port = await organization.parameter({ project: base, name: 'port' });
  await value(port, root, '1');
  await at('listen', () => owner.patch(port.url, { name: 'listen' }), {
    action: 'update',
    object_type: 'Parameter',
    object_id: port.id,
  });
});

it('explain reports if the history is too long to process', async () => {
  const { organization, web, root, production } = await createExplainFixture(core);
  const { owner } = organization;
  const parameter = await organization.parameter({ project: web, name: 'short' });
  await organization.value({ parameter, environment: production, internal_value: 'long since' });
  const revision = await readRevision(organization);
  const { url } = await organization.value({ parameter, environment: root, internal_value: '' });
  // Production overrides these changes, and one read of the history cannot return all of them.
  for (let index = 0; index < 270; index += 1)
    await owner.patch(url, { internal_value: `${index}`.padEnd(65_000, 'x') });

  const inCanary = await explain(owner, web, 'environment=canary&name=short');
  const inDefault = await explain(owner, web, 'environment=default&name=short&mask_secrets=true');

  expect(inCanary.winner?.value).toBe('long since');
  expect(inCanary.since).toMatchObject({ exact: false, actor_id: null, object_id: null });
  expect(inCanary.since?.revision).toBeGreaterThan(revision);
  expect(inDefault.since).toMatchObject({ exact: true, action: 'update' });
});
