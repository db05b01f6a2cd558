import fs from 'node:fs';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { commandExamples } from '../apps/cli/src/commands.ts';
import { buildMissingApps } from '../apps/e2e/src/processes.ts';
import type { AuditCheckpoint } from '../libs/contract/src/index.ts';
import { type RunningCore, sharedCore, type TestOrganization } from '../libs/testkit/src/index.ts';
import { Guide, parseApiKey } from './testing/guide.ts';
import { installedProgramVariables } from './testing/installed-program.ts';

let core: RunningCore;
let organization: TestOrganization;
let guide: Guide;
beforeAll(async () => {
  core = await sharedCore();
  await buildMissingApps('cli');
});
beforeEach(async () => {
  organization = await core.organization();
});
afterEach(() => guide.remove());

test('the guide to run a program', async () => {
  guide = new Guide('run-a-program');
  const project = await organization.project({ name: 'shop' });
  const parameter = await organization.parameter({ project, name: 'PORT' });
  await organization.value({ parameter, internal_value: '8080' });
  const variables = installedProgramVariables(guide, core);
  fs.writeFileSync(path.join(guide.directory, 'key.txt'), parseApiKey(await organization.authorization('VIEWER')));
  const run = (heading: string) => guide.run(guide.blocks(heading).join('\n'), variables);

  expect(await run('Select what to run')).toMatch(/^Signed in at .*[\s\S]*\nPORT +8080 +default\n$/);
  expect(await run('Run it')).toBe('listening on 8080\na tool for 8080\n');
  expect(await run('Start while Strata is unavailable')).toBe('8080\n8080\n');
  await run('Export the values');
  expect(fs.readFileSync(path.join(guide.directory, 'production.env'), 'utf8')).toBe("PORT='8080'\n");
  expect(fs.readFileSync(path.join(guide.directory, 'manifests.yaml'), 'utf8')).toContain('"PORT": "8080"');
});

test('the guide to change values from a terminal', async () => {
  guide = new Guide('change-values-from-a-terminal');
  const project = await organization.project({ name: 'shop' });
  const parameter = await organization.parameter({ project, name: 'PORT' });
  await organization.value({ parameter, internal_value: '8080' });
  fs.writeFileSync(path.join(guide.directory, 'password.txt'), 'a password');
  const STRATA_API_KEY = parseApiKey(await organization.authorization('CONTRIB'));
  const variables = {
    ...{ ...installedProgramVariables(guide, core), STRATA_API_KEY },
    ...{ STRATA_PROJECT: 'shop', STRATA_ENVIRONMENT: 'production' },
  };
  const run = (heading: string) => guide.run(guide.blocks(heading).join('\n'), variables);

  expect(await run('Change one value')).toMatch(/create Value PORT[\s\S]*\n8081\n[\s\S]*not set → 8081/);
  expect(await run('Set a secret')).toContain('create Parameter PASSWORD');
  expect(await run('Plan in a build, apply after an approval')).toMatch(
    /"8081" -> "8082"[\s\S]*Plan hash .*\nRevision/,
  );
  expect(await run('Understand a value')).toMatch(/PORT = 8082[\s\S]*shop +PORT +8082 +production/);
  expect(await run('Undo a change')).toMatch(/"8082" -> "8081"[\s\S]*update Value PORT/);
});

test('the examples in the help of the commands', async () => {
  guide = new Guide('run-a-program');
  const project = await organization.project({ name: 'shop' });
  for (const name of ['PORT', 'HOST']) {
    const parameter = await organization.parameter({ project, name });
    await organization.value({ parameter, internal_value: '80' });
  }
  const { body: aws } = await organization.owner.post<{ url: string }>('integrations/aws/', {
    ...{ aws_account_id: '123456789012', aws_role_name: 'strata' },
    ...{ aws_enabled_regions: ['eu-central-1'], aws_enabled_services: ['ssm'] },
  });
  await organization.owner.post(`${aws.url}pushes/`, {
    ...{ name: 'to-aws', projects: [project.url], tags: [], resource: '/{{ parameter }}' },
    ...{ region: 'eu-central-1', service: 'ssm' },
  });
  await organization.owner.post('serviceaccounts/', { name: 'ci' });
  const variables = {
    ...{
      ...installedProgramVariables(guide, core),
      STRATA_API_KEY: parseApiKey(await organization.authorization('OWNER')),
      CHECKPOINT_KEY: (await organization.owner.get<AuditCheckpoint>('audit/checkpoints/')).body.key,
    },
    ...{ STRATA_PROJECT: 'shop', STRATA_ENVIRONMENT: 'production' },
  };
  // A plan reads the store, which this installation cannot reach: cli-pushes.e2e-spec runs it.
  const examples = (await commandExamples()).filter((example) => !example.startsWith('strata push plan'));
  expect(examples.length).toBeGreaterThan(20);
  for (const example of examples)
    expect([example, await guide.run(`set -e -o pipefail\n${example}\necho succeeded`, variables)]).toEqual([
      example,
      expect.stringMatching(/succeeded\n$/),
    ]);
});

