import {
  type AccessExplanationPage,
  type ApiKey,
  type AuthToken,
  isChange,
  OPERATIONS,
  type Page,
  type Parameter,
  type ServiceAccount,
  type ServiceAccountCreated,
} from '@strata/contract';
import { RawClient, type Reply, type TestOrganization } from '@strata/testkit';
import { type CoreInProcess, startCoreInProcess, startSecondCore } from '../../testing/core-in-process.ts';
import { EffectiveClient } from '../../testing/effective-client.ts';
import { lockOrganizationHead } from '../../testing/locked-head.ts';
import { query } from '../../testing/query.ts';
import { serviceAccount } from '../../testing/service-accounts.ts';
import { waitUntil } from '../../testing/until.ts';
import { clientWithKey } from '../../testing/workloads.ts';

let core: CoreInProcess;
let otherCore: CoreInProcess;
beforeAll(async () => {
  core = await startCoreInProcess();
  otherCore = await startSecondCore(core);
});
afterAll(async () => {
  await otherCore?.close();
  await core?.close();
});

const NOWHERE = '00000000-0000-4000-8000-000000000000';
const DENIED = { status: 403, headers: { 'x-error-code': 'key_scope_missing' } };

const statusAndCode = ({ status, headers }: Reply) => `${status} ${headers['x-error-code'] ?? ''}`.trim();

const sessionClient = ({ origin }: { readonly origin: string }, { access_token: token }: AuthToken) =>
  new RawClient(origin, `Bearer ${token}`);

/** Returns a client with the key of a new account that has every right, within the limits of the key. */
async function limitedKey(organization: TestOrganization, limits: object, role = 'OWNER') {
  const account = await serviceAccount(organization, { role, reveals_secrets: true, ...limits });
  return { account, client: clientWithKey(core, account) };
}

/** Two projects, of which the first depends on a third one, with a value in two environments, and a secret. */
async function createShop(organization: TestOrganization) {
  const base = await organization.project({ name: 'base' });
  const web = await organization.project({ name: 'web', depends_on: base.url });
  const billing = await organization.project({ name: 'billing' });
  const [staging, production] = [
    await organization.environmentNamed('staging'),
    await organization.environmentNamed('production'),
  ];
  const secret = await organization.parameter({ project: web, name: 'password', secret: true });
  await organization.value({ parameter: secret, environment: staging, internal_value: 'hunter2' });
  const [port, fee, shared] = [
    await organization.parameter({ project: web, name: 'port' }),
    await organization.parameter({ project: billing, name: 'fee' }),
    await organization.parameter({ project: base, name: 'shared' }),
  ];
  const values = {
    staging: await organization.value({ parameter: port, environment: staging, internal_value: '1' }),
    production: await organization.value({ parameter: port, environment: production, internal_value: '2' }),
    fee: await organization.value({ parameter: fee, environment: staging, internal_value: '3' }),
    shared: await organization.value({ parameter: shared, environment: staging, internal_value: '4' }),
  };
  return { base, web, billing, staging, production, secret, port, fee, shared, values };
}

const currentKey = async ({ owner }: TestOrganization, { url, apikey }: ServiceAccountCreated): Promise<ApiKey> => {
  const { body } = await owner.get<ServiceAccount>(url);
  const key = body.keys?.find(({ prefix }) => apikey.startsWith(`${prefix}.`));
  if (!key) throw new Error('The key is not listed.');
  return key;
};

describe('a key without limits', () => {
  it('is what a request of an earlier client creates: it has all scopes and never expires', async () => {
    const organization = await core.organization();
    const account = await serviceAccount(organization, { role: 'ADMIN' });
    const { body: rekeyed } = await organization.owner.post<ServiceAccountCreated>(`${account.url}rekey/`);

    for (const created of [account, rekeyed]) {
      expect(created.keys?.[0]).toMatchObject({
        scopes: ['read', 'write', 'reveal'],
        projects: null,
        environments: null,
        expiry_date: null,
        last_read_at: null,
      });
    }
    expect((await clientWithKey(core, rekeyed).post('projects/', { name: 'x' })).status).toBe(201);
  });
});

