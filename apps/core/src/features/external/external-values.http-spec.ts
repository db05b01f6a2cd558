import type {
  BackupSnapshot,
  Explanation,
  IntegrationTask,
  Page,
  Parameter,
  Pull,
  RecordedChangeset,
  TaskStep,
  Value,
} from '@strata/contract';
import { moduleOfCore } from '../../testing/core-in-process.ts';
import { createPerson } from '../../testing/people.ts';
import { type PushedShop, setUpAws } from '../../testing/push-fixture.ts';
import { waitUntil } from '../../testing/until.ts';

const { at, suite, standIn } = await setUpAws();

/** A shop with an integration, and a secret parameter that can get an external value. */
async function externalShop(service = 'secretsmanager') {
  const shop = await at.shop({}, service);
  const { owner } = shop.organization;
  const parameter = await shop.organization.parameter({ project: shop.project, name: 'PASSWORD', secret: true });
  const environment = await shop.organization.environmentNamed('production');
  const location = (name: string) => `${shop.integration.fqn}/eu-central-1/${service}/${name}`;
  const create = (name: string, input: object = {}, target: Parameter = parameter) =>
    owner.post<Value>(`${target.url}values/`, {
      environment: environment.url,
      external: true,
      external_fqn: location(name),
      ...input,
    });
  return { shop, owner, parameter, environment, location, create };
}

/** Runs the mapped pull of an integration, and waits for its end. */
async function readAgain({ organization: { owner }, integration }: PushedShop) {
  const pulls = await owner.get<Page<Pull>>(`${integration.url}pulls/`);
  const [pull] = pulls.body.results;
  if (!pull) throw new Error('The integration has no pull.');
  const before = pull.latest_task?.id;
  await owner.post(`${pull.url}sync/`);
  const task = await waitUntil(
    async () => (await owner.get<Pull>(pull.url)).body.latest_task as IntegrationTask,
    (latest) => latest.id !== before && (latest.state === 'success' || latest.state === 'failure'),
  );
  const steps = (await owner.get<Page<TaskStep>>(`${task.url}steps/`)).body.results;
  return { task, steps };
}

suite.each(['secretsmanager', 'ssm'])(`an external value of %s (${standIn})`, (service) => {
  it('has the text of its location, as a secret, and follows it', async () => {
    const { shop, owner, create, location } = await externalShop(service);
    await shop.writeElsewhere('/shop/password', 'first');

    const created = await create('/shop/password');
    expect(created).toMatchObject({
      status: 201,
      body: {
        external: true,
        external_fqn: location('/shop/password'),
        external_filter: '',
        external_error: null,
        internal_value: null,
        value: 'first',
        secret: true,
        dynamic: true,
        dynamic_fqn: location('/shop/password'),
      },
    });
    expect((await owner.get<Value>(`${created.body.url}?mask_secrets=true`)).body.value).toBe('*****');

    expect(await readAgain(shop)).toMatchObject({ task: { state: 'success' }, steps: [] });
    expect((await owner.get<Value>(created.body.url)).body.ledger_id).toBe(created.body.ledger_id);

    await shop.writeElsewhere('/shop/password', 'second');
    expect(await readAgain(shop)).toMatchObject({
      task: { state: 'success' },
      steps: [{ operation: 'update', success: true }],
    });
    expect((await owner.get<Value>(created.body.url)).body).toMatchObject({ external: true, value: 'second' });
  });
});

