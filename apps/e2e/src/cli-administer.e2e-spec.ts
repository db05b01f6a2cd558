import type { Page, ServiceAccount } from '@strata/contract';
import { type RunningCore, sharedCore, type TestOrganization, testCredentials } from '@strata/testkit';
import { CommandLine } from './command-line.ts';
import { agentAccount } from './mcp-client.ts';
import { eventually } from './processes.ts';

const CANARY = 'xoxb-canary-7d31c2';

let core: RunningCore;
let organization: TestOrganization;
let strata: CommandLine;

beforeAll(async () => {
  core = await sharedCore();
});
beforeEach(async () => {
  organization = await core.organization();
  strata = await CommandLine.signedIn(core.origin, await organization.authorization('OWNER'), 'shop');
});
afterEach(() => strata.remove());

/** Runs a command, which must succeed, and returns its output. */
async function run(command: string, input = ''): Promise<string> {
  const { code, stdout, stderr } = await strata.run(command.split(' '), { input });
  expect([code, stderr]).toEqual([0, expect.any(String)]);
  return stdout;
}

/** Returns the rows of a table without its heading, by words. */
const rows = async (command: string) =>
  (await run(command))
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => line.split(/ {2,}/).map((cell) => cell.trim()));

interface Lifecycle {
  readonly create: string;
  readonly change: string;
  readonly remove: string;
  readonly list: string;
  readonly before: unknown;
  readonly after: unknown;
}

const LIFECYCLES: Readonly<Record<string, Lifecycle>> = {
  project: {
    create: 'project create api --depends-on shop',
    change: 'project change api --description Interface --name web --depends-on=',
    remove: 'project delete web --yes',
    list: 'project list',
    before: { name: 'api', depends_on: 'shop' },
    after: { name: 'web', depends_on: null, description: 'Interface' },
  },
  environment: {
    create: 'environment create canary --parent production',
    change: 'environment change canary --parent default --access-controlled',
    remove: 'environment delete canary --yes',
    list: 'environment list',
    before: { name: 'canary', parent: 'production', access_controlled: false },
    after: { name: 'canary', parent: 'default', access_controlled: true },
  },
  parameter: {
    create: 'parameter create PORT --type integer',
    change: 'parameter change PORT --description Port',
    remove: 'parameter delete PORT --yes',
    list: 'parameter list',
    before: { name: 'PORT', type: 'integer', secret: false },
    after: { name: 'PORT', description: 'Port' },
  },
  tag: {
    create: 'tag create v1 --environment production',
    change: 'tag change v1 --environment production --immutable',
    remove: 'tag delete v1 --environment production --yes',
    list: 'tag list --environment production',
    before: { name: 'v1', immutable: false },
    after: { name: 'v1', immutable: true },
  },
  group: {
    create: 'group create team --user ci',
    change: 'group change team --user=',
    remove: 'group delete team --yes',
    list: 'group list',
    before: { name: 'team', users: ['ci'] },
    after: { name: 'team', users: [] },
  },
  grant: {
    create: 'grant create ci shop --role OWNER',
    change: 'grant change ci shop --role OWNER',
    remove: 'grant delete ci shop --yes',
    list: 'grant list',
    before: { principal: 'ci', scope: 'shop', role: 'OWNER' },
    after: { principal: 'ci', scope: 'shop', role: 'OWNER' },
  },
  'service-account': {
    create: 'service-account create worker --only-project shop',
    change: 'service-account change worker --only-project= --description Jobs',
    remove: 'service-account delete worker --yes',
    list: 'service-account list',
    before: { user: expect.objectContaining({ name: 'worker' }), only_projects: ['shop'], role: 'VIEWER' },
    after: { only_projects: null, description: 'Jobs' },
  },
};

test.each(Object.entries(LIFECYCLES))('%s: creates, lists, changes and deletes by names', async (_, lifecycle) => {
  await organization.project({ name: 'shop' });
  await run('service-account create ci');
  const listed = async () => await strata.json<readonly object[]>(lifecycle.list.split(' '));
  await run(lifecycle.create);
  expect(await listed()).toContainEqual(expect.objectContaining(lifecycle.before));
  expect(JSON.stringify(await listed())).not.toContain(core.origin);
  await run(lifecycle.change);
  expect(await listed()).toContainEqual(expect.objectContaining(lifecycle.after));
  await run(lifecycle.remove);
  expect(await listed()).not.toContainEqual(expect.objectContaining(lifecycle.after));
});