describe('a key without the scope write', () => {
  /** Everything that uses another method than GET, and changes nothing. */
  const READING = [
    ...['changesets_plan_create', 'changesets_revert_plan_create', 'revert_plan_create'],
    ...['projects_template_preview_create', 'types_validate_create', 'projects_parameters_validate_create'],
    ...['flags_evaluate', 'flags_evaluate_one', 'utils_generate_password_create', 'batch_create'],
    ...['invitations_offer_create', 'backup_snapshot_create'],
    // programs report what they run, and edges report the reads of others
    ...['rollouts_create', 'forwarded_reads_create'],
    // sessions have the limits of their key
    ...['auth_session_create', 'auth_session_destroy', 'auth_token_create', 'auth_exchange_create'],
  ];

  it('is denied every operation of the contract that changes something, for an account of every right', async () => {
    const organization = await core.organization();
    const { account, client } = await limitedKey(organization, { key_scopes: ['read', 'reveal'] });
    const { body: token } = await client.post<AuthToken>('auth/session/', {});
    const session = sessionClient(core, token);
    const writing = OPERATIONS.filter(({ id, method }) => method !== 'get' && !READING.includes(id));

    for (const [name, limited] of Object.entries({ key: client, session })) {
      for (const { id, method, path, body } of writing) {
        const target = path.replace('/organizations/{id}/', `/organizations/${organization.id}/`);
        const response = await limited.send(method.toUpperCase(), target.replace(/\{\w+\}/g, NOWHERE), {
          body: body ? {} : undefined,
        });
        expect([name, id, statusAndCode(response)]).toEqual([name, id, '403 key_scope_missing']);
      }
    }
    expect(writing.length).toBeGreaterThan(100);
    expect(
      OPERATIONS.filter((operation) => operation.method !== 'get' && !isChange(operation))
        .map(({ id }) => id)
        .toSorted(),
    ).toEqual(READING.toSorted());
    expect(await client.post('projects/', { name: 'x' })).toMatchObject({
      body: { detail: expect.stringContaining('"write"') },
    });
    expect((await clientWithKey(core, account).get('projects/')).status).toBe(200);
  });

  it('reads and plans, and its account loses nothing', async () => {
    const organization = await core.organization();
    const { web, values } = await createShop(organization);
    const { account, client } = await limitedKey(organization, { key_scopes: ['read'] });
    const operations = [{ set: { project: 'web', environment: 'staging', values: { port: '9' } } }];

    expect((await client.get(`${web.url}parameters/?mask_secrets=true`)).status).toBe(200);
    const plan = await client.post('changesets/plan/', { operations });
    expect(plan.status).toBe(200);
    expect(await client.post('changesets/', { operations })).toMatchObject(DENIED);
    expect((await organization.owner.get<{ internal_value: string }>(values.staging.url)).body.internal_value).toBe(
      '1',
    );
    const { body: full } = await organization.owner.post<ServiceAccountCreated>(`${account.url}rekey/`);
    expect((await clientWithKey(core, full).post('changesets/', { operations })).status).toBe(201);
  });
});

describe('a key without the scope reveal', () => {
  it('gets no secret in clear, also in a stream, and masked ones as before', async () => {
    const organization = await core.organization();
    const { web } = await createShop(organization);
    const { account, client } = await limitedKey(organization, { key_scopes: ['read', 'write'] });
    const effective = `${web.url}effective/?environment=staging`;

    expect(await client.get(`${effective}&mask_secrets=false`)).toMatchObject({
      status: 403,
      headers: { 'x-error-code': 'reveal_forbidden' },
    });
    expect((await client.get<{ values: object }>(`${effective}&mask_secrets=true`)).body.values).toMatchObject({
      password: '*****',
    });
    const stream = new EffectiveClient(
      core.origin,
      `projects/${web.id}/effective/stream/?environment=staging&reveal=true`,
      `Api-Key ${account.apikey}`,
    );
    await stream.open();
    expect(stream.status).toBe(403);
    const { body: token } = await client.post<AuthToken>('auth/session/', {});
    expect((await sessionClient(core, token).get(`${effective}&mask_secrets=false`)).status).toBe(403);
  });
});