test('the guide to administer from a terminal', async () => {
  guide = new Guide('administer-from-a-terminal');
  const variables = {
    ...installedProgramVariables(guide, core),
    STRATA_API_KEY: parseApiKey(await organization.authorization('OWNER')),
  };
  const run = (heading: string) => guide.run(['set -e', ...guide.blocks(heading)].join('\n'), variables);

  expect(await run('Create what a new program needs')).toContain('Created the parameter PORT.');
  expect(await run('Give a program a key')).toMatch(/shop-server +\S+ .* active/);
  expect(fs.readFileSync(path.join(guide.directory, 'key.txt'), 'utf8')).toMatch(/^\S+\n$/);
  expect(await run('Give people access')).toMatch(/operators +shop +OWNER/);
  expect(await run('Change and delete')).toContain('delete Environment canary');
});

test('the guide to give access for a limited time', async () => {
  guide = new Guide('give-access-for-a-limited-time');
  const project = await organization.project({ name: 'shop' });
  await organization.owner.patch(project.url, { access_controlled: true });
  const { body: account } = await organization.owner.post<{ apikey: string }>('serviceaccounts/', {
    ...{ name: 'shop-ci', role: 'ADMIN', reveals_secrets: false },
  });
  const program = installedProgramVariables(guide, core);
  const run = (heading: string, STRATA_API_KEY: string, variables = {}) =>
    guide.run(['set -e', ...guide.blocks(heading), 'echo done'].join('\n'), {
      ...program,
      STRATA_API_KEY,
      ...variables,
    });
  const ownerKey = parseApiKey(await organization.authorization('OWNER'));

  const listed = await run('Request access', account.apikey);
  expect(listed).toMatch(/shop-ci +shop +CONTRIB +pending +120m +Fix the outage of the checkout/);
  const REQUEST = /^(\S{36}) /m.exec(listed)?.[1] ?? '';
  expect(await run('Approve or decline a request', ownerKey, { REQUEST })).toContain('done');
  expect(await run('End the access early', account.apikey, { REQUEST })).toContain('done');
  const END = new Date(Date.now() + 60_000).toISOString();
  expect(await run('Grant access without a request', ownerKey, { END })).toMatch(/shop-ci +shop +VIEWER/);
  expect(await run('Read secrets in an emergency', account.apikey)).toContain('done');
  const { body } = await organization.owner.get<{ results: { state: string; is_break_glass: boolean }[] }>(
    'access/requests/',
  );
  expect(body.results.map(({ state, is_break_glass: isBreakGlass }) => [state, isBreakGlass])).toEqual([
    ['approved', true],
    ['revoked', false],
  ]);
});

test('the guide to check configuration in a build', async () => {
  guide = new Guide('check-configuration-in-a-build');
  const project = await organization.project({ name: 'shop' });
  const parameter = await organization.parameter({ project, name: 'PORT', type: 'integer' });
  const value = await organization.value({ parameter, internal_value: '8080' });
  for (const internal_value of ['8081', '80', '81']) await organization.owner.patch(value.url, { internal_value });
  fs.writeFileSync(path.join(guide.directory, '.env.example'), 'PORT=\n');
  const STRATA_API_KEY = parseApiKey(await organization.authorization('VIEWER'));
  const variables = {
    ...{ ...installedProgramVariables(guide, core), STRATA_API_KEY },
    ...{ STRATA_PROJECT: 'shop', STRATA_ENVIRONMENT: 'production' },
  };
  const run = (heading: string) => guide.run(['set -e', ...guide.blocks(heading), 'echo done'].join('\n'), variables);

  expect(await run('Generate types')).toBe('done\n');
  expect(fs.readFileSync(path.join(guide.directory, 'configuration.ts'), 'utf8')).toContain('readonly PORT: number;');
  expect(await run('Check that nothing is missing')).toBe('done\n');
  expect(await run('Find the change that broke a check')).toMatch(/Revision \d+ [\s\S]*PORT: 8081 → 80\ndone\n$/);
});

test('the guide for agents', async () => {
  guide = new Guide('use-with-agents');
  const { id } = await organization.project({ name: 'shop' });
  const KEY = parseApiKey(await organization.authorization('ADMIN'));
  const program = installedProgramVariables(guide, core);
  const variables = { ...program, KEY, PROJECT: id };
  const [create = '', lint = ''] = guide.blocks('Create a key');
  const { apikey } = JSON.parse(await guide.run(create, variables));
  expect(await guide.run(`set -e\n${lint}echo done`, variables)).toBe('done\n');

  for (const block of guide.blocks('Connect your agent', 'json')) {
    const { mcpServers, servers } = JSON.parse(block);
    const { command, args, env } = (mcpServers ?? servers).strata;
    const transport = new StdioClientTransport({
      ...{ command: path.join(guide.directory, 'bin', command), args, cwd: guide.directory },
      env: { ...env, ...program, STRATA_API_KEY: apikey },
    });
    expect(Object.keys(env)).toEqual(['STRATA_URL', 'STRATA_API_KEY']);
    const agent = new Client({ name: 'agent', version: '1' });
    await agent.connect(transport);
    const listed = agent.callTool({ name: 'list_projects', arguments: {} });
    const { structuredContent } = await listed.finally(() => agent.close());
    expect(JSON.stringify(structuredContent)).toContain('"name":"shop","description":"","accessible":true');
  }
});
