import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type {
  ConnectionTest,
  DiscoveryResult,
  Integration,
  IntegrationNode,
  IntegrationTask,
  Page,
  Pull,
  Push,
  PushKey,
  PushRunPlan,
  Tag,
  Value,
} from '../libs/contract/src/index.ts';
import { findProvider, NO_INSTALLATION } from '../libs/providers/src/index.ts';
import {
  AWS_CREDENTIALS,
  newAwsAccount,
  type OwnCore,
  type RawClient,
  startCore,
  startTestAws,
  startTestAzure,
  startTestGitHub,
  startTestGoogle,
  type TestAzure,
  type TestGitHub,
  type TestGoogle,
} from '../libs/testkit/src/index.ts';
import { Guide, parseApiKey } from './testing/guide.ts';

const ENDED = ['success', 'failure', 'skipped'];

const aws = await startTestAws();
const itWithAws = aws.missing === null ? it : it.skip;

let azure: TestAzure;
let google: TestGoogle;
let github: TestGitHub;
let core: OwnCore;
const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'strata-push-guides-'));
beforeAll(async () => {
  azure = await startTestAzure();
  google = await startTestGoogle();
  github = await startTestGitHub();
  const certificate = path.join(directory, 'authority.pem');
  fs.writeFileSync(certificate, azure.certificate);
  core = await startCore({
    ...azure.settings,
    ...google.settings,
    ...github.settings,
    NODE_EXTRA_CA_CERTS: certificate,
    STRATA_PRIVATE_DESTINATIONS: 'true',
    STRATA_AWS_ACCESS_KEY_ID: AWS_CREDENTIALS.accessKeyId,
    STRATA_AWS_SECRET_ACCESS_KEY: AWS_CREDENTIALS.secretAccessKey,
    STRATA_AWS_ENDPOINT_URL: aws.endpoint,
  });
});
afterAll(async () => {
  await core.close();
  await azure.close();
  await google.close();
  await github.close();
  await aws.close();
  fs.rmSync(directory, { recursive: true, force: true });
});

describe('the guide on', () => {
  it('Azure Key Vault writes the secrets of a project to a vault that confirms the organization', async () => {
    const shop = await newShop();
    const vault = azure.newVault(shop.organization.id);

    const push = await followPushGuide('push-to-azure-key-vault', shop, {
      VAULT: vault.vault_name,
      TENANT: vault.tenant_id,
    });

    expect(push.latest_task).toMatchObject({ state: 'success', error_code: null });
    expect(vault.values()).toEqual({ 'shop-db-host': 'db.example', 'strata-organization': shop.organization.id });
  });

  it('Google Secret Manager writes the secrets of a project to one at Google that confirms the organization', async () => {
    const shop = await newShop();
    const { google_project_id: projectId, secrets } = google.newProject(shop.organization.id);

    const push = await followPushGuide('push-to-google-secret-manager', shop, { GOOGLE_PROJECT: projectId });

    expect(push.latest_task).toMatchObject({ state: 'success', error_code: null });
    expect(secrets.values()).toEqual({ 'shop-DB_HOST': 'db.example', 'strata-organization': shop.organization.id });
  });

  it('GitHub Actions writes the secrets of a project to a repository whose owner confirms the organization', async () => {
    const shop = await newShop();
    const { gh_installation_id: id, repositories } = github.newInstallation(shop.organization.id);
    repositories.add('shop');

    const push = await followPushGuide('push-to-github-actions', shop, { INSTALLATION: String(id) });

    expect(push.latest_task).toMatchObject({ state: 'success', error_code: null });
    expect(repositories.secrets()).toEqual({ 'shop/DB_HOST': 'db.example' });
  });
});

/** A project with a secret in production, and a tag. */
async function newShop() {
  const organization = await core.organization();
  const project = await organization.project();
  const environment = await organization.environmentNamed('production');
  const parameter = await organization.parameter({ project, name: 'DB_HOST', secret: true });
  await organization.value({ parameter, environment, internal_value: 'db.example' });
  const tag = (await organization.owner.post<Tag>(`${environment.url}tags/`, { name: 'stable' })).body;
  return { organization, project, tag };
}

