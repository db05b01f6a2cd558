import type { Page, Pull, RecordedChangeset, TaskStep } from '@strata/contract';
import { createPull, RESOURCE, readPulledValue, runPull } from '../../../testing/pattern-pulls.ts';
import { createPerson } from '../../../testing/people.ts';
import { AzurePushFixture, type PushedShop, setUpAws } from '../../../testing/push-fixture.ts';
import { query } from '../../../testing/query.ts';

const { at, suite, standIn } = await setUpAws();

type Client = PushedShop['organization']['owner'];

const revision = async ({ organization: { owner } }: PushedShop) => {
  const [latest] = (await owner.get<Page<RecordedChangeset>>('changesets/?page_size=1')).body.results;
  return latest;
};

suite.each(['secretsmanager', 'ssm'])(`a pattern pull from %s (${standIn})`, (service) => {
  it('creates external values once, with their environments, projects and secret parameters', async () => {
    const shop = await at.shop({}, service);
    const { owner } = shop.organization;
    await shop.writeElsewhere('/canary/shop/HOST', 'one');
    await shop.writeElsewhere('/canary/shop/PORT', 'two');
    await shop.writeElsewhere('/production/payments/HOST', 'three');
    const pull = await createPull(shop, { service });

    const { task, steps } = await runPull(owner, pull);

    expect(task).toMatchObject({ state: 'success', error_code: null });
    expect(steps.map(({ operation, success, parameter_name }) => [operation, success, parameter_name]).sort()).toEqual([
      ['create', true, 'HOST'],
      ['create', true, 'HOST'],
      ['create', true, 'PORT'],
    ]);
    expect(steps[0]).toMatchObject({ project: expect.any(String), environment: expect.any(String), summary: null });
    const fqn = `${shop.integration.fqn}/eu-central-1/${service}/${service === 'ssm' ? '' : '/'}canary/shop/HOST`;
    expect(await readPulledValue(shop, 'canary', 'shop', 'HOST')).toMatchObject({ text: 'one', fqn, secret: true });
    expect(await readPulledValue(shop, 'production', 'payments', 'HOST')).toMatchObject({ text: 'three' });
    const recorded = await revision(shop);
    expect(recorded).toMatchObject({ message: 'The pull import created values.', actor_name: 'Integrations' });
    at.aws.clear();

    expect(await runPull(owner, pull)).toMatchObject({ task: { state: 'success' }, steps: [] });

    // The run itself is recorded, and nothing else.
    expect((await revision(shop))?.message).toBeNull();
    expect(at.aws.calls().filter(({ operation }) => /^Get(Secret|Parameter)/.test(operation))).toEqual([]);
  });
});

