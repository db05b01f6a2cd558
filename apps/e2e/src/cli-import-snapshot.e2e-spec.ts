import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import type { BackupSnapshot } from '@strata/contract';
import { LocalServers, type RunningCore, sharedCore, type TestOrganization } from '@strata/testkit';
import { CommandLine } from './command-line.ts';
import { createForeignSnapshot } from './snapshot-samples.ts';

const CANARY = 'canary-7c1f04';

let core: RunningCore;
let organization: TestOrganization;
let strata: CommandLine;

beforeAll(async () => {
  core = await sharedCore();
});
beforeEach(async () => {
  organization = await core.organization();
  strata = await CommandLine.signedIn(core.origin, await organization.authorization('ADMIN'), 'shop');
});
afterEach(() => strata.remove());

const file = (content: string, name = 'snapshot.json') => fs.writeFileSync(path.join(strata.home, name), content);
const imported = (...args: readonly string[]) => strata.run(['import', 'snapshot', 'snapshot.json', ...args]);
const revision = async () => (await organization.owner.get('environments/')).headers['x-revision'];

interface Plan {
  readonly totals: Readonly<Record<string, number>>;
  readonly items: readonly { readonly kind: string; readonly name: string; readonly effect: string }[];
}

const SCOPE = { environments: { default: { name: 'default' } }, timestamp: '2026-11-01T00:00:00Z' };

const createValues = (text: string) => ({
  default: { environment: 'default', external: null, evaluated: false, value: text, raw: text },
});

/** Returns a snapshot with projects that are larger than one changeset. */
function largeSnapshot(count: number): string {
  const parameters = Array.from({ length: count }, (_, index) => [
    `NAME_${index}`,
    {
      ...{ name: `NAME_${index}`, param_type: 'string', secret: index % 2 === 0 },
      values: createValues(`${CANARY} ${index}`),
    },
  ]);
  const project = (name: string) => [name, { name, parameters: Object.fromEntries(parameters) }];
  return JSON.stringify({ ...SCOPE, projects: Object.fromEntries(['first', 'second'].map(project)) });
}

/** Returns the values of projects by project and name, which have no order. */
const summarizeProjects = (projects: BackupSnapshot['projects']) =>
  Object.values(projects).map(({ name, parameters }) => ({
    name,
    texts: Object.fromEntries(
      Object.values(parameters).map(({ name, secret, values }) => [name, [secret, values.default?.raw]]),
    ),
  }));

const contents = async ({ owner }: TestOrganization) =>
  summarizeProjects((await owner.post<BackupSnapshot>('backup/snapshot/')).body.projects);

test('a snapshot is planned, imported after --yes, and changes nothing when it is imported again', async () => {
  file(createForeignSnapshot({ secret: CANARY }));
  const before = await revision();
  const planned = await imported('--dry-run');
  const plan = await strata.json<Plan>(['import', 'snapshot', 'snapshot.json', '--dry-run']);
  const unconfirmed = await imported();

  expect([planned.code, planned.stdout]).toEqual([
    0,
    expect.stringMatching(/projects +2 [\s\S]*value FROM_VAULT in shop \/ default: Its text is in an external system/),
  ]);
  expect(plan.items).toContainEqual({ kind: 'project', name: 'shop', effect: 'created' });
  expect([unconfirmed.code, unconfirmed.stderr]).toEqual([2, expect.stringContaining('Add --yes')]);
  expect(await revision()).toBe(before);

  const first = await imported('--yes');
  const after = await revision();
  const second = await imported('--yes');
  expect([first.code, first.stdout]).toEqual([0, expect.stringMatching(/^\d+ objects imported in \d revisions\.\n$/)]);
  expect(first.stderr).toMatch(/\d+ of \d+ objects: shop, revision \d+\n/);
  expect([second.code, second.stdout]).toEqual([0, expect.stringContaining('Nothing to import')]);
  expect(await revision()).toBe(after);
  expect((await strata.run(['get', 'PASSWORD', '--environment', 'production', '--reveal'])).stdout).toBe(`${CANARY}\n`);

  const outputs = [planned, unconfirmed, first, second].map(({ stdout, stderr }) => stdout + stderr).join('');
  expect(outputs + JSON.stringify(plan)).not.toMatch(`${CANARY}|8443|[0-9a-f]{8}-[0-9a-f]{4}-`);
});

