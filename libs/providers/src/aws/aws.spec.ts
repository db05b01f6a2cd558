import { AWS_CREDENTIALS, LocalServers, newAwsAccount, startTestAws } from '@strata/testkit';
import { NO_INSTALLATION } from '../no-installation.ts';
import type { ProviderCall, ProviderEnvironment, Store } from '../provider.ts';
import { ProviderError } from '../provider-error.ts';
import { findProvider } from '../providers.ts';

const stand = await startTestAws();
afterAll(() => stand.close());
afterEach(() => stand.interfere(() => null));
const provider = findProvider('aws');
if (!provider) throw new Error('There is no provider for AWS.');

const REGION = 'eu-central-1';
/** The account that moto assigns to credentials that it does not know. */
const STANDIN_ACCOUNT = '123456789012';
const TENANT = { organizationId: '7d0c6f6e-58a1-4c63-9d3c-0f2f0a5a7a11', externalId: 'external-7' };

function environment(calls: ProviderCall[] = [], allowPrivate = true): ProviderEnvironment {
  return {
    ...NO_INSTALLATION,
    guard: { allowPrivate, setting: 'STRATA_PRIVATE_DESTINATIONS' },
    aws: { ...AWS_CREDENTIALS, allowsOwnAccount: false, usesMachineCredentials: false, endpoint: stand.endpoint },
    onCall: (call) => calls.push(call),
  };
}

const settings = (more: object = {}) => ({
  aws_account_id: newAwsAccount(),
  aws_role_name: 'strata',
  aws_kms_key_id: null,
  aws_enabled_regions: [REGION],
  aws_enabled_services: ['ssm', 'secretsmanager'],
  resource_tags: { team: 'shop' },
  ...more,
});

const openStore = (service: string, input = settings(), calls: ProviderCall[] = []): Promise<Store> =>
  provider.open(input, environment(calls), { region: REGION, service }, TENANT);

const write = (key: string, text: string) => ({ key, text, isSecret: true, owner: 'push-1' });

const suite = stand.missing === null ? describe : describe.skip;

suite.each(['ssm', 'secretsmanager'])(`the service %s (${stand.missing ?? 'moto'})`, (service) => {
  it('writes, lists and reads a key, with a version that changes with every write', async () => {
    const store = await openStore(service);

    const created = await store.create(write('/shop/a', 'one'));
    await store.create({ ...write('/other/b', 'x'), owner: 'push-2' });
    const listed = await store.list('/shop/', 'push-1');

    expect(listed).toMatchObject([{ key: '/shop/a', version: created, owner: 'push-1', isDeleted: false }]);
    expect(await store.find?.('/shop/a', 'push-1')).toEqual(listed[0]);
    expect(await store.find?.('/shop/b', 'push-1')).toBeNull();
    expect(await store.read('/shop/a')).toEqual({ text: 'one', version: created });
    const updated = await store.update(write('/shop/a', 'two'));
    expect(updated).not.toBe(created);
    expect(await store.read('/shop/a')).toEqual({ text: 'two', version: updated });
    expect(await store.list('', 'push-1')).toHaveLength(2);
    store.close();
  });

  it('never creates a key over an existing one, and reports a missing key as null', async () => {
    const store = await openStore(service);
    await store.create(write('/shop/a', 'one'));

    await expect(store.create(write('/shop/a', 'CANARY'))).rejects.toMatchObject({ kind: 'conflict' });

    expect((await store.read('/shop/a'))?.text).toBe('one');
    expect(await store.read('/shop/none')).toBeNull();
    store.close();
  });

  it('assumes the role of the integration with the external id and the session name of the organization', async () => {
    stand.clear();
    const input = settings({ aws_external_id: 'chosen by a member' });
    const store = await openStore(service, input);
    await store.list('', 'push-1');

    expect(stand.calls().find(({ operation }) => operation === 'AssumeRole')?.input).toMatchObject({
      RoleArn: `arn:aws:iam::${input.aws_account_id}:role/strata`,
      ExternalId: TENANT.externalId,
      RoleSessionName: `strata-${TENANT.organizationId}`,
    });
    store.close();
  });

  it.each`
    code                       | status | kind
    ${'ThrottlingException'}   | ${400} | ${'rate'}
    ${'AccessDeniedException'} | ${400} | ${'denied'}
    ${'ValidationException'}   | ${400} | ${'invalid'}
    ${'InternalServerError'}   | ${500} | ${'retryable'}
    ${'Unheard'}               | ${418} | ${'invalid'}
  `('classifies $code as $kind, without the value of the request', async ({ code, status, kind }) => {
    const store = await openStore(service);
    stand.interfere(({ operation }) => (operation === 'AssumeRole' ? null : { kind: 'error', code, status }));

    const error = await store.create(write('/shop/a', 'CANARY')).catch((thrown: unknown) => thrown);

    expect(error).toBeInstanceOf(ProviderError);
    expect(error).toMatchObject({ kind });
    expect(JSON.stringify(error) + String(error)).not.toContain('CANARY');
    store.close();
  });
});