describe('a key that is limited to projects', () => {
  it('reads and changes their contents, and reads those that they depend on', async () => {
    const organization = await core.organization();
    const { web, base, billing, values, port } = await createShop(organization);
    const { client } = await limitedKey(organization, { key_projects: [web.id] });

    expect((await client.get(`${web.url}parameters/`)).status).toBe(200);
    expect((await client.get(`${base.url}parameters/`)).status).toBe(200);
    expect(await client.get(`${billing.url}parameters/`)).toMatchObject(DENIED);
    expect((await client.patch(values.staging.url, { internal_value: '8' })).status).toBe(200);
    expect((await client.patch(port.url, { description: 'x' })).status).toBe(200);
    expect((await client.post(`${web.url}parameters/`, { name: 'new' })).status).toBe(201);
    for (const denied of [
      await client.patch(values.shared.url, { internal_value: '8' }),
      await client.patch(values.fee.url, { internal_value: '8' }),
      await client.post(`${billing.url}parameters/`, { name: 'new' }),
      await client.patch(web.url, { name: 'renamed' }),
      await client.delete(web.url),
      await client.post('projects/', { name: 'new' }),
      await client.post('environments/', { name: 'new' }),
    ]) {
      expect(denied).toMatchObject(DENIED);
    }
  });

  it('is denied every operation that requires more than reading, outside of them and in the organization', async () => {
    const organization = await core.organization();
    const { web, billing } = await createShop(organization);
    const { client } = await limitedKey(organization, { key_projects: [web.url] });
    const denied = OPERATIONS.filter(({ requires }) => requires !== 'nothing' && requires !== 'read');

    for (const { id, method, path, body } of denied) {
      const target = path
        .replace('/organizations/{id}/', `/organizations/${organization.id}/`)
        .replace(/\/projects\/\{\w+\}/, `/projects/${billing.id}`);
      const response = await client.send(method.toUpperCase(), target.replace(/\{\w+\}/g, NOWHERE), {
        body: body ? {} : undefined,
      });
      expect([id, response.status]).toEqual([id, 403]);
    }
    expect(denied.length).toBeGreaterThan(80);
  });

  it('reads nothing of other projects, in any operation with a project in its path', async () => {
    const organization = await core.organization();
    const { web, billing, fee } = await createShop(organization);
    const { client } = await limitedKey(organization, { key_projects: [web.url] });
    const reads = OPERATIONS.filter(({ method, path }) => method === 'get' && /\/projects\/\{\w+\}\/./.test(path));

    for (const { id, path } of reads) {
      const target = path.replace(/\/projects\/\{\w+\}/, `/projects/${billing.id}`).replace(/\{\w+\}/g, fee.id);
      expect([id, (await client.get(target)).status]).toEqual([id, 403]);
    }
    expect(reads.length).toBeGreaterThan(15);
    const matches = await client.get('search/?q=fee&project=web');
    expect(matches.text).not.toContain(fee.id);
    const { body: events } = await client.get<{ results: readonly { project: { id: string } | null }[] }>(
      'events/?after=',
    );
    expect(events.results?.filter(({ project }) => project?.id === billing.id) ?? []).toEqual([]);
  });

  it('cannot give itself more: accounts, grants, groups, sessions of others and its own account', async () => {
    const organization = await core.organization();
    const { web } = await createShop(organization);
    const { account, client } = await limitedKey(organization, { key_projects: [web.url] });
    const grant = { principal: account.user.url, scope: web.url, role: 'OWNER' };

    for (const response of [
      await client.post(`${account.url}rekey/`),
      await client.patch(account.url, { description: 'x' }),
      await client.post('serviceaccounts/', { name: 'full', role: 'OWNER' }),
      await client.post('grants/', grant),
      await client.post('groups/', { name: 'g' }),
      await client.delete(`memberships/${account.user.membership_id}/`),
      await client.delete(`users/${account.id}/`),
      await client.delete(account.url),
      await client.post('organizations/', { name: 'another' }),
      await client.patch(web.url, { access_controlled: true }),
      await client.post('changesets/', {
        operations: [{ operation: 'projects_create', body: { name: 'another' } }],
      }),
      await client.post('import/', {
        project: 'billing',
        environment: 'staging',
        secrets: [],
        ignore: [],
        body: 'A=1',
      }),
      await client.post(`${web.url}copy/`, { name: 'copied' }),
    ]) {
      expect([response.status, response.text]).toEqual([403, expect.any(String)]);
    }
    expect((await organization.owner.get(account.url)).status).toBe(200);
  });

  it('does not reach a project that is created later, and follows a changed dependency', async () => {
    const organization = await core.organization();
    const web = await organization.project({ name: 'web' });
    const { client } = await limitedKey(organization, { key_projects: [web.url] });
    expect((await client.get(`${web.url}parameters/`)).status).toBe(200);

    const later = await organization.project({ name: 'later' });
    expect(await client.get(`${later.url}parameters/`)).toMatchObject(DENIED);
    await organization.owner.patch(web.url, { depends_on: later.url });
    expect((await client.get(`${later.url}parameters/`)).status).toBe(200);
    expect(await client.post(`${later.url}parameters/`, { name: 'x' })).toMatchObject(DENIED);
  });

  it('has the rights of its account on them, and no more', async () => {
    const organization = await core.organization();
    const { web, billing } = await createShop(organization);
    const { client: viewer } = await limitedKey(organization, { key_projects: [web.url] }, 'VIEWER');
    expect((await viewer.get(`${web.url}parameters/`)).status).toBe(200);
    expect(statusAndCode(await viewer.post(`${web.url}parameters/`, { name: 'x' }))).toBe('403 forbidden');

    await organization.owner.patch(billing.url, { access_controlled: true });
    const { client } = await limitedKey(organization, { key_projects: [billing.url] }, 'CONTRIB');
    expect(statusAndCode(await client.get(`${billing.url}parameters/`))).toBe('403 forbidden');
  });
});

