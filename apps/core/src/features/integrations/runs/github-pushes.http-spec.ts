import { setTimeout as sleep } from 'node:timers/promises';
import type { ConnectionTest, Features, Integration, Page, PushRunPlan } from '@strata/contract';
import { type FinishedPush, GitHubPushFixture } from '../../../testing/push-fixture.ts';
import { query } from '../../../testing/query.ts';

let at: GitHubPushFixture;
beforeAll(async () => {
  at = await GitHubPushFixture.open();
});
afterAll(() => at.close());
afterEach(() => at.github.interfere(() => null));

const PUT = 'actions/create-or-update-repo-secret';
/** A change after this time has another time, because those of GitHub are whole seconds. */
const LATER_MS = 1_100;
const WRITES = /^actions\/(create|delete)/;
const operations = () => at.github.calls().map(({ operation }) => operation);
const writes = () => operations().filter((operation) => WRITES.test(operation));

type Shop = Awaited<ReturnType<GitHubPushFixture['shop']>>;
const texts = (shop: Shop) => shop.at.repositories.secrets();
const decide = async (push: FinishedPush, action: string) => {
  const keys = (await push.keys()).filter(({ state }) => state !== 'in_sync');
  return push.runWith({ decisions: keys.map(({ key, version }) => ({ key, version, action })) });
};

describe('an integration with GitHub', () => {
  it('is not connected if the GitHub organization does not name the organization, and does not show its name', async () => {
    const { owner, id } = await at.core.organization();
    const installation = at.github.newInstallation(null);
    const { gh_installation_id, organization } = installation;
    const input = { gh_installation_id, gh_organization_slug: 'chosen' };

    const created = await owner.post<Integration>('integrations/github/', input);

    const name = `installation-${gh_installation_id}`;
    const unconfirmed = { name, fqn: `github://${name}`, gh_organization_slug: '', status: 'errored' };
    expect(created).toMatchObject({ status: 201, body: unconfirmed });
    expect(created.body.status_detail).toContain(`STRATA_ORGANIZATION of the GitHub organization to ${id}.`);
    expect(created.text).not.toContain(organization);
  });

  it('gets the name of the GitHub organization with the first successful test', async () => {
    const { owner, id } = await at.core.organization();
    const { gh_installation_id, organization } = at.github.newInstallation(id);
    at.github.interfere(() => ({ kind: 'error', code: 'broken', status: 502 }));
    const created = await owner.post<Integration>('integrations/github/', { gh_installation_id });
    expect(created).toMatchObject({ status: 201, body: { gh_organization_slug: '', status: 'errored' } });
    at.github.interfere(() => null);

    const tested = await owner.post<ConnectionTest>(`${created.body.url}test/`);
    expect(tested).toMatchObject({ status: 200, body: { status: 'connected', error_code: null, pointer: null } });
    const named = { name: organization, fqn: `github://${organization}`, gh_organization_slug: organization };
    const { body } = await owner.get<Page<Integration>>(`integrations/github/?gh_organization_slug=${organization}`);
    expect(body.results).toMatchObject([{ ...named, status: 'connected' }]);
    const changed = await owner.patch<Integration>(created.body.url, { writable: true, gh_installation_id: 7 });
    expect(changed).toMatchObject({ status: 200, body: { ...named, writable: true, gh_installation_id } });

    const confirmed = at.github.newInstallation(id);
    const second = await owner.post<Integration>('integrations/github/', {
      gh_installation_id: confirmed.gh_installation_id,
    });
    expect(second).toMatchObject({
      status: 201,
      body: { status: 'connected', gh_organization_slug: confirmed.organization },
    });
  });

  it('is connected if another integration has the name of its GitHub organization, and keeps its own', async () => {
    const { owner, id } = await at.core.organization();
    const [first, second] = [at.github.newInstallation(id), at.github.newInstallation(id)];
    await owner.post('integrations/github/', { gh_installation_id: first.gh_installation_id });
    at.github.interfere(() => ({ kind: 'error', code: 'broken', status: 502 }));
    const input = { gh_installation_id: second.gh_installation_id };
    const { body: created } = await owner.post<Integration>('integrations/github/', input);
    at.github.interfere(() => null);
    second.rename(first.organization);

    const tested = await owner.post<ConnectionTest>(`${created.url}test/`);

    expect(tested).toMatchObject({ status: 200, body: { status: 'connected' } });
    expect((await owner.get<Integration>(created.url)).body.name).toBe(`installation-${second.gh_installation_id}`);
  });

  it('shows whether the operator has set credentials of each provider', async () => {
    const { owner } = await at.core.organization();

    expect((await owner.get<Features>('features/')).body).toMatchObject({
      ...{ self_hosted: true, aws_integration: false, azure_integration: false, github_integration: true },
    });
  });

  it('writes nothing for another organization, and does not show it whose installation it is', async () => {
    const shop = await at.shop({ HOST: 'ours' });
    const { owner } = await at.core.organization();
    at.github.clear();

    const input = { gh_installation_id: shop.at.gh_installation_id, writable: true };
    const stolen = await owner.post<Integration>('integrations/github/', input);

    expect(stolen).toMatchObject({ status: 201, body: { status: 'errored', gh_organization_slug: '' } });
    expect(stolen.text).not.toContain(shop.at.organization);
    expect(operations().filter((operation) => operation.includes('secret'))).toEqual([]);
  });
});

