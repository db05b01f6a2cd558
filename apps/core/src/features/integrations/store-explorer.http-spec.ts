import type { AuditTrail, IntegrationNode, Page } from '@strata/contract';
import { type RawClient } from '@strata/testkit';
import { createPerson } from '../../testing/people.ts';
import { AzurePushFixture, setUpAws } from '../../testing/push-fixture.ts';
import { waitUntil } from '../../testing/until.ts';

const { at, suite, standIn } = await setUpAws();

const explore = (client: RawClient, fqn: string, query = '') =>
  client.get<Page<IntegrationNode>>(`integrations/explore/?fqn=${encodeURIComponent(fqn)}${query}`);

/** Returns the type, the location below the integration, and the name of each node. */
async function listed(client: RawClient, root: string, path: string) {
  const { status, body, text } = await explore(client, `${root}${path}`);
  if (status !== 200) throw new Error(text);
  return body.results.map(({ node_type, fqn, name }) => [node_type, fqn.slice(root.length), name]);
}

suite.each([
  ['secretsmanager', '/secretsmanager//shop'],
  ['ssm', '/ssm/shop'],
])(`the explorer of %s (${standIn})`, (service, folder) => {
  it('lists regions, services, folders and keys, and shows the content of a key', async () => {
    const shop = await at.shop({}, service);
    const { organization, integration } = shop;
    await shop.writeElsewhere('/shop/db/password', 'hunter2');
    await shop.writeElsewhere('/shop/settings', '{"host": "db", "port": 5432}');
    await shop.writeElsewhere('HOST', 'example.com');
    const { owner } = organization;
    const root = integration.fqn;

    expect(await listed(owner, root, '')).toEqual([['directory', '/eu-central-1', 'eu-central-1']]);
    expect(await listed(owner, root, '/eu-central-1/')).toEqual([
      ['directory', '/eu-central-1/secretsmanager', 'secretsmanager'],
      ['directory', '/eu-central-1/ssm', 'ssm'],
    ]);
    const top = await listed(owner, root, `/eu-central-1/${service}`);
    expect(top.toSorted()).toEqual([
      ['directory', `/eu-central-1${folder}`, 'shop'],
      ['file', `/eu-central-1/${service}/HOST`, 'HOST'],
    ]);
    expect(await listed(owner, root, `/eu-central-1${folder}`)).toEqual([
      ['directory', `/eu-central-1${folder}/db`, 'db'],
      ['file', `/eu-central-1${folder}/settings`, 'settings'],
    ]);
    const file = await explore(owner, `${root}/eu-central-1${folder}/settings`);
    expect(file.body).toMatchObject({
      count: 1,
      results: [
        {
          fqn: `${root}/eu-central-1${folder}/settings`,
          node_type: 'file',
          secret: true,
          content_type: 'application/json',
          content_data: '{"host": "db", "port": 5432}',
          content_size: 28,
          content_keys: ['host', 'port'],
          jmespath: null,
        },
      ],
    });
    const part = await explore(owner, `${root}/eu-central-1${folder}/settings`, '&jmes=port');
    expect(part.body.results).toMatchObject([{ node_type: 'value', jmespath: 'port', content_data: '5432' }]);
  });
});