suite('AWS', () => {
  it('encrypts a parameter whose text is secret now, and leaves its earlier texts nowhere', async () => {
    const store = await openStore('ssm');
    const plain = { ...write('/shop/a', 'one'), isSecret: false };
    await store.create(plain);
    expect(await store.list('', 'push-1')).toMatchObject([{ isPlain: true }]);

    const version = await store.encrypt?.(write('/shop/a', 'one'));

    expect(await store.list('', 'push-1')).toEqual([
      { key: '/shop/a', version, owner: 'push-1', isDeleted: false, isPlain: false },
    ]);
    await store.update({ ...plain, text: 'two' });
    expect(await store.list('', 'push-1')).toMatchObject([{ isPlain: false }]);
    expect((await store.read('/shop/a'))?.text).toBe('two');
    store.close();
  });

  it('reports a role that cannot be assumed with the role, and with nothing about the operator', async () => {
    const input = settings();
    const store = await openStore('ssm', input);
    stand.interfere(({ operation }) =>
      operation === 'AssumeRole' ? { kind: 'error', code: 'AccessDenied', status: 403 } : null,
    );

    const error = await store.read('a').catch((thrown: unknown) => thrown);

    expect(error).toMatchObject({
      kind: 'denied',
      code: 'AccessDenied',
      detail: expect.stringContaining(`role arn:aws:iam::${input.aws_account_id}:role/strata could not be assumed`),
    });
    expect(String(error)).not.toContain('scripted');
    store.close();
  });

  it('names no address if the provider cannot be reached', async () => {
    const unreachable = { ...environment(), aws: { ...environment().aws, endpoint: 'http://127.0.0.1:9' } };

    const error = await provider.test(settings(), unreachable, TENANT).catch((thrown: unknown) => thrown);

    expect(error).toMatchObject({ kind: 'retryable' });
    expect(String(error)).not.toContain('127.0.0.1');
  });

  it('restores a deleted secret, which keeps its recovery window', async () => {
    const store = await openStore('secretsmanager');
    await store.create(write('a', 'one'));
    stand.clear();

    await store.remove('a');

    expect(stand.calls().map(({ operation, input }) => [operation, input])).toEqual([
      ['DeleteSecret', { SecretId: 'a' }],
    ]);
    expect(await store.list('', 'push-1')).toMatchObject([{ key: 'a', isDeleted: true }]);
    await store.restore('a');
    expect((await store.read('a'))?.text).toBe('one');
    store.close();
  });

  it('encrypts with the chosen key and adds the tags of the integration', async () => {
    const input = settings({ aws_kms_key_id: 'alias/shop' });
    stand.clear();
    for (const service of ['ssm', 'secretsmanager']) {
      const store = await openStore(service, input);
      await store.create(write('a', 'one'));
      store.close();
    }

    const tags = expect.arrayContaining([
      { Key: 'team', Value: 'shop' },
      { Key: 'strata-push', Value: 'push-1' },
    ]);
    const writes = stand.calls().filter(({ operation }) => /^(Put|Create)/.test(operation));
    expect(writes.map(({ input }) => input)).toMatchObject([
      { KeyId: 'alias/shop', Type: 'SecureString', Tags: tags },
      { KmsKeyId: 'alias/shop', Tags: tags },
    ]);
  });

  it('lists 120 keys with the documented number of calls, of which none writes', async () => {
    const calls: ProviderCall[] = [];
    const input = settings();
    const store = await openStore('secretsmanager', input, calls);
    for (let n = 0; n < 120; n += 1) await store.create(write(`/shop/${n}`, 'x'));
    calls.length = 0;

    expect(await store.list('/shop/', 'push-1')).toHaveLength(120);

    expect(calls).toEqual([
      { operation: 'ListSecrets', isWrite: false },
      { operation: 'ListSecrets', isWrite: false },
    ]);
    store.close();
  });

  it('tests a connection, and explains what its settings lack before any request', async () => {
    await provider.test(settings(), environment(), TENANT);
    stand.clear();

    const check = (more: object, input = environment()) =>
      provider.check(settings(more), input, { region: REGION, service: 'ssm' })?.code;
    expect(check({})).toBeUndefined();
    expect(check({ aws_enabled_services: ['secretsmanager'] })).toBe('service_disabled');
    expect(check({ aws_enabled_regions: ['us-east-1'] })).toBe('region_disabled');
    const withoutCredentials = { ...environment().aws, accessKeyId: null, secretAccessKey: null };
    expect(check({}, { ...environment(), aws: withoutCredentials })).toBe('no_credentials');
    expect(provider.check(settings(), environment(), { region: REGION, service: 's3' })?.code).toBe(
      'unsupported_service',
    );
    expect(stand.calls()).toEqual([]);
  });

  it("assumes no role of the operator's own account unless the operator allows it", async () => {
    const ownAccount = settings({ aws_account_id: STANDIN_ACCOUNT });
    const allowing = environment();
    stand.clear();

    const rejected = provider.test(ownAccount, environment(), TENANT);

    await expect(rejected).rejects.toMatchObject({ kind: 'denied', code: 'own_account' });
    expect(stand.calls().map(({ operation }) => operation)).not.toContain('AssumeRole');
    await provider.test(ownAccount, { ...allowing, aws: { ...allowing.aws, allowsOwnAccount: true } }, TENANT);
  });

  it('reads the credentials of the machine where no other request may go, if the operator allows it', async () => {
    const machine = new LocalServers();
    const answers: string[] = [];
    const origin = await machine.serve(({ url = '' }, response) => {
      answers.push(url);
      const Expiration = new Date(Date.now() + 3_600_000).toISOString();
      const credentials = { AccessKeyId: 'AKIAMACHINE', SecretAccessKey: 'machine', Token: 'token', Expiration };
      response.setHeader('content-type', 'application/json').end(JSON.stringify(credentials));
    });
    process.env.AWS_CONTAINER_CREDENTIALS_FULL_URI = `${origin}/machine`;
    const test = (usesMachineCredentials: boolean, allowPrivate: boolean) => {
      const { aws, ...others } = environment([], allowPrivate);
      const ofMachine = { ...aws, accessKeyId: null, secretAccessKey: null, usesMachineCredentials };
      return provider.test(settings(), { ...others, aws: ofMachine }, TENANT);
    };
    try {
      await expect(test(false, true)).rejects.toMatchObject({ code: 'no_credentials' });
      expect(answers).toEqual([]);
      stand.clear();
      await expect(test(true, false)).rejects.toMatchObject({ code: 'PRIVATE_ADDRESS' });
      expect([new Set(answers), stand.calls()]).toEqual([new Set(['/machine']), []]);
      await test(true, true);
      expect(stand.calls().map(({ operation }) => operation)).toContain('AssumeRole');
    } finally {
      delete process.env.AWS_CONTAINER_CREDENTIALS_FULL_URI;
      machine.close();
    }
  });

  it('sends no request to a private address unless the operator allows it', async () => {
    stand.clear();

    const rejected = provider.test(settings(), environment([], false), TENANT);

    await expect(rejected).rejects.toMatchObject({ kind: 'invalid', code: 'PRIVATE_ADDRESS' });
    expect(stand.calls()).toEqual([]);
  });
});