test('existing values are kept, and overwritten only with --overwrite; secrets only with --overwrite-secrets', async () => {
  const project = await organization.project({ name: 'shop' });
  for (const [name, secret] of [
    ['BANNER', false],
    ['PASSWORD', true],
  ] as const) {
    const parameter = await organization.parameter({ project, name, secret });
    await organization.value({ parameter, internal_value: 'ours' });
  }
  const parameters = {
    BANNER: { name: 'BANNER', param_type: 'string', secret: false, values: createValues('theirs') },
    PASSWORD: { name: 'PASSWORD', param_type: 'string', secret: true, values: createValues('theirs') },
  };
  file(JSON.stringify({ ...SCOPE, projects: { shop: { name: 'shop', parameters } } }));
  const read = async () =>
    [
      await strata.run(['get', 'BANNER', '-e', 'default']),
      await strata.run(['get', 'PASSWORD', '-e', 'default', '--reveal']),
    ].map(({ stdout }) => stdout.trim());

  const secondImport = await imported('--yes');
  expect([secondImport.code, await read()]).toEqual([0, ['ours', 'ours']]);
  await imported('--overwrite', '--yes');
  expect(await read()).toEqual(['theirs', 'ours']);
  await imported('--overwrite-secrets', '--yes');
  expect(await read()).toEqual(['theirs', 'theirs']);
});

/** Starts an import, and ends it by a signal after its first changeset. Returns the signal and the output. */
async function endedBy(signal: NodeJS.Signals) {
  const child = strata.start(['import', 'snapshot', 'snapshot.json', '--yes']);
  let output = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    output += chunk.toString();
    if (/\d of \d+ objects/.test(output)) child.kill(signal);
  });
  const [, by] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  return { by, output };
}

test('an import that is killed or interrupted continues with the next run', async () => {
  file(largeSnapshot(260));
  expect(await endedBy('SIGKILL')).toMatchObject({ by: 'SIGKILL' });
  expect(await endedBy('SIGINT')).toMatchObject({ by: 'SIGINT', output: expect.stringContaining('Interrupted.') });

  const continued = await strata.json<Plan & { imported: number }>(['import', 'snapshot', 'snapshot.json', '--yes']);
  expect(continued.imported).toBeLessThan(1_042);
  const { projects } = JSON.parse(largeSnapshot(260)) as BackupSnapshot;
  expect(await contents(organization)).toEqual(expect.arrayContaining([...summarizeProjects(projects)]));
});

test('an import without a connection says how to continue', async () => {
  file(largeSnapshot(260));
  let writes = 0;
  const servers = new LocalServers();
  const url = await servers.serve((request, response) => {
    if (request.method === 'POST' && ++writes > 1) return void response.destroy();
    const { method, headers } = request;
    const forwarded = http.request(`${core.origin}${request.url}`, { method, headers }, (upstreamResponse) => {
      response.writeHead(upstreamResponse.statusCode ?? 0, upstreamResponse.headers);
      upstreamResponse.pipe(response);
    });
    request.pipe(forwarded);
  });
  const lost = await imported('--yes', '--url', url).finally(() => servers.close());
  expect([lost.code, lost.stderr]).toEqual([
    5,
    expect.stringMatching(/500 objects imported, which stay\. Run the command again/),
  ]);
});

test('conflicts exit with 7 and are named, and an invalid file with 2', async () => {
  const project = await organization.project({ name: 'shop' });
  await organization.parameter({ project, name: 'PASSWORD' });
  file(createForeignSnapshot({ secret: CANARY }));
  const planned = await imported('--dry-run');
  const input = createForeignSnapshot({ secret: CANARY });
  const args = ['import', 'snapshot', '-', '--yes', '--json'];
  const { code, stdout, stderr } = await strata.run(args, { input });
  expect([planned.code, planned.stdout]).toEqual([
    7,
    expect.stringMatching(/parameter PASSWORD in shop: It is not secret here/),
  ]);
  expect([code, JSON.parse(stdout)]).toMatchObject([
    7,
    { conflicts: expect.arrayContaining([expect.objectContaining({ name: 'PASSWORD' })]) },
  ]);
  expect(stderr).toContain('in conflict');

  file(`{"environments": {}, "projects": "${CANARY}"}`);
  const invalid = await imported('--yes');
  expect([invalid.code, invalid.stderr]).toEqual([2, expect.stringContaining('snapshot.json: ')]);
  expect(stdout + stderr + planned.stdout + invalid.stderr).not.toContain(CANARY);
});

test('objects that Strata rejects are named, and exit with 7', async () => {
  const parameters = { PORT: { name: 'PORT', param_type: 'integer', secret: false, values: createValues(CANARY) } };
  file(JSON.stringify({ ...SCOPE, projects: { shop: { name: 'shop', parameters } } }));
  const { code, stdout, stderr } = await imported('--yes');
  expect([code, stdout]).toEqual([7, expect.stringContaining('rejected value PORT in shop / default: ')]);
  expect(stdout + stderr).not.toContain(CANARY);
});
