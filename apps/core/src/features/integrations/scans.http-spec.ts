import type { DiscoveryResult } from '@strata/contract';
import { createPull, readPulledValue, runPull } from '../../testing/pattern-pulls.ts';
import { AzurePushFixture, type PushedShop, setUpAws } from '../../testing/push-fixture.ts';
import { query } from '../../testing/query.ts';

const { at, suite, standIn } = await setUpAws();
const RESOURCE = '/{{ environment }}/{{ project }}/{{ parameter }}';

const scan = async ({ organization, integration }: PushedShop, input: object) => {
  const response = await organization.owner.post<DiscoveryResult>(`${integration.url}scan/`, {
    region: 'eu-central-1',
    service: 'secretsmanager',
    resource: RESOURCE,
    ...input,
  });
  if (response.status !== 200) throw new Error(response.text);
  return response.body;
};

suite.each(['secretsmanager', 'ssm'])(`a scan of %s (${standIn})`, (service) => {
  it('returns the keys that match, with the names that a pull would read, and stores nothing', async () => {
    const shop = await at.shop({}, service);
    await shop.writeElsewhere('/production/shop/HOST', 'example.com');
    await shop.writeElsewhere('/production/other', 'x');
    await shop.writeElsewhere('HOST', 'x');
    const { owner } = shop.organization;
    const before = (await owner.get('projects/')).headers['x-revision'];
    at.aws.clear();

    const { matched, skipped } = await scan(shop, { service });

    const root = `${shop.integration.fqn}/eu-central-1/${service}`;
    const slash = service === 'ssm' ? '' : '/';
    expect(matched).toEqual({
      [`${root}/${slash}production/shop/HOST`]: [
        {
          venue_id: '/production/shop/HOST',
          venue_name: '/production/shop/HOST',
          environment_name: 'production',
          project_name: 'shop',
          parameter_name: 'HOST',
        },
      ],
    });
    expect(skipped).toEqual({ [`${root}/${slash}production/other`]: 'The key does not match the resource.' });
    expect(at.aws.calls().filter(({ operation }) => /^(Get(Secret|Parameter)|Put|Create)/.test(operation))).toEqual([]);
    expect((await owner.get('projects/')).headers['x-revision']).toBe(before);
  });
});