suite('the explorer', () => {
  it('shows names to every member, and contents only with the rights to write and to reveal secrets', async () => {
    const shop = await at.shop({});
    const { organization, integration } = shop;
    await shop.writeElsewhere('password', 'hunter2');
    const fqn = `${integration.fqn}/eu-central-1/secretsmanager/password`;
    const contributor = await createPerson(at.core, organization.id, 'CONTRIB');
    const content = async (client: RawClient) => (await explore(client, fqn)).body.results[0]?.content_data;
    expect(await content(contributor.client)).toBe('hunter2');
    await organization.owner.patch(`memberships/${contributor.membershipId}/`, { reveals_secrets: false });
    at.aws.clear();

    for (const client of [organization.as('VIEWER'), contributor.client]) {
      const { body, text } = await explore(client, fqn, '&jmes=x');
      expect(body.results).toMatchObject([
        { node_type: 'file', content_data: '*****', content_size: null, content_keys: null, jmespath: null },
      ]);
      expect(text).not.toContain('hunter2');
    }
    expect(at.aws.calls().map(({ operation }) => operation)).not.toContain('GetSecretValue');
  });

  it('records a shown content in the access log', async () => {
    const shop = await at.shop({});
    await shop.writeElsewhere('password', 'hunter2');
    const { owner } = shop.organization;
    const fqn = `${shop.integration.fqn}/eu-central-1/secretsmanager`;

    await explore(owner, fqn);
    await explore(owner, `${fqn}/password`);

    const reveals = await waitUntil(
      async () => (await owner.get<Page<AuditTrail>>('audit/?action=reveal')).body.results,
      (records) => records.length > 0,
    );
    expect(reveals).toMatchObject([{ object_type: 'Organization', object_id: shop.organization.id }]);
    expect(JSON.stringify(reveals)).not.toContain('hunter2');
  });

  it('lists nothing for members without access to every project', async () => {
    const shop = await at.shop({});
    await shop.writeElsewhere('/hidden/password', 'hunter2');
    const closed = await shop.organization.project({ name: 'hidden' });
    await shop.organization.owner.patch(closed.url, { access_controlled: true });
    at.aws.clear();

    const response = await explore(
      shop.organization.as('CONTRIB'),
      `${shop.integration.fqn}/eu-central-1/secretsmanager`,
    );

    expect(response).toMatchObject({ status: 403, body: { detail: expect.stringContaining('no access') } });
    expect(at.aws.calls()).toEqual([]);
    expect((await explore(shop.organization.owner, `${shop.integration.fqn}/eu-central-1/secretsmanager`)).status).toBe(
      200,
    );
  });

  it('returns pages, by number and by cursor', async () => {
    const shop = await at.shop({});
    for (const name of ['a', 'b', 'c']) await shop.writeElsewhere(name, 'text');
    const { owner } = shop.organization;
    const fqn = `${shop.integration.fqn}/eu-central-1/secretsmanager`;

    const second = await explore(owner, fqn, '&page=2&page_size=2');
    const names: (string | undefined)[] = [];
    let next: string | null = `integrations/explore/?fqn=${encodeURIComponent(fqn)}&page_size=1&after=start`;
    while (next !== null) {
      const { body }: { body: Page<IntegrationNode> } = await owner.get<Page<IntegrationNode>>(next);
      names.push(...body.results.map(({ name }) => name));
      next = body.next;
    }

    expect(second.body).toMatchObject({ count: 3, next: null, results: [{ name: 'c' }] });
    expect(second.body.previous).toContain('page_size=2');
    expect(names).toEqual(['a', 'b', 'c']);
  });

  it.each([
    ['a key that does not exist', 'secretsmanager/nothing', 404, 'external_content_missing'],
    ['a service that Strata does not read', 's3/bucket', 403, 'store_unreachable'],
    ['a content that is not text', 'secretsmanager/binary', 415, 'external_content_binary'],
  ])('returns an error for %s', async (_, path, status, code) => {
    const shop = await at.shop({});
    await shop.writeElsewhere('binary', 'a\u0000b');

    const response = await explore(shop.organization.owner, `${shop.integration.fqn}/eu-central-1/${path}`);

    expect(response).toMatchObject({ status, headers: { 'x-error-code': code } });
  });

  it('returns 403 with the reason of a provider that cannot be reached', async () => {
    const shop = await at.shop({});
    at.aws.interfere(({ operation }) =>
      operation === 'ListSecrets' ? { kind: 'error', code: 'AccessDeniedException', status: 400 } : null,
    );

    const response = await explore(shop.organization.owner, `${shop.integration.fqn}/eu-central-1/secretsmanager`);

    expect(response).toMatchObject({ status: 403, headers: { 'x-error-code': 'store_unreachable' } });
    expect(response.text).toContain('eu-central-1/secretsmanager');
  });

  it('sends at most 60 requests of an organization in a minute to its providers', async () => {
    const shop = await at.shop({});
    const { owner } = shop.organization;
    const list = () => explore(owner, `${shop.integration.fqn}/eu-central-1/secretsmanager`);
    let response = await list();
    let count = 0;
    // A turn is added each second, so a slow machine needs more requests.
    for (; response.status === 200 && count < 500; count += 1) response = await list();

    expect(response).toMatchObject({ status: 429, headers: { 'x-error-code': 'rate_limited' } });
    expect(count).toBeGreaterThanOrEqual(60);
  });
});

describe('the explorer of Azure Key Vault', () => {
  it('lists the keys of the vault, and shows the content of one', async () => {
    const azure = await AzurePushFixture.open();
    try {
      const shop = await azure.shop({});
      await shop.writeElsewhere('db-password', 'hunter2');
      const { fqn } = shop.integration;
      const { owner } = shop.organization;

      expect(await listed(owner, fqn, '')).toEqual([
        ['file', '/db-password', 'db-password'],
        ['file', '/strata-organization', 'strata-organization'],
      ]);
      expect((await explore(owner, `${fqn}/DB-Password`)).body.results).toMatchObject([{ content_data: 'hunter2' }]);
      expect(await explore(owner, `${fqn}/nothing`)).toMatchObject({ status: 404 });
    } finally {
      await azure.close();
    }
  });
});