test('no command for parameters prints a secret, and none needs the ability to reveal them', async () => {
  const project = await organization.project({ name: 'shop' });
  const parent = await organization.parameter({ project, name: 'PASSWORD', secret: true });
  await organization.value({ parameter: parent, internal_value: CANARY });
  await run('project create api --depends-on shop');
  const { apikey } = await agentAccount(organization, { role: 'OWNER' });
  const environments: readonly Readonly<Record<string, string>>[] = [{}, { STRATA_API_KEY: apikey }];
  for (const env of environments)
    for (const command of [
      'parameter change PASSWORD --description Login',
      'parameter create PASSWORD --secret --project api',
      'parameter list',
      'parameter delete PASSWORD --yes --project api',
    ]) {
      const { code, stdout, stderr } = await strata.run([...command.split(' '), '--json'], { env });
      expect([command, code, stderr]).toEqual([command, 0, '']);
      expect(stdout + stderr).not.toContain(CANARY);
    }
});

test('a deletion prints its plan, and needs a terminal or --yes', async () => {
  const project = await organization.project({ name: 'shop' });
  const parameter = await organization.parameter({ project, name: 'PORT' });
  await organization.value({ parameter, internal_value: '8080' });
  const { code, stderr } = await strata.run(['project', 'delete', 'shop']);
  expect([code, stderr]).toEqual([2, expect.stringMatching(/PORT[\s\S]*Add --yes to delete it/)]);
  expect(await rows('project list')).toContainEqual(expect.arrayContaining(['shop']));
  expect(await run('project delete shop --yes')).toMatch(/^Revision \d+: [\s\S]*delete Project shop/);
});

test('a deletion that cannot be planned needs a confirmation too', async () => {
  await run('service-account create ci');
  const { code, stderr } = await strata.run(['service-account', 'delete', 'ci']);
  expect([code, stderr]).toEqual([2, expect.stringContaining('Nothing was changed')]);
  expect(await rows('service-account list')).toContainEqual(expect.arrayContaining(['ci']));
});

test('the key of a service account is the only output, works until it is replaced, and is never listed', async () => {
  const key = (await run('service-account create ci --role CONTRIB')).trim();
  const whoami = async (STRATA_API_KEY: string) => (await strata.run(['whoami'], { env: { STRATA_API_KEY } })).code;
  expect(await whoami(key)).toBe(0);
  const secret = key.split('.')[1] ?? '';
  expect(await run('key list --json')).not.toContain(secret);
  expect(await rows('key list ci')).toEqual([expect.arrayContaining(['ci', key.split('.')[0], 'active'])]);
  expect((await strata.run(['key', 'create', 'ci'])).code).toBe(2);
  expect(await whoami(key)).toBe(0);
  const next = await strata.json<{ readonly apikey: string }>(['key', 'create', 'ci', '--yes']);
  expect([await whoami(key), await whoami(next.apikey)]).toEqual([3, 0]);
});

test('a new key has limits, expires after 90 days, and the previous one works for the overlap', async () => {
  const project = await organization.project({ name: 'shop' });
  const key = (await run('service-account create ci --role CONTRIB')).trim();
  const command = 'key create ci --yes --scope reveal --project shop --environment production --overlap 1h';
  const next = await strata.json<{ readonly apikey: string; readonly expire_at: string }>(command.split(' '));
  const days = (Date.parse(next.expire_at) - Date.now()) / 86_400_000;
  expect([Math.round(days), (await strata.run(['whoami'], { env: { STRATA_API_KEY: key } })).code]).toEqual([90, 0]);
  const { body } = await organization.owner.get<Page<ServiceAccount>>('serviceaccounts/?page_size=100');
  const account = body.results.find(({ user }) => user.name === 'ci');
  expect(account?.keys).toMatchObject([
    { scopes: ['read', 'reveal'], projects: [project.url], environments: [expect.any(String)] },
    { scopes: ['read', 'write', 'reveal'], projects: null, revoked: false, has_expired: false },
  ]);
  const overlapHours = (Date.parse(account?.keys?.[1]?.expiry_date ?? '') - Date.now()) / 3_600_000;
  expect(Math.round(overlapHours)).toBe(1);
  expect(await rows('key list ci')).toEqual([
    expect.arrayContaining(['read,reveal; 1 project; 1 environment', 'active']),
    expect.arrayContaining(['all', 'active']),
  ]);
  const [prefix = ''] = next.apikey.split('.');
  const explanation = await run(`access explain --key ${prefix} --project shop --environment production`);
  expect(explanation).toMatch(
    /^ci\n {2}read {5}yes\n {2}write {4}no\n {2}secrets {2}yes\n {2}the key does not have the scope write/,
  );
  const denied = await strata.run(['project', 'create', 'another'], {
    env: { STRATA_API_KEY: next.apikey },
  });
  expect([denied.code, denied.stderr]).toEqual([expect.any(Number), expect.stringContaining('scope "write"')]);
  const forever = await strata.json<{ readonly expire_at: null }>('key create ci --yes --expires never'.split(' '));
  expect(forever.expire_at).toBeNull();
});

