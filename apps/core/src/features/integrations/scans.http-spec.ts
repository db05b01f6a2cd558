import type { DiscoveryResult } from '@strata/contract';
import { startTestAws } from '@strata/testkit';
import { AzurePushFixture, type PushedShop, PushFixture } from '../../testing/push-fixture.ts';
import { query } from '../../testing/query.ts';

const { missing, close: closeProbe } = await startTestAws();
await closeProbe();
const suite = missing ? describe.skip : describe;
const RESOURCE = '/{{ environment }}/{{ project }}/{{ parameter }}';

let at: PushFixture;
beforeAll(async () => {
  if (!missing) at = await PushFixture.open();
});
afterEach(() => at?.aws.interfere(() => null));
afterAll(() => at?.close());

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

suite.each(['secretsmanager', 'ssm'])(`a scan of %s (${missing ?? 'moto'})`, (service) => {
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
      skipped: { [shop.integration.fqn]: expect.stringContaining('After a restore') },
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