/** Creates the integration and the push of a guide, approves its plan, and waits for the run. */
async function followPushGuide(
  name: string,
  { organization, project, tag }: Awaited<ReturnType<typeof newShop>>,
  settings: Readonly<Record<string, string>>,
): Promise<Push> {
  const guide = new Guide(name);
  const KEY = parseApiKey(await organization.authorization('OWNER'));
  const run = async <Result>(code: string, variables: Readonly<Record<string, string>>) =>
    JSON.parse(await guide.run(code, { API: `${core.origin}/api/v1`, KEY, ...variables })) as Result;
  const paste = <Result>(section: string, variables: Readonly<Record<string, string>>) =>
    run<Result>(guide.code(section), variables);
  const integration = await paste<Integration>('Create the integration', settings);
  const variables = { INTEGRATION: integration.id, PROJECT: project.url, TAG: tag.url };
  expect(await paste<ConnectionTest>('Test the connection', variables)).toMatchObject({ status: 'connected' });
  const { id: PUSH, url } = await paste<Push>('Create the push', variables);
  const ended = async () => {
    const deadline = Date.now() + 30_000;
    for (;;) {
      const { body: push } = await organization.owner.get<Push>(url);
      if (ENDED.includes(push.latest_task?.state ?? '') || Date.now() > deadline) return push;
    }
  };
  expect((await ended()).latest_task).toMatchObject({ state: 'skipped', error_code: 'approval_required' });
  const [readPlan = '', approve = ''] = guide.blocks('Approve the plan');
  const ids = { INTEGRATION: integration.id, PUSH };
  const { hash: HASH } = await run<PushRunPlan>(readPlan, ids);
  await run(approve, { ...ids, HASH });
  const push = await ended();
  guide.remove();
  return push;
}

itWithAws(
  'the guide on AWS writes nothing before the plan is approved, and the secrets of a project then, with the rights that it lists',
  async () => {
    const { organization, project, tag } = await newShop();
    aws.clear();
    const guide = new Guide('push-to-aws');
    const KEY = parseApiKey(await organization.authorization('OWNER'));
    const variables = {
      API: `${core.origin}/api/v1`,
      KEY,
      ACCOUNT: newAwsAccount(),
      PROJECT: project.url,
      TAG: tag.url,
    };
    const paste = async <Result>(code: string, more: Readonly<Record<string, string>> = {}) =>
      JSON.parse(await guide.run(code, { ...variables, ...more })) as Result;
    const ended = async (url: string) => {
      const deadline = Date.now() + 60_000;
      for (;;) {
        const { latest_task: task } = (await organization.owner.get<Push>(url)).body;
        if (ENDED.includes(task?.state ?? '') || Date.now() > deadline) return task;
      }
    };

    const integration = await paste<Integration>(guide.code('Create the integration'));
    const test = await paste<ConnectionTest>(guide.code('Test the connection'), { INTEGRATION: integration.id });
    expect(test).toMatchObject({ status: 'connected', error_code: null });
    const push = await paste<Push>(guide.code('Create the push'), { INTEGRATION: integration.id });
    expect(await ended(push.url)).toMatchObject({ state: 'skipped', error_code: 'approval_required' });
    const ids = { INTEGRATION: integration.id, PUSH: push.id };
    const [readPlan = '', approve = ''] = guide.blocks('Approve the plan');
    const plan = await paste<PushRunPlan>(readPlan, ids);
    expect(plan).toMatchObject({ waits_for_approval: true, creates: 1, foreign: 0 });
    await paste(approve, { ...ids, HASH: plan.hash });
    expect(await ended(push.url)).toMatchObject({ state: 'success', error_code: null });
    const keys = await paste<Page<PushKey>>(
      guide.code('Decide about keys of others').replace('?pending=true', ''),
      ids,
    );
    const [, policy = ''] = guide.blocks('Create the role', 'json');
    guide.remove();

    expect(keys.results.map(({ key, state }) => [key, state])).toEqual([['shop/DB_HOST', 'in_sync']]);
    const { Statement: statements }: { Statement: { Action: string[] }[] } = JSON.parse(policy);
    const calls = aws.calls().map(({ operation }) => `secretsmanager:${operation}`);
    // Every identity may call these two, which belong to STS.
    const ofStore = calls.filter((call) => !/:(AssumeRole|GetCallerIdentity)$/.test(call));
    expect(statements.flatMap(({ Action: actions }) => actions)).toEqual(expect.arrayContaining(ofStore));
    expect(ofStore).toContain('secretsmanager:CreateSecret');
  },
);

