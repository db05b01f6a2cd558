import type { Page, RecordedChangeset } from '@strata/contract';
import { type RunningCore, sharedCore, type TestOrganization } from '@strata/testkit';
import { CommandLine } from './command-line.ts';

const CANARY = 'canary-7f3b9c';

let core: RunningCore;
let organization: TestOrganization;
let strata: CommandLine;

beforeAll(async () => {
  core = await sharedCore();
});
beforeEach(async () => {
  organization = await core.organization();
  const project = await organization.project({ name: 'shop' });
  const port = await organization.parameter({ project, name: 'PORT' });
  await organization.value({ parameter: port, internal_value: '8080' });
  const password = await organization.parameter({ project, name: 'PASSWORD', secret: true });
  await organization.value({ parameter: password, internal_value: CANARY });
  strata = await CommandLine.signedIn(core.origin, await organization.authorization('VIEWER'), 'shop', 'production');
});
afterEach(() => strata.remove());

test('get prints one inherited value and nothing else', async () => {
  expect(await strata.run(['get', 'PORT'])).toEqual({ code: 0, stdout: '8080\n', stderr: '' });
  expect(await strata.json(['get', 'PORT'])).toEqual({
    ...{ name: 'PORT', value: '8080', secret: false },
    set_in: { project: 'shop', environment: 'default' },
  });
});

test('get prints a secret only with --reveal', async () => {
  const { code, stdout, stderr } = await strata.run(['get', 'PASSWORD']);
  expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining('Add --reveal')]);
  expect((await strata.run(['get', 'PASSWORD', '--reveal'])).stdout).toBe(`${CANARY}\n`);
});

test('get of a name without a value, or in an unknown project, exits with 4', async () => {
  const missing = await strata.run(['get', 'HOST']);
  expect([missing.code, missing.stderr]).toEqual([4, expect.stringContaining('Run `strata explain HOST`')]);
  const unknown = await strata.run(['get', 'PORT', '--project', 'none']);
  expect([unknown.code, unknown.stderr]).toEqual([4, expect.stringContaining('Request id: ')]);
});

test('get reads the state of an earlier time', async () => {
  const { results } = (await organization.owner.get<Page<RecordedChangeset>>('changesets/')).body;
  const at = results[0]?.at ?? '';
  expect((await strata.run(['get', 'PORT', '--as-of', at])).stdout).toBe('8080\n');
  expect((await strata.run(['get', 'PORT', '--as-of', '2001-01-01'])).code).toBe(4);
});

test('list masks secrets and shows where each value is set', async () => {
  const { code, stdout } = await strata.run(['list']);
  expect([code, stdout.split('\n').map((line) => line.split(/ {2,}/))]).toEqual([
    0,
    [['NAME', 'VALUE', 'SET IN'], ['PASSWORD', '*****', 'default'], ['PORT', '8080', 'default'], ['']],
  ]);
  expect((await strata.run(['list', '--reveal'])).stdout).toContain(CANARY);
});

test('another organization has no access, as if the project did not exist', async () => {
  const other = await core.organization();
  const stranger = await CommandLine.signedIn(core.origin, await other.authorization('OWNER'), 'shop');
  expect((await stranger.run(['get', 'PORT'])).code).toBe(4);
  stranger.remove();
});