describe('a key that is limited to environments', () => {
  it('reads and sets values there only, and deletes nothing with values elsewhere', async () => {
    const organization = await core.organization();
    const { web, values, port, fee } = await createShop(organization);
    const { staging } = await createEnvironments(organization);
    const { client } = await limitedKey(organization, { key_environments: [staging.url] });
    const set = (environment: string) => ({
      operations: [{ set: { project: 'web', environment, values: { port: '7' } } }],
    });

    expect((await client.get(`${web.url}effective/?environment=staging&mask_secrets=true`)).status).toBe(200);
    expect(await client.get(`${web.url}effective/?environment=production&mask_secrets=true`)).toMatchObject(DENIED);
    expect((await client.patch(values.staging.url, { internal_value: '7' })).status).toBe(200);
    expect((await client.patch(values.fee.url, { internal_value: '7' })).status).toBe(200);
    expect((await client.patch(values.production.url, { internal_value: '7' })).status).toBe(403);
    expect(await client.post('changesets/', set('production'))).toMatchObject({ status: 403 });
    expect((await client.post('changesets/', set('staging'))).status).toBe(201);
    expect((await client.delete(port.url)).status).toBe(403);
    expect((await client.delete(fee.url)).status).toBe(204);
    expect((await client.post('types/', { name: 'x', parent: 'string' })).status).toBe(403);
    const listed = await client.get<Page<Parameter>>(`${web.url}parameters/?environment=staging&name=port`);
    expect([listed.status, listed.body.count]).toEqual([200, 1]);
  });
});

