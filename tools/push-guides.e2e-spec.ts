import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Integration, Push, Tag } from '../libs/contract/src/index.ts';
import { type OwnCore, startCore, startTestAzure, type TestAzure } from '../libs/testkit/src/index.ts';
import { apiKeyIn, Guide } from './testing/guide.ts';

const ENDED = ['success', 'failure'];

let azure: TestAzure;
let core: OwnCore;
const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'strata-push-guides-'));
beforeAll(async () => {
  azure = await startTestAzure();
  const certificate = path.join(directory, 'authority.pem');
  fs.writeFileSync(certificate, azure.certificate);
  core = await startCore({ ...azure.settings, NODE_EXTRA_CA_CERTS: certificate });
});
afterAll(async () => {
  await core.close();
  await azure.close();
  fs.rmSync(directory, { recursive: true, force: true });
});

it('the guide on Azure Key Vault writes the secrets of a project to a vault that confirms the organization', async () => {
  const organization = await core.organization();
  const project = await organization.project();
  const environment = await organization.environmentNamed('production');
  const parameter = await organization.parameter({ project, name: 'DB_HOST', secret: true });
  await organization.value({ parameter, environment, internal_value: 'db.example' });
  const tag = (await organization.owner.post<Tag>(`${environment.url}tags/`, { name: 'stable' })).body;
  const vault = azure.newVault(organization.id);
  const guide = new Guide('push-to-azure-key-vault');
  const KEY = apiKeyIn(await organization.authorization('OWNER'));
  const paste = async <Result>(section: string, variables: Readonly<Record<string, string>>) =>
    JSON.parse(await guide.run(guide.code(section), { API: `${core.origin}/api/v1`, KEY, ...variables })) as Result;

  const integration = await paste<Integration>('Create the integration', {
    VAULT: vault.vault_name,
    TENANT: vault.tenant_id,
  });
  const pushVariables = { INTEGRATION: integration.id, PROJECT: project.url, TAG: tag.url };
  let push = await paste<Push>('Create the push', pushVariables);
  const deadline = Date.now() + 30_000;
  while (!ENDED.includes(push.latest_task?.state ?? '') && Date.now() < deadline)
    push = (await organization.owner.get<Push>(push.url)).body;
  guide.remove();

  expect(push.latest_task).toMatchObject({ state: 'success', error_code: null });
  expect(vault.values()).toEqual({ 'shop-db-host': 'db.example', 'strata-organization': organization.id });
});