test('the token of a webhook is read from standard input, and is shown nowhere', async () => {
  const create =
    'webhook create alerts --event-type value_created,value_deleted --type slack --channel #ops --username strata';
  const createdRun = await strata.run([...create.split(' '), '--token-file', '-', '--json'], { input: `${CANARY}\n` });
  expect(createdRun.code).toBe(0);
  expect(JSON.parse(createdRun.stdout)).toMatchObject({ event_types: ['value_created', 'value_deleted'] });
  await run('webhook change alerts --channel #alerts');
  const [webhook] = await strata.json<readonly object[]>(['webhook', 'list']);
  expect(webhook).toMatchObject({ name: 'alerts', configuration: { channel: '#alerts', username: 'strata' } });
  expect(createdRun.stdout + createdRun.stderr + JSON.stringify(webhook)).not.toContain(CANARY);
  expect(await rows('webhook list')).toContainEqual(expect.arrayContaining(['alerts', 'active']));
  const argument = await strata.run([...create.split(' '), '--token', CANARY]);
  expect([argument.code, argument.stderr]).toEqual([2, expect.not.stringContaining(CANARY)]);
});

test('a member is called by name, and a person by e-mail address too', async () => {
  await run('service-account create ci');
  await run('member change ci --role CONTRIB');
  expect(await strata.json(['member', 'list'])).toContainEqual(
    expect.objectContaining({ user: 'ci', role: 'CONTRIB' }),
  );
  const { ownerEmail } = testCredentials();
  const person = await strata.json(['member', 'change', ownerEmail, '--reveals-secrets']);
  expect(person).toMatchObject({ role: 'OWNER', reveals_secrets: true });
});

test('access to a project is explained for everyone, and for one user', async () => {
  const project = await organization.project({ name: 'shop' });
  await organization.owner.patch(project.url, { access_controlled: true });
  await run('service-account create ci');
  await run('service-account create idle');
  await run('group create operators --user ci');
  await run('grant create operators shop --role CONTRIB');
  const scope = '--project shop --environment production';

  const listed = await rows(`access explain ${scope}`);
  expect(listed).toContainEqual(['ci', 'yes', 'yes', 'yes', 'group operators: CONTRIB']);
  expect(listed.flat()).not.toContain('idle');
  expect(await run(`access explain idle ${scope}`)).toMatch(
    /^idle\n {2}read {5}no\n[\s\S]*Project \(restricted by the grants on shop\)\n {2}role VIEWER \(only grants count here\)/,
  );
  expect(await strata.json(['access', 'explain', 'ci', ...scope.split(' ')])).toMatchObject([
    { user_name: 'ci', read: true, write: true, project: { candidates: [{ wins: true }, { wins: false }] } },
  ]);
});