suite('external values', () => {
  it.each([
    ['{"db":{"ports":[5432, 1.10]}}', 'db.ports[1]', '1.10'],
    ['db:\n  host: a\n  version: 1.10\n', 'db.version', '1.10'],
    ['db:\n  host: a\n', 'db', '{"host":"a"}'],
    ['HOST=a\nTOKEN="b c"\n', 'TOKEN', 'b c'],
  ])('select a part of %j with the filter %s', async (content, filter, text) => {
    const { shop, create } = await externalShop();
    await shop.writeElsewhere('config', content);
    expect((await create('config', { external_filter: filter })).body).toMatchObject({
      value: text,
      external_filter: filter,
    });
  });

  it.each([
    ['a filter that is not JMESPath', 'a[', 400, 'external_filter'],
    ['a filter that selects several members', 'a[*]', 400, 'external_filter'],
    ['a filter that selects nothing', 'nothing', 400, 'external_filter'],
  ])('are rejected for %s', async (_, filter, status, code) => {
    const { shop, owner, parameter, create } = await externalShop();
    await shop.writeElsewhere('config', '{"a": [1]}');
    const rejected = await create('config', { external_filter: filter });
    expect(rejected).toMatchObject({ status, body: { __all__: [expect.any(String)] } });
    expect(rejected.headers['x-error-code']).toBe(code);
    expect((await owner.get<Page<Value>>(`${parameter.url}values/`)).body.count).toBe(0);
  });

  it('are rejected without content, for too long contents, and for parameters that are not secret', async () => {
    const { shop, create, location } = await externalShop();
    expect(await create('nothing')).toMatchObject({
      status: 404,
      body: { detail: expect.stringContaining(location('nothing')) },
    });

    await shop.writeElsewhere('config', 'x'.repeat(65_536));
    const plain = await shop.organization.parameter({ project: shop.project, name: 'PLAIN' });
    const rejected = await create('config', {}, plain);
    expect(rejected).toMatchObject({ status: 400, body: { external: [expect.any(String)] } });
    expect(rejected.headers['x-error-code']).toBe('external_needs_secret');
  });

  it('keep their text and say why if their content disappears, and recover', async () => {
    const { shop, owner, create, parameter, environment } = await externalShop();
    await shop.writeElsewhere('password', 'first');
    const { body: created } = await create('password');
    const store = await shop.store();
    await store.remove('password');

    expect(await readAgain(shop)).toMatchObject({
      task: { state: 'failure', error_code: 'external_values_outdated' },
      steps: [{ operation: 'read', success: false }],
    });
    const outdated = (await owner.get<Value>(created.url)).body;
    expect(outdated).toMatchObject({ value: 'first', external_error: expect.stringContaining('marked deleted') });
    const explained = await owner.get<Page<Explanation>>(
      `projects/${shop.project.id}/explain/?environment=${environment.id}&name=${parameter.name}`,
    );
    expect(explained.body.results[0]?.winner).toMatchObject({ external: { error: outdated.external_error } });

    await store.restore('password');
    store.close();
    await readAgain(shop);
    expect((await owner.get<Value>(created.url)).body).toMatchObject({ value: 'first', external_error: null });
  });

  it('are read again after a provider was not available', async () => {
    const { shop, owner, create } = await externalShop();
    const name = `password-${shop.organization.id}`;
    await shop.writeElsewhere(name, 'first');
    const { body: created } = await create(name);
    await shop.writeElsewhere(name, 'second');
    at.aws.interfere(({ operation, input }) =>
      operation === 'GetSecretValue' && input.SecretId === name
        ? { kind: 'error', code: 'InternalServiceError', status: 500 }
        : null,
    );

    expect(await readAgain(shop)).toMatchObject({ task: { state: 'failure', error_code: 'provider_retryable' } });
    expect((await owner.get<Value>(created.url)).body).toMatchObject({ value: 'first', external_error: null });
    at.aws.interfere(() => null);
    expect(await readAgain(shop)).toMatchObject({ task: { state: 'success' }, steps: [{ success: true }] });
    expect((await owner.get<Value>(created.url)).body).toMatchObject({ value: 'second', external_error: null });
  });

  it('say that they may be outdated if the provider is not available for a long time, also from the first read on', async () => {
    const { shop, owner, create } = await externalShop();
    const name = `password-${shop.organization.id}`;
    await shop.writeElsewhere(name, 'first');
    const { body: created } = await create(name);
    at.aws.interfere(({ operation, input }) =>
      operation === 'GetSecretValue' && input.SecretId === name
        ? { kind: 'error', code: 'InternalServiceError', status: 500 }
        : null,
    );
    await at.configure({ externalAgeMs: 1 });
    await readAgain(shop);
    await at.configure({ externalAgeMs: 900_000 });
    expect((await owner.get<Value>(created.url)).body).toMatchObject({
      value: 'first',
      external_error: expect.stringContaining('InternalServiceError'),
    });

    at.aws.interfere(() => null);
    await readAgain(shop);
    expect((await owner.get<Value>(created.url)).body).toMatchObject({ value: 'first', external_error: null });
  });

  it('are not read again at once after they were created', async () => {
    const { RunStore } = await moduleOfCore<typeof import('../integrations/runs/run-store.ts')>(
      './features/integrations/runs/run-store.js',
    );
    const { shop, owner, create } = await externalShop();
    await shop.writeElsewhere('password', 'first');
    await create('password');

    await at.core.core.app.get(RunStore).sweep();

    const [pull] = (await owner.get<Page<Pull>>(`${shop.integration.url}pulls/`)).body.results;
    expect(pull).toMatchObject({ mode: 'mapped', latest_task: null });
  });

  it('are read again without a request', async () => {
    const { core } = at;
    const { RunSettings } = await moduleOfCore<typeof import('../integrations/runs/run-settings.ts')>(
      './features/integrations/runs/run-settings.js',
    );
    // A sweep schedules the first read of a new integration, so the interval is set before.
    const settings = core.core.app.get(RunSettings);
    const { externalReadMs } = settings;
    Object.assign(settings, { externalReadMs: 1 });
    const { shop, owner, create } = await externalShop();
    await shop.writeElsewhere('password', 'first');
    const { body: created } = await create('password');
    await shop.writeElsewhere('password', 'second');

    await waitUntil(
      async () => (await owner.get<Value>(created.url)).body.value,
      (value) => value === 'second',
    );
    Object.assign(settings, { externalReadMs });
  });

  it('have their location in a backup', async () => {
    const { shop, owner, create, location } = await externalShop();
    await shop.writeElsewhere('config', '{"a": "b"}');
    await create('config', { external_filter: 'a' });
    const backup = await owner.post<BackupSnapshot>('backup/snapshot/');
    expect(backup.body.projects.shop?.parameters.PASSWORD?.values.production?.external).toEqual({
      fqn: location('config'),
      jmes_path: 'a',
    });
  });

  it('keep the last text that their rules accept', async () => {
    const { shop, owner, parameter, create } = await externalShop();
    await owner.post(`${parameter.url}rules/`, { type: 'regex', constraint: '[a-z]+' });
    await shop.writeElsewhere('password', 'first');
    const { body: created } = await create('password');
    await shop.writeElsewhere('password', '12345');

    expect(await readAgain(shop)).toMatchObject({ steps: [{ error_code: 'external_content_rejected' }] });
    const outdated = (await owner.get<Value>(created.url)).body;
    expect(outdated).toMatchObject({ value: 'first', external_error: expect.stringContaining('rules') });
    expect(outdated.external_error).not.toContain('12345');
  });

  it('become internal if another text is set, and stay so', async () => {
    const { shop, owner, create } = await externalShop();
    await shop.writeElsewhere('password', 'first');
    const { body: created } = await create('password');

    expect(await owner.patch(created.url, { internal_value: 'own' })).toMatchObject({
      status: 400,
      body: { internal_value: [expect.any(String)] },
    });
    expect(await owner.patch(created.url, { internal_value: null })).toMatchObject({ status: 400 });
    const changed = await owner.patch<Value>(created.url, { external: false, internal_value: 'own' });
    expect(changed.body).toMatchObject({ external: false, external_fqn: '', value: 'own' });
    await readAgain(shop);
    expect((await owner.get<Value>(created.url)).body.value).toBe('own');
  });

  it('keep their source when they change partly, and when a revert restores the project', async () => {
    const { shop, owner, create } = await externalShop();
    await shop.writeElsewhere('config', '{"a": "first", "b": "other"}');
    const { body: created } = await create('config', { external_filter: 'a' });

    const filtered = await owner.patch<Value>(created.url, { external_filter: 'b' });
    expect(filtered.body).toMatchObject({ external: true, external_filter: 'b', value: 'other' });
    await owner.patch<Value>(created.url, { external: true, external_filter: 'a' });
    const plain = await shop.organization.parameter({ project: shop.project, name: 'PLAIN' });
    const value = await shop.organization.value({ parameter: plain, internal_value: 'before' });
    const [latest] = (await owner.get<Page<RecordedChangeset>>('changesets/?page_size=1')).body.results;
    await owner.patch(value.url, { internal_value: 'after' });
    await shop.writeElsewhere('config', '{"a": "second"}');
    await readAgain(shop);

    const revert = { to: { revision: latest?.revision }, scope: { project: shop.project.id } };
    expect(await owner.post('revert/', revert)).toMatchObject({ status: 201, body: { change_count: 1 } });
    expect((await owner.get<Value>(value.url)).body.value).toBe('before');
    expect((await owner.get<Value>(created.url)).body).toMatchObject({ external: true, value: 'second' });
  });

  it('have their source again if a revert restores them, and are then read again', async () => {
    const { shop, owner, create } = await externalShop();
    await shop.writeElsewhere('password', 'first');
    const { body: created } = await create('password');
    const [latest] = (await owner.get<Page<RecordedChangeset>>('changesets/?page_size=1')).body.results;
    await owner.patch(created.url, { external: false, internal_value: 'own' });
    await shop.writeElsewhere('password', 'second');

    await owner.post('revert/', { to: { revision: latest?.revision }, scope: { project: shop.project.id } });
    expect((await owner.get<Value>(created.url)).body).toMatchObject({
      external: true,
      value: 'first',
      external_error: expect.stringContaining('earlier revision'),
    });
    await readAgain(shop);
    expect((await owner.get<Value>(created.url)).body).toMatchObject({ value: 'second', external_error: null });
  });

  it('are not replaced by a set of many texts', async () => {
    const { shop, owner, create } = await externalShop();
    await shop.writeElsewhere('password', 'first');
    const { body: created } = await create('password');
    const location = { project: shop.project.name, environment: 'production' };

    const set = await owner.post('changesets/', {
      message: 'set',
      operations: [{ set: { ...location, values: { PASSWORD: 'own' } } }],
    });
    expect(set).toMatchObject({ status: 400 });
    expect(set.text).toContain('PASSWORD is external in production.');
    expect((await owner.get<Value>(created.url)).body).toMatchObject({ external: true, value: 'first' });
  });

  it('are created once by a repeated request, although their content has disappeared meanwhile', async () => {
    const { shop, owner, parameter, environment, location } = await externalShop();
    await shop.writeElsewhere('password', 'first');
    const input = { environment: environment.url, external: true, external_fqn: location('password') };
    const headers = { 'idempotency-key': shop.organization.id };
    const first = await owner.send('POST', `${parameter.url}values/`, { body: input, headers });
    const store = await shop.store();
    await store.remove('password');
    store.close();

    const second = await owner.send('POST', `${parameter.url}values/`, { body: input, headers });
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.body).toEqual(first.body);
  });

  it('are no part of changesets, and never read another service or a text that a value cannot have', async () => {
    const { shop, owner, parameter, environment, create, location } = await externalShop('ssm');
    const path = { project_pk: shop.project.id, parameter_pk: parameter.id };
    const body = { environment: environment.url, external: true, external_fqn: location('x') };
    const operation = { operation: 'projects_parameters_values_create', path, body };
    const changeset = await owner.post('changesets/', { message: 'external', operations: [operation] });
    expect(changeset).toMatchObject({ status: 400 });
    expect(changeset.text).toContain('A changeset cannot set external values');

    expect(await create('/aws/reference/secretsmanager/x')).toMatchObject({ status: 404 });
    expect(await create('arn:aws:ssm:eu-central-1:1:parameter/x')).toMatchObject({ status: 404 });
    await shop.writeElsewhere('/shop/json', '{"a": "\\ud800"}');
    expect(await create('/shop/json', { external_filter: 'a' })).toMatchObject({ status: 415 });
  });

  it('say that they are outdated if their integration gets another role', async () => {
    const { shop, owner, create } = await externalShop();
    await shop.writeElsewhere('password', 'first');
    const { body: created } = await create('password');

    await owner.patch(shop.integration.url, { aws_role_name: 'another' });

    expect((await owner.get<Value>(created.url)).body).toMatchObject({
      value: 'first',
      external_error: expect.stringContaining('another account or role'),
    });
  });

  it('are not replaced when they expire', async () => {
    const { Expirations } = await moduleOfCore<typeof import('../parameters/expiration/expirations.ts')>(
      './features/parameters/expiration/expirations.js',
    );
    const { shop, owner, create } = await externalShop();
    const { body: parameter } = await owner.post<Parameter>(`${shop.project.url}parameters/`, {
      name: 'EXPIRING',
      secret: true,
      expires: 'P30D',
      expiration_action: { length: 20 },
    });
    await shop.writeElsewhere('password', 'first');
    const { body: created } = await create('password', {}, parameter);
    const root = await shop.organization.environmentNamed('default');
    const internal = await shop.organization.value({ parameter, environment: root, internal_value: 'first' });

    await at.core.core.app.get(Expirations).run(new Date(Date.now() + 31 * 86_400_000).toISOString());

    expect((await owner.get<Value>(internal.url)).body.value).not.toBe('first');
    expect((await owner.get<Value>(created.url)).body).toMatchObject({ external: true, value: 'first' });
  });

  it('cannot be created without the ability to reveal secrets', async () => {
    const { shop, owner, create, location, parameter, environment } = await externalShop();
    await shop.writeElsewhere('password', 'first');
    const contributor = await createPerson(at.core, shop.organization.id, 'CONTRIB');
    await owner.patch(`memberships/${contributor.membershipId}/`, { reveals_secrets: false });
    const rejected = await contributor.client.post(`${parameter.url}values/`, {
      environment: environment.url,
      external: true,
      external_fqn: location('password'),
    });
    expect(rejected).toMatchObject({ status: 403 });
    expect(rejected.headers['x-error-code']).toBe('reveal_forbidden');
    expect(await create('password')).toMatchObject({ status: 201 });
  });

  it('keep their text if their integration is deleted, which counts as use', async () => {
    const { shop, owner, create } = await externalShop();
    await shop.writeElsewhere('password', 'first');
    const { body: created } = await create('password');

    expect(await owner.delete(`${shop.integration.url}?in_use=fail`)).toMatchObject({ status: 409 });
    expect(await owner.delete(shop.integration.url)).toMatchObject({ status: 204 });
    expect((await owner.get<Value>(created.url)).body).toMatchObject({
      value: 'first',
      external_error: expect.stringContaining('was deleted'),
    });
  });
});