describe('a push to GitHub', () => {
  it('writes the values of its tag, and then writes nothing while nothing differs', async () => {
    const shop = await at.shop({ DB_HOST: 'db.example', 'api.key': 'hunter2' });

    const push = await shop.push();

    expect(await push.latest()).toMatchObject({ state: 'success', error_code: null });
    expect(texts(shop)).toEqual({ 'shop/DB_HOST': 'db.example', 'shop/API_KEY': 'hunter2' });
    at.github.clear();
    for (let interval = 0; interval < 3; interval += 1) expect(await push.run()).toMatchObject({ state: 'success' });
    const interval = [
      ...['apps/get-installation', 'apps/create-installation-access-token', 'actions/get-org-variable'],
      ...['apps/create-installation-access-token', 'actions/list-repo-secrets'],
    ];
    expect(operations()).toEqual([...interval, ...interval, ...interval]);
    expect(await push.steps()).toEqual([]);

    await shop.set('DB_HOST', 'new.example');
    at.github.clear();
    expect(await push.move()).toMatchObject({ state: 'success' });
    expect(writes()).toEqual([PUT]);
    expect(texts(shop)).toEqual({ 'shop/DB_HOST': 'new.example', 'shop/API_KEY': 'hunter2' });
  });

  it('writes secrets of environments, as the resource names them', async () => {
    const shop = await at.shop({ HOST: 'ours' });

    const push = await shop.push({ resource: '{{ project }}/{{ environment }}/{{ parameter }}' });

    expect(await push.latest()).toMatchObject({ state: 'success' });
    expect(texts(shop)).toEqual({ 'shop/production/HOST': 'ours' });
  });

  it('writes nothing before its plan is approved if it plans first', async () => {
    const shop = await at.shop({ HOST: 'ours' });
    const push = await shop.push({}, '?plan_first=true');
    expect(await push.latest()).toMatchObject({ state: 'skipped', error_code: 'approval_required' });
    expect(texts(shop)).toEqual({});

    const { owner } = shop.organization;
    const { body: plan } = await owner.get<PushRunPlan>(`${push.push.url}plan/`);
    await owner.post(`${push.push.url}run/`, { plan_hash: plan.hash });

    expect(await push.ended()).toMatchObject({ state: 'success' });
    expect(texts(shop)).toEqual({ 'shop/HOST': 'ours' });
  });

  it('takes over a secret of another program only after a decision, and never with force', async () => {
    const shop = await at.shop({ HOST: 'ours', PORT: '80' });
    shop.at.repositories.writeSecret('shop/HOST', 'theirs');

    const push = await shop.push({ force: true });

    expect(await push.latest()).toMatchObject({ state: 'failure', error_code: 'foreign_keys' });
    expect(texts(shop)).toEqual({ 'shop/HOST': 'theirs', 'shop/PORT': '80' });
    expect(await decide(push, 'overwrite')).toMatchObject({ state: 'success' });
    expect(texts(shop)).toEqual({ 'shop/HOST': 'ours', 'shop/PORT': '80' });
  });

  it('finds a changed secret by its time, and overwrites it only with force', async () => {
    const shop = await at.shop({ HOST: 'ours' });
    const push = await shop.push();
    shop.at.repositories.writeSecret('shop/HOST', 'theirs');

    expect(await push.run()).toMatchObject({ state: 'failure', error_code: 'drifted_keys' });
    expect(await push.states()).toEqual(['shop/HOST drifted none changed_elsewhere']);
    await shop.remove('HOST');
    await push.move();
    expect(texts(shop)).toEqual({ 'shop/HOST': 'theirs' });

    await shop.set('HOST', 'ours again');
    await push.move();
    await shop.organization.owner.patch(push.push.url, { force: true });
    expect(await push.ended()).toMatchObject({ state: 'success' });
    expect(texts(shop)).toEqual({ 'shop/HOST': 'ours again' });
  });

  it('does not overwrite a secret that another program deleted and created again, also with force', async () => {
    const shop = await at.shop({ HOST: 'ours' });
    const push = await shop.push({ force: true });
    await sleep(LATER_MS);
    shop.at.repositories.removeSecret('shop/HOST');
    shop.at.repositories.writeSecret('shop/HOST', 'theirs');

    expect(await push.run()).toMatchObject({ state: 'failure', error_code: 'foreign_keys' });

    expect(await push.states()).toEqual(['shop/HOST foreign none not_written_by_strata']);
    expect(texts(shop)).toEqual({ 'shop/HOST': 'theirs' });
    expect(await decide(push, 'overwrite')).toMatchObject({ state: 'success' });
    expect(await push.run()).toMatchObject({ state: 'success' });
  });

  it('writes no secret of another environment if the name of a parameter has a slash', async () => {
    const shop = await at.shop({ HOST: 'ours', 'production/TOKEN': 'x' });

    const push = await shop.push();

    expect(await push.latest()).toMatchObject({ state: 'failure', error_code: 'failed_keys' });
    expect(texts(shop)).toEqual({ 'shop/HOST': 'ours' });
    const failed = (await push.keys()).find(({ state }) => state === 'failed');
    expect(failed?.detail).toContain('only the resource can have slashes');
  });

  it('deletes only what it wrote, and creates a secret again that another program deleted', async () => {
    const shop = await at.shop({ HOST: 'ours', PORT: '80' });
    const push = await shop.push();
    shop.at.repositories.writeSecret('shop/OTHER', 'theirs');
    shop.at.repositories.removeSecret('shop/HOST');
    await shop.remove('PORT');

    expect(await push.move()).toMatchObject({ state: 'success' });

    expect(texts(shop)).toEqual({ 'shop/HOST': 'ours', 'shop/OTHER': 'theirs' });
    at.github.clear();
    expect(await push.run()).toMatchObject({ state: 'success' });
    expect(writes()).toEqual([]);
  });

  it('does not claim a new secret if its write had no response, because GitHub returns no texts', async () => {
    const shop = await at.shop({ HOST: 'ours' });
    at.github.interfere(({ operation }) => (operation === PUT ? { kind: 'lost_response' } : null));

    const push = await shop.push({ force: true });

    expect(await push.latest()).toMatchObject({ state: 'failure', error_code: 'foreign_keys' });
    at.github.interfere(() => null);
    shop.at.repositories.writeSecret('shop/HOST', 'theirs');
    expect(await push.run()).toMatchObject({ error_code: 'foreign_keys' });
    expect(texts(shop)).toEqual({ 'shop/HOST': 'theirs' });
    expect(await decide(push, 'overwrite')).toMatchObject({ state: 'success' });
    expect(texts(shop)).toEqual({ 'shop/HOST': 'ours' });
  });

  it('says that it does not know whether a changed text is its own if the write had no response', async () => {
    const shop = await at.shop({ HOST: 'ours' });
    const push = await shop.push();
    await shop.set('HOST', 'new');
    await sleep(LATER_MS);
    at.github.interfere(({ operation }) => (operation === PUT ? { kind: 'lost_response' } : null));

    expect(await push.move()).toMatchObject({ state: 'failure', error_code: 'drifted_keys' });

    expect(await push.states()).toEqual(['shop/HOST drifted none write_unconfirmed']);
    at.github.interfere(() => null);
    expect(await decide(push, 'overwrite')).toMatchObject({ state: 'success' });
    expect(texts(shop)).toEqual({ 'shop/HOST': 'new' });
    expect(await push.run()).toMatchObject({ state: 'success' });
  });

  it('repeats a write that GitHub has not executed', async () => {
    const shop = await at.shop({ HOST: 'ours' });
    const push = await shop.push();
    await shop.set('HOST', 'new');
    let attempts = 0;
    at.github.interfere(({ operation }) => {
      attempts += operation === PUT ? 1 : 0;
      return operation === PUT && attempts === 1 ? { kind: 'error', code: 'broken', status: 502 } : null;
    });

    expect(await push.move()).toMatchObject({ state: 'success' });

    expect(attempts).toBe(2);
    expect(texts(shop)).toEqual({ 'shop/HOST': 'new' });
  });

  it('waits if GitHub limits its requests', async () => {
    const shop = await at.shop({ HOST: 'ours' });
    at.github.interfere(({ operation }) =>
      operation === PUT ? { kind: 'error', code: 'secondary', status: 403 } : null,
    );

    const push = await shop.startPush();

    expect(await push.untilKeys(([key]) => key?.state === 'failed')).toMatchObject([
      { detail: expect.stringContaining('rate_limited'), next_attempt_at: expect.any(String) },
    ]);
    const task = await push.untilLatest(({ state, error_code: code }) => state === 'queued' && code !== null);
    expect(task).toMatchObject({ error_code: 'provider_rate' });
  });

  it('explains which names GitHub does not accept, and writes the others', async () => {
    const shop = await at.shop({ HOST: 'ours', GITHUB_TOKEN: 'x', '1ST': 'x', 'a.b': 'x', a_b: 'x' });

    const push = await shop.push();

    expect(await push.latest()).toMatchObject({ state: 'failure', error_code: 'failed_keys' });
    expect(texts(shop)).toEqual({ 'shop/HOST': 'ours' });
    const failed = (await push.keys()).filter(({ state }) => state === 'failed');
    const rule = expect.stringMatching(/NAME has letters, digits and underscores/);
    expect(failed.map(({ key, detail }) => [key, detail])).toEqual([
      ['shop/1ST', rule],
      ['shop/A_B', 'Two values of the push have this key.'],
      ['shop/GITHUB_TOKEN', rule],
    ]);
  });

  it('stores no text, token or key, also if a write is rejected', async () => {
    const shop = await at.shop({ HOST: 'canary-0c9e7d', PORT: 'canary-1f3a8b' });
    at.github.interfere(({ operation, input }) =>
      operation === PUT && input.name === 'PORT' ? { kind: 'error', code: 'invalid', status: 422 } : null,
    );
    const push = await shop.push();
    expect(await push.latest()).toMatchObject({ state: 'failure', error_code: 'provider_invalid' });

    const tables = await query<{ name: string }>(
      at.core,
      `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('public', 'graphile_worker')`,
    );
    const pattern = ['canary-0c9e7d', 'canary-1f3a8b', 'PRIVATE KEY', ...at.github.tokens()].join('|');
    for (const { name } of tables) {
      const rows = await query(at.core, `select 1 from ${name} stored where stored::text ~ '${pattern}'`);
      expect([name, rows]).toEqual([name, []]);
    }
  });
});