itWithAws(`the guide on values from AWS creates a value that follows a secret (${aws.missing ?? 'moto'})`, async () => {
  const organization = await core.organization();
  const ACCOUNT = newAwsAccount();
  const { body: integration } = await organization.owner.post<Integration>('integrations/aws/', {
    aws_account_id: ACCOUNT,
    aws_role_name: 'strata',
    aws_enabled_regions: ['eu-central-1'],
    aws_enabled_services: ['secretsmanager'],
  });
  await writeSecret(integration, organization.id, 'shop/database', '{"password": "first"}');
  await writeSecret(integration, organization.id, '/production/shop/HOST', 'shop.example.com');
  const project = await organization.project();
  const environment = await organization.environmentNamed('production');
  const parameter = await organization.parameter({ project, name: 'PASSWORD', secret: true });
  const guide = new Guide('read-values-from-aws');
  const KEY = parseApiKey(await organization.authorization('OWNER'));
  const variables = { API: `${core.origin}/api/v1`, KEY, ACCOUNT };

  const place = { PROJECT: project.id, PARAMETER: parameter.id, ENVIRONMENT: environment.id };
  const value: Value = JSON.parse(await guide.run(guide.code('Create the value'), { ...variables, ...place }));
  expect(value).toMatchObject({ external: true, value: 'first' });

  const { body: pulls } = await organization.owner.get<Page<Pull>>(`${integration.url}pulls/`);
  const [pull] = pulls.results;
  const ids = { INTEGRATION: integration.id, PULL: pull?.id ?? '' };
  await guide.run(guide.code('Read it again at once'), { ...variables, ...ids });
  await importWithGuide(guide, { ...variables, INTEGRATION: integration.id }, organization.owner);
  guide.remove();
  const { body: tasks } = await organization.owner.get<Page<IntegrationTask>>(`${pull?.url}tasks/`);
  expect(tasks.results.map(({ reason }) => reason)).toContain('Started manually.');
});

/** Lists the store, scans it, and imports the secret `/production/shop/HOST`. */
async function importWithGuide(guide: Guide, variables: Record<string, string>, owner: RawClient): Promise<void> {
  const nodes: Page<IntegrationNode> = JSON.parse(await guide.run(guide.code('Find the location'), variables));
  expect(nodes.results.map(({ name }) => name).sort()).toEqual(['production', 'shop']);
  const [scan = '', creation = '', runs = ''] = guide.blocks('Import many keys');
  const scanResult: DiscoveryResult = JSON.parse(await guide.run(scan, variables));
  expect(Object.values(scanResult.matched)).toMatchObject([[{ project_name: 'shop', parameter_name: 'HOST' }]]);
  const created: Pull = JSON.parse(await guide.run(creation, variables));
  await guide.run(runs, { ...variables, IMPORT: created.id });
  const tasks = async () => (await owner.get<Page<IntegrationTask>>(`${created.url}tasks/`)).body.results;
  while ((await tasks()).some(({ state }) => !ENDED.includes(state))) await setTimeout(100);
  expect((await tasks()).map(({ dry_run, state }) => [dry_run, state])).toEqual([
    [false, 'success'],
    [true, 'success'],
  ]);
  expect((await owner.get<Page<object>>('projects/?name=shop')).body.count).toBe(1);
}

/** Writes a secret as another program of the account. */
async function writeSecret(settings: Integration, organizationId: string, key: string, text: string): Promise<void> {
  const environment = {
    ...NO_INSTALLATION,
    guard: { allowPrivate: true, setting: 'STRATA_PRIVATE_DESTINATIONS' },
    aws: { ...AWS_CREDENTIALS, allowsOwnAccount: true, usesMachineCredentials: false, endpoint: aws.endpoint },
    onCall: () => undefined,
  };
  const location = { region: 'eu-central-1', service: 'secretsmanager' };
  const tenant = { organizationId, externalId: 'another program' };
  const store = await findProvider('aws')?.open(settings, environment, location, tenant);
  await store?.create({ key, text, isSecret: true, owner: 'another program' });
  store?.close();
}