const createEnvironments = async (organization: TestOrganization) => ({
  staging: await organization.environmentNamed('staging'),
});

describe('the limits of a new key', () => {
  it.each([
    [{ key_scopes: ['write'] }, 'key_scopes'],
    [{ key_scopes: ['read', 'root'] }, 'key_scopes'],
    [{ key_projects: [] }, 'key_projects'],
    [{ key_projects: [NOWHERE] }, 'key_projects'],
    [{ key_environments: ['staging'] }, 'key_environments'],
    [{ overlap_seconds: -1 }, 'overlap_seconds'],
    [{ overlap_seconds: 2_592_001 }, 'overlap_seconds'],
  ])('cannot be %j', async (limits, field) => {
    const organization = await core.organization();
    const account = await serviceAccount(organization);
    const accept = { accept: 'application/problem+json' };

    const response = await organization.owner.post<{ code: string; pointer: string }>(
      `${account.url}rekey/`,
      limits,
      accept,
    );

    expect([response.status, response.body.pointer]).toEqual([400, expect.stringContaining(`/${field}`)]);
    expect((await clientWithKey(core, account).get('users/current/')).status).toBe(200);
  });

  it('are shown with the key, without deleted projects, and do not end with them', async () => {
    const organization = await core.organization();
    const project = await organization.project();
    const otherProject = await organization.project();
    const environment = await organization.environment();
    const { account, client } = await limitedKey(organization, {
      key_scopes: ['reveal', 'read'],
      key_projects: [project.url],
      key_environments: [environment.id],
    });

    expect(account.keys?.[0]).toMatchObject({
      scopes: ['read', 'reveal'],
      projects: [project.url],
      environments: [environment.url],
    });
    await organization.owner.delete(project.url);
    expect((await currentKey(organization, account)).projects).toEqual([]);
    expect((await client.get(`${otherProject.url}parameters/`)).status).toBe(403);
  });

  it('cannot be removed from the row by mistake, since the key is invalid without them', async () => {
    const organization = await core.organization();
    const { account, client } = await limitedKey(organization, { key_scopes: ['read'] });
    const { body: token } = await client.post<AuthToken>('auth/session/', {});

    await query(core, 'update api_key set scopes = null where person_id = $1', [account.id]);

    // A core of the release before, which does not know the columns, computes the same.
    const beside = new RawClient(otherCore.origin, `Api-Key ${account.apikey}`);
    expect(statusAndCode(await beside.get('users/current/'))).toBe('403 bad_credential');
    const session = sessionClient(otherCore, token);
    expect(statusAndCode(await session.get('users/current/'))).toBe('403 bad_credential');
  });
});