suite('a scan', () => {
  it.each([
    [
      'a resource without a placeholder',
      { resource: '/{{ environment }}/{{ parameter }}' },
      'Insert {{ project }} once',
    ],
    ['a service that Strata does not read', { service: 's3' }, 'does not support the service s3'],
    ['a region that the integration does not enable', { region: 'us-east-1' }, 'does not enable the region us-east-1'],
  ])('returns the reason for %s', async (_, input, reason) => {
    const shop = await at.shop({});
    at.aws.clear();

    expect(await scan(shop, input)).toEqual({
      matched: {},
      skipped: { [shop.integration.fqn]: expect.stringContaining(reason) },
    });
    expect(at.aws.calls()).toEqual([]);
  });

  it('returns the reason of the provider', async () => {
    const shop = await at.shop({});
    at.aws.interfere(({ operation }) =>
      operation === 'ListSecrets' ? { kind: 'error', code: 'AccessDeniedException', status: 400 } : null,
    );

    expect(await scan(shop, {})).toEqual({
      matched: {},
      skipped: { [shop.integration.fqn]: expect.stringContaining('AccessDeniedException') },
    });
  });

  it('leaves out keys whose names no object can have, and more keys than a run can import', async () => {
    const shop = await at.shop({});
    const answer = (names: readonly string[]) =>
      at.aws.interfere(({ operation }) =>
        operation === 'ListSecrets'
          ? { kind: 'answer', body: { SecretList: names.map((name) => ({ ARN: name, Name: name })) } }
          : null,
      );
    answer([`/${'e'.repeat(257)}/shop/HOST`]);
    expect(Object.values((await scan(shop, {})).skipped)).toEqual([expect.stringContaining('cannot be a name')]);

    answer(Array.from({ length: 5_001 }, (_, index) => `/production/shop/KEY_${index}`));
    expect(await scan(shop, {})).toEqual({
      matched: {},
      skipped: { [shop.integration.fqn]: expect.stringContaining('More than 5000 keys') },
    });
  });

  it('reads a resource of the Parameter Store without its first slash', async () => {
    const shop = await at.shop({}, 'ssm');
    await shop.writeElsewhere('/production/shop/HOST', 'x');
    const input = { service: 'ssm', resource: RESOURCE.slice(1) };

    expect(Object.keys((await scan(shop, input)).matched)).toEqual([
      `${shop.integration.fqn}/eu-central-1/ssm/production/shop/HOST`,
    ]);

    expect(await runPull(shop.organization.owner, await createPull(shop, input))).toMatchObject({
      task: { state: 'success' },
      steps: [{ operation: 'create' }],
    });
  });

  it('leaves out keys whose parameters inherit a value, like a run', async () => {
    const shop = await at.shop({ PORT: 'own' });
    const { organization, project } = shop;
    const { owner } = organization;
    const base = await organization.project({ name: 'base' });
    await owner.patch(project.url, { depends_on: base.url });
    const host = await organization.parameter({ project: base, name: 'HOST', secret: true });
    await owner.post(`${host.url}values/`, {
      environment: (await organization.environmentNamed('default')).url,
      internal_value: 'base',
    });
    for (const name of [
      'canary/shop/HOST',
      'production/shop/HOST',
      'default/shop/HOST',
      'default/shop/NAME',
      'production/shop/NAME',
    ])
      await shop.writeElsewhere(`/${name}`, 'x');

    const { matched, skipped } = await scan(shop, {});

    const shortNames = (fqns: readonly string[]) => fqns.map((fqn) => fqn.split('//').at(-1)).sort();
    const inherited = ['canary/shop/HOST', 'default/shop/HOST', 'production/shop/HOST'];
    expect(shortNames(Object.keys(matched))).toEqual(['default/shop/NAME', 'production/shop/NAME']);
    expect(shortNames(Object.keys(skipped))).toEqual(inherited);
    expect(Object.values(skipped)).toEqual(Array(3).fill(expect.stringContaining('inherits a value')));
    const { task, steps } = await runPull(owner, await createPull(shop));
    expect(task).toMatchObject({ state: 'success' });
    expect(steps.map(({ operation, fqn }) => [operation, fqn?.split('//').at(-1)]).sort()).toEqual([
      ['create', 'default/shop/NAME'],
      ['create', 'production/shop/NAME'],
      ...inherited.map((name) => ['read', name]),
    ]);
    expect(await readPulledValue(shop, 'production', 'shop', 'NAME')).toMatchObject({ text: 'x' });
    expect(await scan(shop, {})).toMatchObject({ matched });
  });

  it('shares its limit with the lists of stores', async () => {
    const shop = await at.shop({});
    const { owner } = shop.organization;
    const input = { region: 'eu-central-1', service: 'secretsmanager', resource: RESOURCE };
    const send = () => owner.post(`${shop.integration.url}scan/`, input);
    let response = await send();
    let count = 0;
    // A turn is added each second, so a slow machine needs more requests.
    for (; response.status === 200 && count < 500; count += 1) response = await send();

    expect(response).toMatchObject({ status: 429, headers: { 'x-error-code': 'rate_limited' } });
    const fqn = encodeURIComponent(`${shop.integration.fqn}/eu-central-1/secretsmanager`);
    expect(await owner.get(`integrations/explore/?fqn=${fqn}`)).toMatchObject({ status: 429 });
  });

  it('waits after a restore, and is for ADMINs', async () => {
    const shop = await at.shop({});
    expect(
      await shop.organization.as('CONTRIB').post(`${shop.integration.url}scan/`, { resource: RESOURCE }),
    ).toMatchObject({
      status: 403,
    });
    await query(at.core, `update integration set held_because = 'restore' where id = $1`, [shop.integration.id]);
    at.aws.clear();

    expect(await scan(shop, {})).toEqual({
      matched: {},
      skipped: { [shop.integration.fqn]: expect.stringContaining('after a restore') },
    });
    expect(at.aws.calls()).toEqual([]);
  });
});

describe('a scan of Azure Key Vault', () => {
  it('reads names as the vault keeps them', async () => {
    const azure = await AzurePushFixture.open();
    try {
      const shop = await azure.shop({});
      await shop.writeElsewhere('prod-shop-db-host', 'x');

      const { matched, skipped } = await scan(shop, { resource: '{{ environment }}/{{ project }}/{{ parameter }}' });

      expect(matched).toEqual({
        [`${shop.integration.fqn}/prod-shop-db-host`]: [
          expect.objectContaining({ environment_name: 'prod', project_name: 'shop', parameter_name: 'db-host' }),
        ],
      });
      expect(Object.keys(skipped)).toEqual([`${shop.integration.fqn}/strata-organization`]);
    } finally {
      await azure.close();
    }
  });
});
