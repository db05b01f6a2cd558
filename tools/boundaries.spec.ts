import { execFile } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const root = path.resolve(import.meta.dirname, '..');
const CONFIG = path.join(root, '.dependency-cruiser.mjs');
const CRUISER = path.join(root, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');

interface Import {
  readonly from: string;
  readonly to: string;
}

const inRoom = (room: string, to: string): Import => ({ from: `apps/core/src/features/${room}/planted.ts`, to });

const inPlatform = (folder: string, to: string): Import => ({
  from: `apps/core/src/platform/${folder}/planted.ts`,
  to,
});

const inConsole = (folder: string, to: string): Import => ({ from: `apps/console/src/${folder}/planted.ts`, to });

const inCommandLine = (file: string, to: string): Import => ({ from: `apps/cli/src/${file}.ts`, to });

/** Imports that must be rejected: one for each rule. */
const VIOLATIONS: Readonly<Record<string, Import>> = {
  'domain-imports-nothing': { from: 'libs/domain/src/planted.ts', to: 'node:fs' },
  'contract-imports-domain-and-zod': { from: 'libs/contract/src/planted.ts', to: '@nestjs/common' },
  'rest-client-projects': { from: 'libs/rest-client/src/planted.ts', to: '@strata/webhooks' },
  'rest-client-projects-in-specs': { from: 'libs/rest-client/src/planted.spec.ts', to: '@strata/core' },
  'rest-client-packages': { from: 'libs/rest-client/src/planted-package.ts', to: 'typeorm' },
  'import-projects': { from: 'libs/import/src/planted.ts', to: '@strata/rest-client' },
  'import-projects-in-specs': { from: 'libs/import/src/planted.spec.ts', to: '@strata/core' },
  'import-packages': { from: 'libs/import/src/planted-package.ts', to: 'react' },
  'evidence-projects': { from: 'libs/evidence/src/planted.ts', to: '@strata/domain' },
  'evidence-projects-in-specs': { from: 'libs/evidence/src/planted.spec.ts', to: '@strata/core' },
  'evidence-packages': { from: 'libs/evidence/src/planted-package.ts', to: 'pg' },
  'outbound-projects': { from: 'libs/outbound/src/planted.ts', to: '@strata/contract' },
  'outbound-projects-in-specs': { from: 'libs/outbound/src/planted.spec.ts', to: '@strata/core' },
  'outbound-packages': { from: 'libs/outbound/src/planted-package.ts', to: '@nestjs/common' },
  'providers-projects': { from: 'libs/providers/src/planted.ts', to: '@strata/contract' },
  'providers-projects-in-specs': { from: 'libs/providers/src/planted.spec.ts', to: '@strata/core' },
  'providers-packages': { from: 'libs/providers/src/planted-package.ts', to: '@nestjs/common' },
  'issuers-projects': { from: 'libs/issuers/src/planted.ts', to: '@strata/contract' },
  'issuers-projects-in-specs': { from: 'libs/issuers/src/planted.spec.ts', to: '@strata/core' },
  'issuers-packages': { from: 'libs/issuers/src/planted-package.ts', to: '@nestjs/common' },
  'webhooks-projects': { from: 'libs/webhooks/src/planted.ts', to: '@strata/contract' },
  'webhooks-projects-in-specs': { from: 'libs/webhooks/src/planted.spec.ts', to: '@strata/core' },
  'webhooks-packages': { from: 'libs/webhooks/src/planted-package.ts', to: '@nestjs/common' },
  'testkit-projects': { from: 'libs/testkit/src/planted.ts', to: '@strata/core' },
  'testkit-projects-in-specs': { from: 'libs/testkit/src/planted.spec.ts', to: '@strata/core' },
  'core-projects': { from: 'apps/core/src/planted.ts', to: '@strata/rest-client' },
  'core-projects-in-specs': { from: 'apps/core/src/planted.http-spec.ts', to: '@strata/gateway' },
  'core-packages': { from: 'apps/core/src/planted-package.ts', to: 'graphql' },
  'gateway-projects': { from: 'apps/gateway/src/planted.ts', to: '@strata/webhooks' },
  'gateway-projects-in-specs': { from: 'apps/gateway/src/planted.spec.ts', to: '@strata/core' },
  'gateway-packages': { from: 'apps/gateway/src/planted-package.ts', to: 'pg' },
  'sdk-projects': { from: 'libs/sdk/src/planted.ts', to: '@strata/contract' },
  'sdk-projects-in-specs': { from: 'libs/sdk/src/planted.spec.ts', to: '@strata/core' },
  'sdk-imports-nothing': { from: 'libs/sdk/src/planted-node.ts', to: 'node:fs' },
  'sdk-for-node': { from: 'libs/sdk/src/file-cache.ts', to: 'pg' },
  'sdk-for-browsers': { from: 'libs/sdk/src/planted-cache.ts', to: './file-cache.ts' },
  'telemetry-projects': { from: 'libs/telemetry/src/planted.ts', to: '@strata/domain' },
  'telemetry-projects-in-specs': { from: 'libs/telemetry/src/planted.spec.ts', to: '@strata/core' },
  'telemetry-packages': { from: 'libs/telemetry/src/planted-package.ts', to: 'pg' },
  'processes-projects': { from: 'libs/processes/src/planted.ts', to: '@strata/domain' },
  'processes-projects-in-specs': { from: 'libs/processes/src/planted.spec.ts', to: '@strata/core' },
  'processes-packages': { from: 'libs/processes/src/planted-package.ts', to: '@nestjs/common' },
  'cli-projects': { from: 'apps/cli/src/planted.ts', to: '@strata/issuers' },
  'cli-projects-in-specs': { from: 'apps/cli/src/planted.spec.ts', to: '@strata/core' },
  'cli-packages': { from: 'apps/cli/src/planted-package.ts', to: '@nestjs/common' },
  'github-action-projects': { from: 'integrations/github-action/src/planted.ts', to: '@strata/rest-client' },
  'github-action-projects-in-specs': { from: 'integrations/github-action/src/planted.spec.ts', to: '@strata/core' },
  'github-action-packages': { from: 'integrations/github-action/src/planted-package.ts', to: 'graphql' },
  'console-projects': { from: 'apps/console/src/planted.ts', to: '@strata/rest-client' },
  'console-projects-in-specs': { from: 'apps/console/src/planted.spec.ts', to: '@strata/testkit' },
  'console-packages': { from: 'apps/console/src/planted-package.ts', to: '@nestjs/common' },
  'front-door': { from: 'libs/contract/src/planted-front-door.ts', to: '../../domain/src/inner.ts' },
  'no-tools-in-sources': { from: 'apps/gateway/src/planted-tools.ts', to: '../../../tools/tool.mjs' },
  'no-specs-in-sources': { from: 'apps/gateway/src/planted-specs.ts', to: './innocent.spec.ts' },
  resolvable: { from: 'apps/gateway/src/planted-nowhere.ts', to: './nowhere.ts' },
  'platform-limits': inPlatform('limits', '../postgres/thing.ts'),
  'platform-postgres': inPlatform('postgres', '../ledger/thing.ts'),
  'platform-notifications': inPlatform('notifications', '../ledger/thing.ts'),
  'platform-auth': inPlatform('auth', '../http/thing.ts'),
  'platform-ledger': inPlatform('ledger', '../http/thing.ts'),
  'platform-imports-no-feature': { from: 'apps/core/src/platform/planted.ts', to: '../features/feed/thing.ts' },
  'room-access': inRoom('access', '../templating/thing.ts'),
  'room-snapshot': inRoom('snapshot', '../templating/thing.ts'),
  'room-templating': inRoom('templating', '../projects/thing.ts'),
  'room-syncs': inRoom('syncs', '../projects/thing.ts'),
  'room-instances': inRoom('instances', '../projects/thing.ts'),
  'room-validation': inRoom('validation', '../types/thing.ts'),
  'room-effective': inRoom('effective', '../validation/thing.ts'),
  'room-explain': inRoom('explain', '../validation/thing.ts'),
  'room-external': inRoom('external', '../projects/thing.ts'),
  'room-matrix': inRoom('matrix', '../validation/thing.ts'),
  'room-ofrep': inRoom('ofrep', '../validation/thing.ts'),
  'room-identity': inRoom('identity', '../projects/thing.ts'),
  'room-search': inRoom('search', '../projects/thing.ts'),
  'room-lint': inRoom('lint', '../search/thing.ts'),
  'room-rollouts': inRoom('rollouts', '../search/thing.ts'),
  'room-environments': inRoom('environments', '../projects/thing.ts'),
  'room-projects': inRoom('projects', '../environments/thing.ts'),
  'room-types': inRoom('types', '../parameters/thing.ts'),
  'room-parameters': inRoom('parameters', '../transfer/thing.ts'),
  'room-templates': inRoom('templates', '../parameters/thing.ts'),
  'room-transfer': inRoom('transfer', '../history/thing.ts'),
  'room-integrations': inRoom('integrations', '../transfer/thing.ts'),
  'room-changesets': inRoom('changesets', '../history/thing.ts'),
  'room-rotations': inRoom('rotations', '../history/thing.ts'),
  'room-plans': inRoom('plans', '../history/thing.ts'),
  'room-reverts': inRoom('reverts', '../history/thing.ts'),
  'room-history': inRoom('history', '../templating/thing.ts'),
  'room-feed': inRoom('feed', '../history/thing.ts'),
  'room-webhooks': inRoom('webhooks', '../feed/thing.ts'),
  'room-utilities': inRoom('utilities', '../feed/thing.ts'),
  'room-edges': inRoom('edges', '../feed/thing.ts'),
  'room-is-known': inRoom('attic', '../access/thing.ts'),
  'validation-has-a-front-door': {
    from: 'apps/core/src/features/parameters/planted-validation.ts',
    to: '../validation/thing.ts',
  },
  'entity-stays-in-its-room': {
    from: 'apps/core/src/features/parameters/planted-entity.ts',
    to: '../projects/thing.entity.ts',
  },
  'layer-app': inConsole('app', '../graphql/thing.ts'),
  'layer-features': inConsole('features/lint', '../../app/thing.ts'),
  'layer-kit': inConsole('kit', '../features/lint/thing.ts'),
  'layer-data': inConsole('data', '../ui/thing.ts'),
  'layer-ui': inConsole('ui', '../data/thing.ts'),
  'layer-graphql': inConsole('graphql', '../data/thing.ts'),
  'layer-lib': inConsole('lib', '../ui/thing.ts'),
  'layer-is-known': inConsole('attic', '../lib/thing.ts'),
  'features-stand-alone': inConsole('features/palette', '../lint/thing.ts'),
  'lib-is-pure': { from: 'apps/console/src/lib/planted-hook.ts', to: 'react' },
  'cli-core': inCommandLine('core/planted', '../api/thing.ts'),
  'cli-api': inCommandLine('api/planted', '../render/thing.ts'),
  'cli-api-prints-nothing': inCommandLine('api/planted-output', '../core/output.ts'),
  'cli-render': inCommandLine('render/planted', '../mcp/thing.ts'),
  'cli-mcp': inCommandLine('mcp/planted', '../render/thing.ts'),
  'cli-start': inCommandLine('start/planted', '../api/thing.ts'),
  'cli-backup': inCommandLine('backup/planted', '../api/thing.ts'),
  'cli-edge': inCommandLine('edge/planted', '../api/thing.ts'),
  'cli-commands': inCommandLine('commands/read/planted', '../../start/thing.ts'),
  'cli-operator-commands': inCommandLine('commands/operate/planted', '../../mcp/thing.ts'),
  'cli-layer-is-known': inCommandLine('attic/planted', '../core/thing.ts'),
  'commands-stand-alone': inCommandLine('commands/change/planted', './thing.ts'),
  'no-circular': { from: 'apps/console/src/ui/planted-circle.ts', to: './returning.ts' },
};

/** Imports that must be allowed. Without them, rules that reject everything would pass. */
const ALLOWED: readonly Import[] = [
  { from: 'libs/domain/src/allowed.ts', to: './inner.ts' },
  { from: 'libs/contract/src/allowed.ts', to: '@strata/domain' },
  { from: 'libs/contract/src/allowed-package.ts', to: 'zod' },
  { from: 'libs/rest-client/src/allowed.ts', to: '@strata/contract' },
  { from: 'libs/rest-client/src/allowed-builtin.ts', to: 'node:fs' },
  { from: 'libs/issuers/src/allowed.ts', to: '@strata/domain' },
  { from: 'libs/providers/src/allowed.ts', to: '@strata/outbound' },
  { from: 'libs/webhooks/src/allowed.ts', to: '@strata/domain' },
  { from: 'libs/testkit/src/allowed.ts', to: '@strata/rest-client' },
  { from: 'libs/testkit/src/allowed-package.ts', to: 'pg' },
  { from: 'apps/core/src/allowed.ts', to: '@strata/webhooks' },
  { from: 'apps/core/src/allowed-package.ts', to: 'typeorm' },
  { from: 'apps/core/src/telemetry/allowed.ts', to: '../platform/thing.ts' },
  { from: 'apps/gateway/src/allowed-telemetry.ts', to: '@strata/telemetry' },
  { from: 'apps/core/src/allowed.http-spec.ts', to: '@strata/testkit' },
  { from: 'apps/gateway/src/allowed.ts', to: '@strata/rest-client' },
  { from: 'apps/gateway/src/allowed-package.ts', to: 'graphql' },
  { from: 'apps/e2e/src/allowed.e2e-spec.ts', to: '@strata/core' },
  { from: 'apps/core/src/features/access/allowed.ts', to: '../../platform/thing.ts' },
  { from: 'apps/core/src/features/projects/allowed.ts', to: '../templating/thing.ts' },
  { from: 'apps/core/src/features/templating/allowed.ts', to: '../snapshot/thing.ts' },
  { from: 'apps/core/src/features/projects/allowed-entity.ts', to: './thing.entity.ts' },
  { from: 'apps/core/src/features/transfer/allowed.ts', to: '../parameters/thing.ts' },
  { from: 'apps/core/src/features/parameters/allowed.ts', to: '../validation/validator.ts' },
  { from: 'apps/core/src/features/feed/allowed.ts', to: '../access/thing.ts' },
  { from: 'integrations/github-action/src/allowed.ts', to: '@strata/cli' },
  { from: 'apps/cli/src/allowed.ts', to: './commands/read/thing.ts' },
  { from: 'apps/cli/src/api/allowed.ts', to: '../core/thing.ts' },
  { from: 'apps/cli/src/render/allowed.ts', to: '../api/thing.ts' },
  { from: 'apps/cli/src/mcp/allowed.ts', to: '../api/thing.ts' },
  { from: 'apps/cli/src/backup/allowed.ts', to: '../start/thing.ts' },
  { from: 'apps/cli/src/commands/read/allowed.ts', to: '../../render/thing.ts' },
  { from: 'apps/cli/src/commands/read/thing.ts', to: './thing/part.ts' },
  { from: 'apps/cli/src/commands/read/thing/part.ts', to: './other-part.ts' },
  { from: 'apps/cli/src/commands/operate/allowed.ts', to: '../../start/thing.ts' },
  { from: 'apps/console/src/app/allowed.ts', to: '../features/lint/thing.ts' },
  { from: 'apps/console/src/features/palette/allowed.ts', to: '../../kit/thing.ts' },
  { from: 'apps/console/src/features/lint/allowed.ts', to: './thing.ts' },
  { from: 'apps/console/src/kit/allowed.ts', to: '../data/thing.ts' },
  { from: 'apps/console/src/data/allowed.ts', to: '../graphql/thing.ts' },
  { from: 'apps/console/src/ui/allowed.ts', to: '../lib/thing.ts' },
  { from: 'apps/console/src/ui/allowed-package.ts', to: 'react' },
];

const ROOMS =
  'access snapshot templating validation identity search lint environments projects types parameters templates transfer integrations changesets history feed webhooks attic';

let tree: string;
let reported: readonly { readonly rule: string; readonly from: string }[];

beforeAll(async () => {
  tree = fs.mkdtempSync(path.join(os.tmpdir(), 'strata-boundaries-'));
  buildTree();
  for (const { from, to } of [...Object.values(VIOLATIONS), ...ALLOWED]) write(from, `import '${to}';\n`);
  reported = await violations(tree);
});

afterAll(() => fs.rmSync(tree, { recursive: true, force: true }));

test('every rule has a planted violation', async () => {
  const { default: config } = (await import(CONFIG)) as { default: { forbidden: { name: string }[] } };
  expect(config.forbidden.map(({ name }) => name).sort()).toEqual(Object.keys(VIOLATIONS).sort());
});

test.each(Object.entries(VIOLATIONS))('rejects a violation of the rule %s', (rule, { from }) => {
  expect(reported).toContainEqual({ rule, from });
});

test.each(ALLOWED)('allows $from to import $to', ({ from }) => {
  expect(reported.filter((violation) => violation.from === from)).toEqual([]);
});

test('the project has no violation', async () => {
  expect(await violations(root)).toEqual([]);
});

/** Creates the same projects with empty sources, so that the planted imports resolve. */
function buildTree(): void {
  fs.copyFileSync(path.join(root, 'tsconfig.base.json'), path.join(tree, 'tsconfig.base.json'));
  write('tools/tool.mjs', '');
  for (const name of ['typeorm', 'pg', 'graphql', 'zod', 'react', '@nestjs/common']) {
    write(`node_modules/${name}/package.json`, JSON.stringify({ name, version: '1.0.0', main: 'index.js' }));
    write(`node_modules/${name}/index.js`, '');
  }
  const projects = ['libs', 'apps', 'integrations'].flatMap((group) =>
    fs.readdirSync(path.join(root, group)).map((name) => `${group}/${name}`),
  );
  for (const project of projects) {
    const manifest = fs.readFileSync(path.join(root, project, 'package.json'), 'utf8');
    write(`${project}/package.json`, manifest);
    write(`${project}/src/index.ts`, '');
    write(`${project}/src/inner.ts`, '');
    link(path.join(tree, project), path.join(tree, 'node_modules', JSON.parse(manifest).name));
  }
  write('apps/gateway/src/innocent.spec.ts', '');
  write('apps/core/src/platform/thing.ts', '');
  for (const folder of ['http', 'ledger', 'postgres']) write(`apps/core/src/platform/${folder}/thing.ts`, '');
  write('apps/core/src/features/validation/validator.ts', '');
  for (const layer of ['app', 'features/lint', 'kit', 'data', 'ui', 'graphql', 'lib']) {
    write(`apps/console/src/${layer}/thing.ts`, '');
  }
  for (const folder of ['core', 'api', 'render', 'mcp', 'start', 'commands/read', 'commands/change'])
    write(`apps/cli/src/${folder}/thing.ts`, '');
  write('apps/cli/src/core/output.ts', '');
  write('apps/cli/src/commands/read/thing/other-part.ts', '');
  // A cycle of type imports is also a cycle.
  write('apps/console/src/ui/returning.ts', "import type { Planted } from './planted-circle.ts';\n");
  for (const room of ROOMS.split(' ')) {
    write(`apps/core/src/features/${room}/thing.ts`, '');
    write(`apps/core/src/features/${room}/thing.entity.ts`, '');
  }
}

function write(file: string, text: string): void {
  const at = path.join(tree, file);
  fs.mkdirSync(path.dirname(at), { recursive: true });
  fs.writeFileSync(at, text);
}

function link(target: string, at: string): void {
  fs.mkdirSync(path.dirname(at), { recursive: true });
  fs.symlinkSync(target, at);
}

async function violations(cwd: string): Promise<{ rule: string; from: string }[]> {
  const args = [CRUISER, '--config', CONFIG, '--output-type', 'json', 'apps', 'libs', 'integrations', 'tools'];
  // The exit code of dependency-cruiser is the number of violations. Its output is the report.
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd, maxBuffer: 1e9 }).catch(
    (error: { stdout: string; stderr: string }) => {
      if (!error.stdout) throw new Error(error.stderr);
      return error;
    },
  );
  const { summary } = JSON.parse(stdout) as { summary: { violations: { rule: { name: string }; from: string }[] } };
  return summary.violations.map(({ rule, from }) => ({ rule: rule.name, from }));
}