test('access is requested, approved and ended from a terminal', async () => {
  const project = await organization.project({ name: 'shop' });
  await organization.owner.patch(project.url, { access_controlled: true });
  const key = JSON.parse((await strata.run('service-account create ci --json'.split(' '))).stdout).apikey as string;
  const member = { env: { STRATA_API_KEY: key, STRATA_URL: core.origin } };
  const request = ['access', 'request', '--project', 'shop', '--role', 'CONTRIB', '--for', '2h', '--message', 'outage'];
  const { code, stdout, stderr } = await strata.run([...request, '--json'], member);
  expect([code, stderr]).toEqual([0, '']);
  const { id } = JSON.parse(stdout);
  expect(await rows('access requests')).toEqual([[id, 'ci', 'shop', 'CONTRIB', 'pending', '120m', 'outage']]);
  expect((await strata.run(['access', 'approve', id], member)).code).not.toBe(0);
  const approved = await strata.run(['access', 'approve', id]);
  expect([approved.code, approved.stderr]).toEqual([
    0,
    expect.stringMatching(/^CONTRIB on shop for ci is approved until /),
  ]);
  expect(await strata.json(['access', 'explain', 'ci', '--project', 'shop', '--environment', 'default'])).toMatchObject(
    [{ read: true, write: true }],
  );
  const revoked = await strata.run(['access', 'revoke', id, '--json'], member);
  expect(JSON.parse(revoked.stdout)).toMatchObject({ state: 'revoked', requester: 'ci', scope: 'shop' });
  expect((await strata.run(['access', 'decline', id])).stderr).toContain('it is revoked');
});

test('a change of access is planned, and applied as planned', async () => {
  const project = await organization.project({ name: 'shop' });
  await organization.owner.patch(project.url, { access_controlled: true });
  await run('service-account create ci');
  await run('group create operators --user=');
  const plan = 'access plan ci --project shop --role CONTRIB';
  const planned = await run(plan);
  expect(planned).toMatch(/ci gains write on shop \/ /);
  const hash = /Plan hash\S* (\S+)/.exec(planned)?.[1] ?? '';
  await run(`${plan} --plan ${hash}`);
  expect(await run('access plan ci --project shop --role VIEWER')).toMatch(/ci loses write on shop \/ /);
  await run('access plan ci --project shop --remove --yes');
  await run('grant create operators shop --role VIEWER');
  expect(await run('access plan ci --group operators')).toMatch(/ci gains read on shop \/ /);
  await run('access plan ci --group operators --yes');
  expect(await run('access plan ci --group operators --remove')).toMatch(/ci loses read on shop \/ /);
  await organization.project({ name: 'open' });
  expect(await run('access plan ci --role CONTRIB')).toMatch(/ci gains write on .* other cells/);
});

test('a grant is called by names, or by ids if several objects have the names', async () => {
  await run('project create staging');
  await run('service-account create ci');
  const id = async (command: string, name: string) => {
    const objects = await strata.json<readonly { id: string; name?: string; user?: { name: string; id: string } }[]>([
      ...command.split(' '),
    ]);
    return objects.find((object) => object.name === name || object.user?.name === name)?.id ?? '';
  };
  const [project, environment] = [await id('project list', 'staging'), await id('environment list', 'staging')];
  for (const scope of [project, environment]) await run(`grant create ci ${scope} --role OWNER`);
  const { code, stderr } = await strata.run(['grant', 'delete', 'ci', 'staging', '--yes']);
  expect([code, stderr]).toEqual([2, expect.stringContaining('Use the ids')]);
  await run(`grant delete ci ${environment} --yes`);
  expect(await strata.json(['grant', 'list'])).toContainEqual(expect.objectContaining({ scope: 'staging' }));
  await run('grant delete ci staging --yes');
  expect(await strata.json(['grant', 'list'])).not.toContainEqual(expect.objectContaining({ scope: 'staging' }));
});

test('an empty text calls no member, and a name is never read as an id or an e-mail address', async () => {
  await run('service-account create ci --role CONTRIB');
  for (const command of [
    ['member', 'delete', '', '--yes'],
    ['member', 'change', '', '--role', 'ADMIN'],
  ])
    expect((await strata.run(command)).code).toBe(4);

  const shop = await organization.project({ name: 'shop' });
  await organization.project({ name: shop.id });
  await run(`project change ${shop.id} --description found`);
  expect(await strata.json(['project', 'list'])).toContainEqual(
    expect.objectContaining({ name: 'shop', description: 'found' }),
  );
});

test('the owner of a service account can be any text', async () => {
  for (const [index, owner] of ['team:platform', 'https://w.example/%ff/', 'Ada'].entries()) {
    await run(`service-account create ci-${index} --owner ${owner}`);
    expect(await strata.json(['service-account', 'list'])).toContainEqual(expect.objectContaining({ owner }));
  }
});