suite('a pattern pull', () => {
  it('creates values that the mapped pull reads again', async () => {
    const shop = await at.shop({});
    const { owner } = shop.organization;
    await shop.writeElsewhere('/production/shop/HOST', 'first');
    await runPull(owner, await createPull(shop));
    await shop.writeElsewhere('/production/shop/HOST', 'second');
    const pulls = (await owner.get<Page<Pull>>(`${shop.integration.url}pulls/`)).body.results;

    await runPull(owner, pulls.find(({ mode }) => mode === 'mapped') as Pull);

    expect(await readPulledValue(shop, 'production', 'shop', 'HOST')).toMatchObject({ text: 'second' });
  });

  it('lists its steps and writes nothing as a dry run', async () => {
    const shop = await at.shop({});
    const { owner } = shop.organization;
    await shop.writeElsewhere('/canary/payments/HOST', 'one');
    await shop.writeElsewhere('/canary/payments/PORT', 'two');
    const pull = await createPull(shop, { dry_run: true });

    const { task, steps } = await runPull(owner, pull);

    expect(task).toMatchObject({ state: 'success', dry_run: true });
    const planned = { operation: 'create', success: true, summary: 'Planned: create.', project_id: null };
    expect(steps).toMatchObject([
      { ...planned, project_name: 'payments', environment_name: 'canary' },
      { ...planned, project_name: 'payments', environment_name: 'canary' },
    ]);
    expect(await readPulledValue(shop, 'canary', 'payments', 'HOST')).toBeNull();
    expect((await revision(shop))?.message).toBeNull();
    const rejected = await owner.post(`${pull.url}sync/`, { dry_run: false });
    expect(rejected).toMatchObject({ status: 400, body: { dry_run: [expect.stringContaining('only plans')] } });
    await owner.patch(pull.url, { dry_run: false });
    expect(await runPull(owner, pull)).toMatchObject({ task: { state: 'success', dry_run: false } });
    expect(await readPulledValue(shop, 'canary', 'payments', 'HOST')).toMatchObject({ text: 'one' });
  });

  it('never changes a value that exists, and says why it left a key out', async () => {
    const shop = await at.shop({ HOST: 'own', PART: 'x' });
    const { owner } = shop.organization;
    for (const name of ['HOST', 'PART', 'deep/PORT'])
      await shop.writeElsewhere(`/production/shop/${name}`, '{"a": "b"}');
    const part = await readPulledValue(shop, 'production', 'shop', 'PART');
    const fqn = `${shop.integration.fqn}/eu-central-1/secretsmanager//production/shop/PART`;
    await owner.patch(part?.url ?? '', { external: true, external_fqn: fqn, external_filter: 'a' });
    const pull = await createPull(shop);

    const { task, steps } = await runPull(owner, pull);

    expect(task).toMatchObject({ state: 'success' });
    const reasons = steps.map(({ summary, success, operation }) => [operation, success, summary]).sort();
    expect(reasons).toEqual([
      ['read', true, expect.stringContaining('does not match')],
      ['read', true, expect.stringContaining('another location or a filter')],
      ['read', true, expect.stringContaining('was set in Strata')],
    ]);
    expect(await readPulledValue(shop, 'production', 'shop', 'HOST')).toMatchObject({ text: 'own', fqn: '' });
    expect(await readPulledValue(shop, 'production', 'shop', 'PART')).toMatchObject({ text: 'b' });
  });

  it('creates no environments and projects if it may not', async () => {
    const shop = await at.shop({});
    const { owner } = shop.organization;
    await shop.writeElsewhere('/canary/shop/HOST', 'one');
    await shop.writeElsewhere('/production/payments/HOST', 'two');
    await shop.writeElsewhere('/production/shop/HOST', 'three');
    await shop.organization.environmentNamed('production');
    const pull = await createPull(shop, { create_environments: false, create_projects: false });

    const { task, steps } = await runPull(owner, pull);

    expect(task).toMatchObject({ state: 'success' });
    expect(steps.map(({ summary }) => summary).sort()).toEqual([
      expect.stringContaining('environment does not exist'),
      expect.stringContaining('project does not exist'),
      null,
    ]);
    expect(await readPulledValue(shop, 'production', 'payments', 'HOST')).toBeNull();
    expect(await readPulledValue(shop, 'production', 'shop', 'HOST')).toMatchObject({ text: 'three' });
  });

  it('imports the other keys if some are rejected, and creates nothing for those', async () => {
    const shop = await at.shop({});
    const { owner, id } = shop.organization;
    await owner.patch(`organizations/${id}/`, { project_name_pattern: '[a-z]+' });
    const plain = await shop.organization.parameter({ project: shop.project, name: 'PLAIN' });
    await shop.organization.parameter({ project: shop.project, name: 'PORT', secret: true, type: 'integer' });
    for (const name of ['new/Shop/HOST', 'production/shop/PLAIN', 'production/shop/HOST', 'production/shop/PORT'])
      await shop.writeElsewhere(`/${name}`, 'hunter2');
    await shop.writeElsewhere('/production/shop/BINARY', 'hunter2\u0000');
    const pull = await createPull(shop);

    const { task, steps } = await runPull(owner, pull);

    expect(task).toMatchObject({ state: 'failure', error_code: 'failed_keys' });
    const results = steps.map(({ success, error_code, error_detail }) => [success, error_code, error_detail]).sort();
    expect(results).toEqual([
      [false, 'external_content_binary', expect.stringContaining('not text')],
      [false, 'external_content_rejected', expect.stringContaining('type and rules')],
      [false, 'external_needs_secret', expect.stringContaining('PLAIN is not secret')],
      [false, 'name_pattern', expect.stringContaining('must match')],
      [true, null, null],
    ]);
    expect(JSON.stringify(steps)).not.toContain('hunter2');
    expect((await owner.get<Page<object>>('environments/?name=new')).body.count).toBe(0);
    expect((await owner.get<Page<object>>(`${plain.url}values/`)).body.count).toBe(0);
    expect(await readPulledValue(shop, 'production', 'shop', 'HOST')).toMatchObject({ text: 'hunter2' });
  });

  it.each([
    ['may not manage integrations any more', { role: 'CONTRIB' }],
    ['may not reveal secrets any more', { reveals_secrets: false }],
  ])('writes nothing if its starter %s when it writes', async (_, change) => {
    const shop = await at.shop({});
    const { owner, id } = shop.organization;
    await shop.writeElsewhere('/production/shop/HOST', 'text');
    const pull = await createPull(shop);
    const admin = await createPerson(at.core, id, 'ADMIN');
    const listing = Promise.withResolvers<void>();
    const released = Promise.withResolvers<null>();
    at.aws.interfere(({ operation }) => {
      if (operation !== 'GetSecretValue') return null;
      listing.resolve();
      return released.promise;
    });
    const ended = runPull(admin.client as Client, pull);
    await listing.promise;
    expect(await owner.patch(`memberships/${admin.membershipId}/`, change)).toMatchObject({ status: 200 });
    released.resolve(null);

    expect(await ended).toMatchObject({ task: { state: 'failure', error_code: 'pull_not_allowed' } });
    expect(await readPulledValue(shop, 'production', 'shop', 'HOST')).toBeNull();
    expect(await runPull(owner, pull)).toMatchObject({ task: { state: 'success' } });
  });

  it('starts only for members who may reveal secrets', async () => {
    const shop = await at.shop({});
    const pull = await createPull(shop);
    const admin = await createPerson(at.core, shop.organization.id, 'ADMIN');
    await shop.organization.owner.patch(`memberships/${admin.membershipId}/`, { reveals_secrets: false });

    const rejected = await admin.client.post(`${pull.url}sync/`);

    expect(rejected).toMatchObject({ status: 403, headers: { 'x-error-code': 'reveal_forbidden' } });
  });

  it('hides steps of forbidden projects, and of keys without a project, from members without access to every scope', async () => {
    const shop = await at.shop({});
    const { owner } = shop.organization;
    await shop.writeElsewhere('/production/shop/HOST', 'text');
    await shop.writeElsewhere('/production/hidden/HOST', 'text');
    await shop.writeElsewhere('/production/unknown', 'text');
    const hidden = await shop.organization.project({ name: 'hidden' });
    await owner.patch(hidden.url, { access_controlled: true });
    const { task, steps } = await runPull(owner, await createPull(shop));
    expect(steps).toHaveLength(3);

    const seen = await shop.organization.as('CONTRIB').get<Page<TaskStep>>(`${task.url}steps/`);

    expect(seen.body.results.map(({ project_name }) => project_name)).toEqual(['shop']);
    expect(seen.text).not.toMatch(/hidden|unknown/);
  });

  it.each([
    ['a service that Strata does not read', { service: 's3' }, 'unsupported_service'],
    ['a region that the integration does not enable', { region: 'us-east-1' }, 'region_disabled'],
  ])('fails without a request with %s', async (_, input, code) => {
    const shop = await at.shop({});
    const pull = await createPull(shop, input);
    at.aws.clear();

    expect(await runPull(shop.organization.owner, pull)).toMatchObject({
      task: { state: 'failure', error_code: code },
    });
    // Scheduled runs of other organizations send requests at any time. Each session of this one assumes its role.
    const roles = at.aws.calls().map(({ input: sentInput }) => sentInput.RoleArn);
    expect(roles).not.toContain(`arn:aws:iam::${shop.integration.aws_account_id}:role/strata`);
  });

  it.each([
    ['no project', '/{{ environment }}/{{ parameter }}'],
    ['an unknown name', `${RESOURCE}/{{ tag }}`],
    ['names without a text between them', '{{ environment }}{{ project }}/{{ parameter }}'],
    ['a regular expression', '(?P<environment>.*)'],
  ])('is not stored with a resource that has %s', async (_, resource) => {
    const shop = await at.shop({});
    const { owner } = shop.organization;
    const rejected = {
      status: 400,
      headers: { 'x-error-code': 'pull_resource' },
      body: { resource: [expect.any(String)] },
    };
    const input = { name: 'new', region: 'eu-central-1', service: 'secretsmanager', resource };
    expect(await owner.post(`${shop.integration.url}pulls/`, input)).toMatchObject(rejected);
    const pull = await createPull(shop);

    expect(await owner.patch(pull.url, { resource })).toMatchObject(rejected);

    expect((await owner.get<Pull>(pull.url)).body.resource).toBe(RESOURCE);
  });

  it('is stored without a resource, as the contract allows, and reads nothing', async () => {
    const shop = await at.shop({});
    const pull = await createPull(shop, { resource: null });
    expect(pull.resource).toBeNull();

    const { task } = await runPull(shop.organization.owner, pull);

    expect(task).toMatchObject({ state: 'failure', error_code: 'invalid_resource' });
  });

  it('fails with a resource that an earlier release has stored, and can still be changed', async () => {
    const shop = await at.shop({});
    const { owner } = shop.organization;
    const pull = await createPull(shop);
    await query(at.core, `update exchange set resource = '(?P<environment>.*)' where id = $1`, [pull.id]);

    expect(await owner.patch(pull.url, { description: 'x' })).toMatchObject({ status: 200 });

    expect(await runPull(owner, pull)).toMatchObject({ task: { state: 'failure', error_code: 'invalid_resource' } });
  });

  it('imports more keys than one changeset contains', async () => {
    const shop = await at.shop({});
    const { owner } = shop.organization;
    const names = Array.from({ length: 201 }, (_, index) => `KEY_${index}`);
    at.aws.interfere(({ operation, input }) => {
      if (operation === 'ListSecrets') {
        const SecretList = names.map((name) => ({ ARN: name, Name: `/production/bulk/${name}` }));
        return { kind: 'answer', body: { SecretList } };
      }
      if (operation !== 'GetSecretValue') return null;
      return { kind: 'answer', body: { Name: input.SecretId, SecretString: String(input.SecretId), VersionId: 'v' } };
    });

    const { task } = await runPull(owner, await createPull(shop));

    expect(task).toMatchObject({ state: 'success' });
    expect(await readPulledValue(shop, 'production', 'bulk', 'KEY_200')).toMatchObject({
      text: '/production/bulk/KEY_200',
    });
    const { body } = await owner.get<Page<RecordedChangeset>>('changesets/?page_size=2');
    expect(body.results.map(({ message }) => message)).toEqual(Array(2).fill('The pull import created values.'));
  });
});

describe('a pattern pull from Azure Key Vault', () => {
  it('creates values under the names that the vault has', async () => {
    const azure = await AzurePushFixture.open();
    try {
      const shop = await azure.shop({});
      await shop.writeElsewhere('canary-payments-db-host', 'text');
      const pull = await createPull(shop, { resource: '{{ environment }}/{{ project }}/{{ parameter }}' });

      expect(await runPull(shop.organization.owner, pull)).toMatchObject({ task: { state: 'success' } });

      const fqn = `${shop.integration.fqn}/canary-payments-db-host`;
      expect(await readPulledValue(shop, 'canary', 'payments', 'db-host')).toMatchObject({ text: 'text', fqn });
    } finally {
      await azure.close();
    }
  });
});
