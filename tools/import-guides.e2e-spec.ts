import fs from 'node:fs';
import path from 'node:path';
import { buildMissingApps } from '../apps/e2e/src/processes.ts';
import { type RunningCore, sharedCore, type TestOrganization } from '../libs/testkit/src/index.ts';
import { Guide, parseApiKey } from './testing/guide.ts';
import { installedProgramVariables } from './testing/installed-program.ts';

const CANARY = 'canary-51d0aa';

let core: RunningCore;
let organization: TestOrganization;
let guide: Guide;

beforeAll(async () => {
  core = await sharedCore();
  await buildMissingApps('cli');
});
beforeEach(async () => {
  organization = await core.organization();
  await organization.project({ name: 'shop' });
});
afterEach(() => guide.remove());

/** Opens a guide whose commands run as a member of the organization. Returns a function that runs a section. */
async function open(name: string): Promise<(heading: string) => Promise<string>> {
  guide = new Guide(name);
  const STRATA_API_KEY = parseApiKey(await organization.authorization('CONTRIB'));
  const variables = { ...installedProgramVariables(guide, core), STRATA_API_KEY, STRATA_PROJECT: 'shop' };
  return (heading) => guide.run(guide.blocks(heading).join('\n'), variables);
}

const write = (name: string, content: string | object, mode = 0o600) =>
  fs.writeFileSync(path.join(guide.directory, name), typeof content === 'string' ? content : JSON.stringify(content), {
    mode,
  });

const LISTED = /^PORT +8443 .*\nTOKEN +\*+ .*\n$/m;

/** A program that prints as Vault does. */
const VAULT = `#!/bin/sh
if [ "$2" = list ]; then printf 'Keys\\n----\\ncache\\ndb\\n'; exit; fi
echo '{ "request_id": "1", "lease_id": "", "lease_duration": 0, "renewable": false, "data": { "data": { "password": "${CANARY}" },
  "metadata": { "created_time": "2026-11-01T00:00:00Z", "version": 1 } }, "warnings": null }'
`;

test('the guide to move from Vault', async () => {
  const run = await open('move-from-vault');
  write('bin/vault', VAULT, 0o755);
  await run('Export the secrets');
  const output = await run('Import them');
  expect(output).toMatch(/create Value db_password in shop \/ staging[\s\S]*cache_password +\*+ .*\ndb_password +\*+ /);
  expect(output).not.toContain(CANARY);
  expect(fs.existsSync(path.join(guide.directory, 'vault'))).toBe(false);
});

test('the guide to move from Doppler', async () => {
  const run = await open('move-from-doppler');
  const exported = { DOPPLER_CONFIG: 'prd', DOPPLER_ENVIRONMENT: 'prd', DOPPLER_PROJECT: 'shop', TOKEN: CANARY };
  write('staging.json', { ...exported, PORT: '8081' });
  write('production.json', { ...exported, PORT: '8443' });
  const output = await run('Import them');
  expect(output).toMatch(LISTED);
  expect(output).not.toContain(CANARY);
});

test('the guide to move from Infisical', async () => {
  const run = await open('move-from-infisical');
  const exported = (texts: object) =>
    Object.entries(texts).map(([key, value]) => ({ key, workspace: '1', value, type: 'shared', _id: '2', tags: [] }));
  write('staging.json', exported({ PORT: '8081', TOKEN: CANARY }));
  write('production.json', exported({ PORT: '8443', TOKEN: CANARY }));
  const output = await run('Import them');
  expect(output).toMatch(LISTED);
  expect(output).not.toContain(CANARY);
});

test('the guide to import a configuration', async () => {
  const run = await open('import-a-configuration');
  write('.env.staging', `LICENSE=${CANARY}\nPASSWORD_LENGTH=12\n`);
  write('production.yaml', 'PASSWORD_LENGTH: 16\n');
  const output = await run('With the command line');
  expect(output).toMatch(/Plan hash [\s\S]*create Value PASSWORD_LENGTH in shop \/ production/);
});
