import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { type RunningCore, sharedCore, type TestOrganization } from '@strata/testkit';
import { PROGRAM } from '../../apps/e2e/src/command-line.ts';
import { buildMissingApps } from '../../apps/e2e/src/processes.ts';
import { Guide, parseApiKey } from '../testing/guide.ts';
import { describeWith, findInstalledTool, installGoProgram } from './tools.ts';

const TERRAFORM = findInstalledTool('terraform');
const HTTP = installGoProgram(
  'github.com/terraform-providers/terraform-provider-http@v1.2.1-0.20260903154542-926109cd8c07',
);

let core: RunningCore;
let organization: TestOrganization;
let guide: Guide;
let key: string;
beforeAll(async () => {
  core = await sharedCore();
  await buildMissingApps('cli');
});
beforeEach(async () => {
  guide = new Guide('use-with-terraform');
  organization = await core.organization();
  key = parseApiKey(await organization.authorization('VIEWER'));
});
afterEach(() => guide.remove());

/** Creates a project with one parameter. */
async function set(projectName: string, name: string, internal_value: string): Promise<void> {
  const project = await organization.project({ name: projectName });
  await organization.value({ parameter: await organization.parameter({ project, name }), internal_value });
}

/** Runs a program with a module of the guide, and returns its output. */
function run(module: string, [program, ...args]: readonly [string, ...string[]], variables: object) {
  fs.writeFileSync(path.join(guide.directory, 'main.tf'), module.replace('https://strata.example.com', core.origin));
  const settings = path.join(guide.directory, 'terraform.rc');
  const override = `dev_overrides { "hashicorp/http" = ${JSON.stringify(path.dirname(HTTP.program))} }`;
  fs.writeFileSync(settings, `provider_installation {\n  ${override}\n  direct {}\n}\n`);
  const env = {
    PATH: process.env.PATH,
    HOME: guide.directory,
    TF_CLI_CONFIG_FILE: settings,
    CHECKPOINT_DISABLE: '1',
    ...variables,
  };
  const { stdout, stderr } = spawnSync(program, args, { cwd: guide.directory, env, encoding: 'utf8' });
  return `${stdout}${stderr}`;
}

describeWith([TERRAFORM], 'Terraform', () => {
  test('receives its input variables from strata run', async () => {
    await set('infra', 'TF_VAR_region', 'eu-central-1');
    const [, ...command] = guide.code('Pass values as input variables').trim().split(' ');
    const variables = { STRATA_URL: core.origin, STRATA_API_KEY: key };
    const [module = ''] = guide.blocks('Pass values as input variables', 'hcl');
    const output = run(module, [process.execPath, PROGRAM, ...command, '-no-color'], variables);
    expect(output).toContain('+ region = "eu-central-1"');
  });
});

describeWith([TERRAFORM, HTTP], 'Terraform with the HTTP provider', () => {
  const plan = ['terraform', 'plan', '-no-color', '-input=false'] as const;

  test('reads values by name, and fails if Strata rejects the key', async () => {
    await set('shop', 'PORT', '8080');
    const [module = ''] = guide.blocks('Read values with the HTTP provider', 'hcl');
    expect(run(module, plan, { TF_VAR_strata_key: key })).toContain('+ port = "8080"');
    expect(run(module, plan, { TF_VAR_strata_key: 'wrong' })).toContain('Strata returned 403.');
  });

  test('plans and applies a changeset of the guide to deploy from a build', async () => {
    await set('shop', 'PORT', '8080');
    const [, module = ''] =
      /```hcl\n([\s\S]*?)```/.exec(
        fs.readFileSync(path.resolve(import.meta.dirname, '../../docs/guides/deploy-from-a-build.md'), 'utf8'),
      ) ?? [];
    const operations = [{ set: { project: 'shop', environment: 'production', values: { PORT: '8081' } } }];
    fs.writeFileSync(path.join(guide.directory, 'release.json'), JSON.stringify({ operations }));
    const inputs = 'variable "api" {}\nvariable "key" { sensitive = true }\n';
    const variables = {
      TF_VAR_api: `${core.origin}/api/v1`,
      TF_VAR_key: parseApiKey(await organization.authorization('CONTRIB')),
    };
    const apply = ['terraform', 'apply', '-no-color', '-auto-approve', '-input=false'] as const;
    expect(run(`${inputs}${module}`, apply, variables)).toContain('Apply complete! Resources: 1 added');
    const { body } = await organization.owner.get('effective/?project=shop&environment=production&include=value');
    expect(JSON.stringify(body)).toContain('"8081"');
  });
});