describe('an external value from GitHub', () => {
  it('has the content of a file at a branch, and follows it', async () => {
    const shop = await at.shop({});
    const { owner } = shop.organization;
    const { repositories } = shop.at;
    repositories.writeFile('shop', 'main', 'config/app.json', '{"db": {"password": "first"}}');
    const parameter = await shop.organization.parameter({ project: shop.project, name: 'DB', secret: true });
    const environment = await shop.organization.environmentNamed('production');
    const fqn = `github://${shop.at.organization}/shop/main/config/app.json`;
    const input = { environment: environment.url, external: true, external_fqn: fqn, external_filter: 'db.password' };

    const created = await owner.post<{ url: string }>(`${parameter.url}values/`, input);
    expect(created).toMatchObject({ status: 201, body: { external: true, value: 'first' } });

    repositories.writeFile('shop', 'main', 'config/app.json', '{"db": {"password": "second"}}');
    const { body: pulls } = await owner.get<Page<{ url: string }>>(`${shop.integration.url}pulls/`);
    await owner.post(`${pulls.results[0]?.url}sync/`);
    const deadline = Date.now() + 60_000;
    let current = await owner.get<{ value: string }>(created.body.url);
    while (current.body.value !== 'second' && Date.now() < deadline) current = await owner.get(created.body.url);
    expect(current.body.value).toBe('second');
  });

  it.each`
    path                  | status
    ${'shop/main/none'}   | ${404}
    ${'shop/main/config'} | ${404}
    ${'shop'}             | ${404}
    ${'shop/main/../x'}   | ${404}
    ${'shop/main/binary'} | ${415}
    ${'shop/main/large'}  | ${507}
  `('cannot be created from $path ($status)', async ({ path, status }) => {
    const shop = await at.shop({});
    const { repositories } = shop.at;
    repositories.writeFile('shop', 'main', 'config/a', 'x');
    repositories.writeFile('shop', 'main', 'binary', Buffer.from([0xff, 0xfe, 0x00]));
    repositories.writeFile('shop', 'main', 'large', 'x'.repeat(1_048_577));
    const parameter = await shop.organization.parameter({ project: shop.project, name: 'DB', secret: true });
    const environment = await shop.organization.environmentNamed('production');
    const external_fqn = `github://${shop.at.organization}/${path}`;

    const response = await shop.organization.owner.post(`${parameter.url}values/`, {
      ...{ environment: environment.url, external: true, external_fqn },
    });

    expect(response.status).toBe(status);
  });
});
