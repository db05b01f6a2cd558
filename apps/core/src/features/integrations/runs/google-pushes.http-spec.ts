import type { ConnectionTest, Integration } from '@strata/contract';
import { GooglePushFixture } from '../../../testing/push-fixture.ts';
import { query } from '../../../testing/query.ts';

let at: GooglePushFixture;
beforeAll(async () => {
  at = await GooglePushFixture.open();
});
afterAll(() => at.close());
afterEach(() => at.google.interfere(() => null));

const WRITES = /^(Create|Add|Update|Enable|Disable|Delete|Destroy)/;
const operations = () => at.google.calls().map(({ operation }) => operation);
const writes = () => operations().filter((operation) => WRITES.test(operation));

type Shop = Awaited<ReturnType<GooglePushFixture['shop']>>;

function values({ secrets }: Shop) {
  const { 'strata-organization': _, ...written } = secrets.values();
  return written;
}

describe('an integration with Google Secret Manager', () => {
  it('shows whether the project names the organization', async () => {
    const { owner, id } = await at.core.organization();
    const { google_project_id } = at.google.newProject(null);
    const created = await owner.post<Integration>('integrations/google/secret_manager/', { google_project_id });
    expect(created).toMatchObject({ status: 201, body: { status: 'errored' } });
    expect(created.body.status_detail).toContain(`Set its secret strata-organization to ${id}.`);

    const confirmed = at.google.newProject(id);
    const settings = { google_project_id: confirmed.google_project_id };
    const second = await owner.post<Integration>('integrations/google/secret_manager/', settings);
    expect(second).toMatchObject({ status: 201, body: { status: 'connected' } });
    const tested = await owner.post<ConnectionTest>(`${second.body.url}test/`);
    expect(tested).toMatchObject({ status: 200, body: { status: 'connected', error_code: null, pointer: null } });
  });
});

describe('a push to Google Secret Manager', () => {
  it('writes the values of its tag, and then writes and reads no text while nothing differs', async () => {
    const shop = await at.shop({ DB_HOST: 'db.example', PASSWORD: 'hunter2' });

    const push = await shop.push();

    expect(await push.latest()).toMatchObject({ state: 'success', error_code: null });
    expect(values(shop)).toEqual({ 'shop-DB_HOST': 'db.example', 'shop-PASSWORD': 'hunter2' });
    at.google.clear();
    for (let interval = 0; interval < 3; interval += 1) expect(await push.run()).toMatchObject({ state: 'success' });
    const key = ['GetSecret', 'GetSecretVersion'];
    const interval = ['GetSecretVersion', 'AccessSecretVersion', 'ListSecrets', ...key, ...key];
    expect(operations()).toEqual([...interval, ...interval, ...interval]);
    const accessed = at.google.calls().filter(({ operation }) => operation === 'AccessSecretVersion');
    expect(new Set(accessed.map(({ input }) => input.name))).toEqual(new Set(['strata-organization']));
    expect(await push.steps()).toEqual([]);
  });

  it('changes nothing at a key that another program wrote, and overwrites a changed one only with force', async () => {
    const shop = await at.shop({ HOST: 'ours', PASSWORD: 'ours' });
    shop.secrets.write('shop-HOST', 'theirs');

    const push = await shop.push({ force: true });

    expect(await push.latest()).toMatchObject({ state: 'failure', error_code: 'foreign_keys' });
    expect(values(shop)).toEqual({ 'shop-HOST': 'theirs', 'shop-PASSWORD': 'ours' });

    await shop.organization.owner.patch(push.push.url, { force: false });
    await push.ended();
    shop.secrets.write('shop-PASSWORD', 'theirs');
    await push.run();
    expect(values(shop)).toEqual({ 'shop-HOST': 'theirs', 'shop-PASSWORD': 'theirs' });

    await shop.organization.owner.patch(push.push.url, { force: true });
    await push.ended();
    expect(values(shop)).toEqual({ 'shop-HOST': 'theirs', 'shop-PASSWORD': 'ours' });
  });

  it('disables the versions of a key that it no longer has, and enables the last one before it writes the key again', async () => {
    const shop = await at.shop({ HOST: 'old', PORT: '80' });
    const push = await shop.push();
    await shop.set('HOST', 'new');
    await shop.remove('PORT');
    at.google.clear();
    expect(await push.move()).toMatchObject({ state: 'success' });
    expect(values(shop)).toEqual({ 'shop-HOST': 'new', 'shop-PORT': null });
    expect(writes()).toEqual(['AddSecretVersion', 'DisableSecretVersion']);
    at.google.clear();
    expect(await push.run()).toMatchObject({ state: 'success' });
    expect(writes()).toEqual([]);

    await shop.set('PORT', '81');
    expect(await push.move()).toMatchObject({ state: 'success' });

    expect(writes()).toEqual(['EnableSecretVersion', 'AddSecretVersion']);
    expect(values(shop)).toEqual({ 'shop-HOST': 'new', 'shop-PORT': '81' });
  });

  it.each(['CreateSecret', 'AddSecretVersion'])('finishes a creation whose %s has no response', async (lost) => {
    const shop = await at.shop({ HOST: 'ours' });
    let isLost = false;
    at.google.interfere(({ operation, input }) => {
      if (isLost || operation !== lost || input.name !== 'shop-HOST') return null;
      isLost = true;
      return { kind: 'lost_response' };
    });

    const push = await shop.push();

    expect(await push.latest()).toMatchObject({ state: 'success' });
    expect(shop.secrets.states('shop-HOST')).toEqual(['ENABLED']);
  });

  it('reads a secret as an external value', async () => {
    const shop = await at.shop({});
    const { owner } = shop.organization;
    shop.secrets.write('db-password', 'theirs');
    const parameter = await shop.organization.parameter({ project: shop.project, name: 'DB', secret: true });
    const environment = await shop.organization.environmentNamed('production');
    const fqn = `${shop.integration.fqn}/db-password`;
    const input = { environment: environment.url, external: true, external_fqn: fqn };

    expect(await owner.post(`${parameter.url}values/`, input)).toMatchObject({
      status: 201,
      body: { external: true, value: 'theirs' },
    });
    const missing = await owner.post(`${parameter.url}values/`, { ...input, external_fqn: `${fqn}-2` });
    expect(missing.status).toBe(404);
  });

  it('stores no text, also if a write is rejected', async () => {
    const texts = ['canary-0c9e7d', 'canary-1f3a8b'];
    const shop = await at.shop({ HOST: 'canary-0c9e7d', PORT: 'canary-1f3a8b' });
    at.google.interfere(({ operation, input }) =>
      operation === 'AddSecretVersion' && input.name === 'shop-PORT'
        ? { kind: 'error', code: 'INVALID_ARGUMENT', status: 400 }
        : null,
    );
    const push = await shop.push();
    expect(await push.latest()).toMatchObject({ state: 'failure', error_code: 'provider_invalid' });

    const tables = await query<{ name: string }>(
      at.core,
      `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('public', 'graphile_worker')`,
    );
    const pattern = [...texts, ...texts.map((text) => Buffer.from(text).toString('base64').slice(0, 16))].join('|');
    for (const { name } of tables) {
      const rows = await query(at.core, `select 1 from ${name} stored where stored::text ~ '${pattern}'`);
      expect([name, rows]).toEqual([name, []]);
    }
  });
});