test('an empty text removes an optional number', async () => {
  const minutes = async (text: string) =>
    JSON.parse(
      (await strata.run(['organization', 'change', organization.name, '--read-protection-minutes', text, '--json']))
        .stdout,
    ).read_protection_minutes;
  expect([await minutes('30'), await minutes('')]).toEqual([30, null]);
});

test('what a program reads is deleted only with --force, which only errors of deletions name', async () => {
  const project = await organization.project({ name: 'shop' });
  const parameter = await organization.parameter({ project, name: 'PORT' });
  await organization.value({ parameter, internal_value: '8080' });
  await run(`organization change ${organization.name} --read-protection-minutes 60`);
  const { apikey } = await agentAccount(organization);
  expect((await strata.run(['get', 'PORT'], { env: { STRATA_API_KEY: apikey } })).stdout).toBe('8080\n');
  const hint = 'Stop the program that reads it, or add --force.';
  await eventually('the read is stored, and the plan rejects the deletion', async () => {
    return (await strata.run(['parameter', 'delete', 'PORT'])).stderr.includes(hint);
  });
  expect(await strata.run(['parameter', 'delete', 'PORT', '--yes'])).toMatchObject({
    ...{ code: 1, stderr: expect.stringContaining(hint) },
  });
  const unset = await strata.run(['apply', '--unset', 'PORT', '--yes']);
  expect(unset.stderr).toContain('Stop the program that reads it.');
  expect(unset.stderr).not.toContain('--force');
  await run('parameter delete PORT --force --yes');
});

test('hidden characters in names are spelled out', async () => {
  const name = 'ci\u202e';
  const createdRun = await strata.run(['service-account', 'create', name]);
  await strata.run(['group', 'create', 'team', '--user', name]);
  const outputs = [
    createdRun.stderr,
    await run('group list'),
    await run('service-account list'),
    await run('key list'),
  ];
  for (const output of outputs) expect(output).toContain('ci\\u{202e}');
  expect(outputs.join('')).not.toContain('\u202e');
});

test('errors name the options, similar objects, and changes that are missing', async () => {
  await organization.project({ name: 'shop' });
  const stderr = async (command: string) => (await strata.run(command.split(' '))).stderr;
  expect(await stderr('project delete shpo')).toMatch(
    /The project "shpo" does not exist[\s\S]*Existing projects: shop/,
  );
  expect(await stderr('project create api --depends-on shpo')).toMatch(/"shpo" does not exist[\s\S]*shop/);
  expect(await stderr('project change shop')).toContain('There is nothing to change.');
  expect(await stderr('grant create ci shop')).toContain("required option '--role <name>' not specified");
  expect(await stderr('webhook create a --event-type other')).toContain('Allowed choices are parameter_created');
  expect(await stderr('parameter change PORT --expiration-action {')).toContain('is not valid JSON');
});

test('a name that several objects have is not enough', async () => {
  await run('service-account create ci');
  await run('service-account create ci');
  const { code, stderr } = await strata.run(['service-account', 'delete', 'ci', '--yes']);
  expect([code, stderr]).toEqual([
    2,
    expect.stringMatching(/Several service accounts are called "ci"[\s\S]*Use the id/),
  ]);
  const [first] = await strata.json<readonly { readonly id: string }[]>(['service-account', 'list']);
  await run(`service-account delete ${first?.id} --yes`);
});

test('a list reads all pages, and only the first rows with --limit', async () => {
  await organization.owner.post('changesets/', {
    operations: Array.from({ length: 501 }, (_, index) => ({
      operation: 'projects_create',
      body: { name: `p${index}` },
    })),
  });
  expect(await strata.json(['project', 'list'])).toHaveLength(502);
  const limited = await strata.run(['project', 'list', '--limit', '2']);
  expect(limited.stdout.trimEnd().split('\n')).toHaveLength(3);
  expect(limited.stderr).toContain('Only the first 2 are shown.');
  const long = await strata.run(['project', 'list', '--limit', '501']);
  expect(long.stdout.trimEnd().split('\n')).toHaveLength(502);
  expect(long.stderr).toContain('Only the first 501 are shown.');
});