describe('the overlap of keys', () => {
  const rekey = (organization: TestOrganization, { url }: ServiceAccountCreated, input: object) =>
    organization.owner.post<ServiceAccountCreated>(`${url}rekey/`, input);

  it('keeps the old key valid for the chosen time, and no longer than it would have been', async () => {
    const organization = await core.organization();
    const account = await serviceAccount(organization);
    const before = Date.now();
    const { body: second } = await rekey(organization, account, { overlap_seconds: 3_600 });

    const [newest, oldest] = second.keys ?? [];
    expect([newest?.expiry_date, oldest?.revoked]).toEqual([null, false]);
    expect(Date.parse(oldest?.expiry_date ?? '') - before).toBeGreaterThanOrEqual(3_599_000);
    for (const key of [account, second]) {
      expect((await clientWithKey(otherCore, key).get('users/current/')).status).toBe(200);
    }
    const { body: third } = await rekey(organization, account, { overlap_seconds: 7_200 });
    expect(third.keys?.at(-1)?.expiry_date).toBe(oldest?.expiry_date);
    await rekey(organization, account, {});
    for (const key of [account, second, third]) {
      expect((await clientWithKey(core, key).get('users/current/')).status).toBe(403);
    }
  });

  it('ends open streams and waiting writes of the old key when it is over', async () => {
    const organization = await core.organization();
    const { web, values } = await createShop(organization);
    const account = await serviceAccount(organization, { role: 'CONTRIB' });
    const path = `projects/${web.id}/effective/stream/?environment=staging`;
    const stream = new EffectiveClient(core.origin, path, `Api-Key ${account.apikey}`);
    await stream.open();
    const client = clientWithKey(core, account);
    await rekey(organization, account, { overlap_seconds: 3 });
    expect((await client.get('users/current/')).status).toBe(200);

    const head = await lockOrganizationHead(core, organization.id);
    const pendingWrite = client.patch(values.staging.url, { internal_value: 'late' });
    await head.waiting(1);
    await stream.until(() => stream.of('close').length > 0);
    await head.release();

    expect(statusAndCode(await pendingWrite)).toBe('403 bad_credential');
    expect((await organization.owner.get<{ internal_value: string }>(values.staging.url)).body.internal_value).toBe(
      '1',
    );
  });
});

describe('a key', () => {
  it('shows when each of its scopes was last used', async () => {
    const organization = await core.organization();
    const { web } = await createShop(organization);
    const { account, client } = await limitedKey(organization, {});
    const usedScopes = async () => {
      const {
        last_read_at: read,
        last_write_at: write,
        last_reveal_at: reveal,
      } = await currentKey(organization, account);
      return Object.entries({ read, write, reveal })
        .flatMap(([scope, at]) => (at === null ? [] : scope))
        .join();
    };
    const expectUse = async (scopes: string) => {
      expect(await waitUntil(usedScopes, (current) => current === scopes)).toBe(scopes);
    };

    await expectUse('');
    await client.get('projects/');
    await expectUse('read');
    await client.post(`${web.url}parameters/`, { name: 'x' });
    await expectUse('read,write');
    await client.get(`${web.url}effective/?environment=staging&mask_secrets=false`);
    await expectUse('read,write,reveal');
  });
});

describe('the explanation of access with a key', () => {
  it('says what its scopes deny', async () => {
    const organization = await core.organization();
    const { web } = await createShop(organization);
    const { account } = await limitedKey(organization, { key_scopes: ['read'], key_projects: [web.url] });
    const key = account.apikey.slice(0, account.apikey.indexOf('.'));
    const explain = async (project: string, extra = '') =>
      (
        await organization.owner.get<AccessExplanationPage>(
          `access/explain/?project=${project}&environment=staging&key=${key}${extra}`,
        )
      ).body.results;

    expect(await explain('web')).toMatchObject([
      { user_id: account.id, read: true, write: false, reveal: false, denied_by_key: ['write', 'reveal'] },
    ]);
    expect(await explain('billing')).toMatchObject([{ read: false, denied_by_key: ['write', 'reveal', 'project'] }]);
    expect(await explain('base')).toMatchObject([{ read: true, write: false, denied_by_key: ['write', 'reveal'] }]);
    const without = await organization.owner.get<AccessExplanationPage>(
      `access/explain/?project=web&environment=staging&who=${account.id}`,
    );
    expect(without.body.results).toMatchObject([{ write: true, reveal: true, denied_by_key: [] }]);
    const member = await serviceAccount(organization);
    for (const text of ['&key=nobody00', `&who=${member.id}&key=${key}`]) {
      const path = `access/explain/?project=web${text}`;
      expect(await organization.owner.get(path)).toMatchObject({ status: 400, body: { key: [expect.any(String)] } });
    }
  });
});
