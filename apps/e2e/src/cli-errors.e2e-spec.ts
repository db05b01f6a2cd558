import { LocalServers, type RunningCore, sharedCore, type TestOrganization } from '@strata/testkit';
import { CommandLine, CommandLineShop } from './command-line.ts';

let core: RunningCore;
let shop: CommandLineShop;
let organization: TestOrganization;
let strata: CommandLine;

beforeAll(async () => {
  core = await sharedCore();
});
beforeEach(async () => {
  shop = await CommandLineShop.create(core, 'CONTRIB', 'production');
  ({ organization, strata } = shop);
  await shop.set('PORT', '8080');
});
afterEach(() => strata.remove());

const NO_ENVIRONMENT = 'The environment "prod" does not exist, or you have no access to it.';
const ENVIRONMENTS = 'Existing environments: production, default, development, staging.';
const NO_PROJECT = 'The project "shp" does not exist, or you have no access to it.';

const CASES: readonly (readonly [string, string, string])[] = [
  ['get PORT -e prod', NO_ENVIRONMENT, ENVIRONMENTS],
  ['set PORT=1 -e prod', NO_ENVIRONMENT, ENVIRONMENTS],
  ['export -e prod', NO_ENVIRONMENT, ENVIRONMENTS],
  ['explain PORT -e prod', NO_ENVIRONMENT, ENVIRONMENTS],
  ['compare staging prod', NO_ENVIRONMENT, ENVIRONMENTS],
  ['lint -e prod', NO_ENVIRONMENT, ENVIRONMENTS],
  ['history -e prod', NO_ENVIRONMENT, ENVIRONMENTS],
  ['run -e prod -- true', NO_ENVIRONMENT, ENVIRONMENTS],
  ['list -p shp', NO_PROJECT, 'Existing projects: shop, '],
  ['unset PORT -p shp', NO_PROJECT, 'Existing projects: shop, '],
  ['explain PORT -p shp', NO_PROJECT, 'Existing projects: shop, '],
  ['compare staging --right-project shp', NO_PROJECT, 'Existing projects: shop, '],
  ['history -p shp', NO_PROJECT, 'Existing projects: shop, '],
  ['run -p shp -- true', NO_PROJECT, 'Existing projects: shop, '],
  ['list --tag v1.1', 'There is no tag v1.1 in environment production.', 'Existing tags: v1.0, other.'],
  ['export --template ngin', 'The template "ngin" does not exist', 'Existing templates: nginx.'],
  ['revert 9999 --dry-run', 'Revision 9999 does not exist.', '`strata history --all`'],
  ['get PORT --as-of 2001-01-01', 'The project "shop" did not exist at that time.', '`strata history --all`'],
];

test('errors name what does not exist, and what exists', async () => {
  await organization.project({ name: 'billing' });
  const { url } = await organization.environmentNamed('production');
  for (const name of ['other', 'v1.0']) await organization.owner.post(`${url}tags/`, { name });
  await organization.owner.post(`${shop.project.url}templates/`, { name: 'nginx', body: '' });

  const runs = await Promise.all(CASES.map(([line]) => strata.run(line.split(' '))));
  for (const [index, [line, message, hint]] of CASES.entries()) {
    const { code, stdout, stderr } = runs[index] ?? {};
    expect([line, code, stdout, stderr]).toEqual([line, 4, '', expect.stringContaining(message)]);
    expect(stderr).toContain(hint);
  }
});

test.each(['get', 'list'])('%s of a name without a value suggests similar names', async (command) => {
  const { code, stdout, stderr } = await strata.run([command, 'PROT']);
  expect([code, stdout]).toEqual([4, '']);
  expect(stderr).toMatch(/"PROT" has no value[\s\S]*Similar: PORT\. Run `strata explain PROT`/);
});

test('errors name nothing of another organization', async () => {
  const otherOrganization = await core.organization();
  const stranger = await CommandLine.signedIn(core.origin, await otherOrganization.authorization('OWNER'), 'shop');
  const { code, stderr } = await stranger.run(['list']).finally(() => stranger.remove());
  expect([code, stderr]).toEqual([4, expect.stringContaining('The project "shop" does not exist')]);
  expect(stderr).toContain('Existing projects: MyFirstProject.\n');
});

test('errors do not say which name is missing if there are more names than one page has', async () => {
  const servers = new LocalServers();
  const url = await servers.serve(({ url }, response) => {
    const isList = url?.startsWith('/api/v1/projects/?');
    const body = isList ? { results: [], next: 'more' } : { detail: 'No Project matches the given query.' };
    response.writeHead(isList ? 200 : 404, { 'content-type': 'application/json', 'x-request-id': 'a' });
    response.end(JSON.stringify(body));
  });
  const { code, stderr } = await strata.run(['lint', '--url', url]).finally(() => servers.close());
  expect([code, stderr]).toEqual([4, 'Error: No Project matches the given query.\nRequest id: a\n']);
});

test('explain says what overrides a value', async () => {
  await strata.run(['set', 'PORT=8081']);
  const { stdout } = await strata.run(['explain', 'PORT']);
  expect(stdout).toContain('default / shop: set (overridden by a closer environment)');
});
