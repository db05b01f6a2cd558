import fs from 'node:fs';
import path from 'node:path';
import type { AuthToken, Invitation, Page, Session } from '@strata/contract';
import { RawClient, type RunningCore, sharedCore, type TestOrganization } from '@strata/testkit';
import { CommandLine } from './command-line.ts';

let core: RunningCore;
let organization: TestOrganization;
let key: string;
let strata: CommandLine;

beforeAll(async () => {
  core = await sharedCore();
  organization = await core.organization();
  key = (await organization.authorization('VIEWER')).replace(/^Api-Key /, '');
});
beforeEach(async () => {
  strata = await CommandLine.create({});
});
afterEach(() => strata.remove());

const login = () => strata.run(['login', '--url', core.origin], { input: `${key}\n` });
const signIns = () => path.join(strata.home, '.config', 'strata', 'sign-ins.json');

test('login stores a key from standard input in a file that only its owner can read, and whoami uses it', async () => {
  const { code, stdout, stderr } = await login();

  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toContain(`Signed in at ${core.origin}`);
  expect(stdout).not.toContain(key);
  expect((fs.statSync(signIns()).mode & 0o777).toString(8)).toBe('600');
  expect(await strata.json(['whoami'])).toMatchObject({ url: core.origin, type: 'service', role: 'VIEWER' });
});

const onLinux = process.platform === 'linux' ? test : test.skip;

onLinux('login stores the key in the file if the system has no Secret Service', async () => {
  const env = { STRATA_KEYRING: '', DBUS_SESSION_BUS_ADDRESS: `unix:path=${strata.home}/none` };
  const options = { input: `${key}\n`, env };
  expect(await strata.json(['login', '--url', core.origin], options)).toMatchObject({ stored_in: 'file' });
  expect((await strata.run(['whoami'], { env })).code).toBe(0);
});

onLinux('a command says what to do if the keyring with the credential cannot be used', async () => {
  fs.mkdirSync(path.dirname(signIns()), { recursive: true });
  fs.writeFileSync(signIns(), JSON.stringify({ current: core.origin, addresses: { [core.origin]: {} } }));
  const env = { DBUS_SESSION_BUS_ADDRESS: `unix:path=${strata.home}/none` };
  const { code, stderr } = await strata.run(['whoami'], { env });
  expect([code, stderr]).toEqual([1, expect.stringContaining('run `strata login` with STRATA_KEYRING=off')]);
});

test('login does not store a key that Strata rejects', async () => {
  const { code, stderr } = await strata.run(['login', '--url', core.origin], { input: '00000000.wrong' });

  expect([code, stderr]).toEqual([
    3,
    expect.stringMatching(/Incorrect authentication credentials\.\n.*\nRequest id: /),
  ]);
  expect(fs.existsSync(signIns())).toBe(false);
});

test('logout deletes the stored key', async () => {
  await login();
  expect((await strata.run(['logout'])).code).toBe(0);

  expect(fs.existsSync(signIns())).toBe(false);
  const { code, stderr } = await strata.run(['whoami', '--url', core.origin]);
  expect([code, stderr]).toEqual([3, expect.stringContaining('Run `strata login --url')]);
});

/** A person with a password. */
async function invited() {
  const [email, password] = [`${path.basename(strata.home)}@example.com`, 'correct horse battery'];
  const { body } = await organization.owner.post<Invitation & { readonly token: string }>('invitations/', {
    ...{ email, role: 'CONTRIB' },
  });
  await new RawClient(core.origin, null).post(`invitations/${body.id}/accept/`, { token: body.token, password });
  const signIn = () => strata.run(['login', '--url', core.origin, '--email', email], { input: `${password}\n` });
  return { email, password, signIn };
}

/** A client with the session that is stored. */
function storedSession(): RawClient {
  const { addresses } = JSON.parse(fs.readFileSync(signIns(), 'utf8'));
  return new RawClient(core.origin, addresses[core.origin].authorization);
}

test('a person signs in with a password, and logout ends the session', async () => {
  const { email, signIn } = await invited();
  expect((await signIn()).code).toBe(0);
  expect(await strata.json(['whoami'])).toMatchObject({ email, type: 'interactive', role: 'CONTRIB' });
  const session = storedSession();
  expect((await session.get('users/current/')).status).toBe(200);

  expect(await strata.json(['logout'])).toMatchObject({ was_signed_in: true, session_ended: true });
  expect((await session.get('users/current/')).status).toBe(403);
});

test('login ends the session that it replaces', async () => {
  const { signIn } = await invited();
  await signIn();
  const replaced = storedSession();
  expect((await signIn()).code).toBe(0);

  expect((await replaced.get('users/current/')).status).toBe(403);
  expect((await storedSession().get('users/current/')).status).toBe(200);
});

test('login ends its session if it cannot be stored', async () => {
  const { email, password, signIn } = await invited();
  fs.mkdirSync(signIns(), { recursive: true });
  const { code, stderr } = await signIn();
  expect([code, stderr]).toEqual([1, expect.stringContaining('sign-ins.json cannot be read (EISDIR)')]);

  const credentials = { email, password, client: 'Firefox' };
  const { body } = await new RawClient(core.origin, null).post<AuthToken>('auth/session/', credentials);
  const browser = new RawClient(core.origin, `Bearer ${body.access_token}`);
  const { results } = (await browser.get<Page<Session>>('users/current/sessions/')).body;
  expect(results).toEqual([expect.objectContaining({ client: 'Firefox' })]);
});

test('a key is never sent to an address that a file of a repository selects', async () => {
  fs.writeFileSync(path.join(strata.home, 'strata.json'), JSON.stringify({ url: core.origin }));
  const { code, stderr } = await strata.run(['whoami'], { env: { STRATA_API_KEY: key } });

  expect([code, stderr]).toEqual([2, expect.stringContaining('sent only to an address that you select')]);
});

test('login requires an explicit address the first time, because a file of a repository can select another one', async () => {
  fs.writeFileSync(path.join(strata.home, 'strata.json'), JSON.stringify({ url: core.origin }));
  const { code, stderr } = await strata.run(['login'], { input: key });
  expect([code, stderr]).toEqual([2, expect.stringContaining(`run \`strata login --url ${core.origin}\``)]);

  await login();
  expect((await strata.run(['login'], { input: key })).code).toBe(0);
});

test('a machine without a browser prints the address of the console, which the core names, if there is one', async () => {
  const secondCore = await core.another({ STRATA_CONSOLE_URL: 'https://console.example.com/' });
  try {
    const named = await strata.run(['login', '--browser', '--url', secondCore.origin], { input: 'wrong' });
    expect([named.code, named.stderr]).toEqual([3, expect.stringContaining('The code is wrong, has expired')]);
    expect(named.stderr).toMatch(
      /^ {2}https:\/\/console\.example\.com\/command-line\?challenge=[\w-]{43}&machine=[\w.-]+$/m,
    );

    const without = await strata.run(['login', '--no-browser', '--url', core.origin], { input: 'wrong' });
    const message = `There is no console at ${core.origin}, so you cannot sign in by browser.`;
    expect([without.code, without.stderr]).toEqual([3, expect.stringContaining(message)]);
    expect(without.stderr).not.toContain('/command-line');
  } finally {
    await secondCore.close();
  }
});

test('strata.json of a folder above selects address, project and environment, and options override it', async () => {
  await login();
  const folder = path.join(strata.home, 'a', 'b');
  fs.mkdirSync(folder, { recursive: true });
  const settings = { url: core.origin, project: 'shop', environment: 'staging' };
  fs.writeFileSync(path.join(strata.home, 'strata.json'), JSON.stringify(settings));

  const selected = await strata.json(['whoami', '--environment', 'production'], { folder });
  expect(selected).toMatchObject({ url: core.origin, project: 'shop', environment: 'production' });
});

test('a key from a file is sent to the address of STRATA_URL, and never to that of strata.json', async () => {
  const file = path.join(strata.home, 'key.txt');
  fs.writeFileSync(file, `${key}\n`);
  const env = { STRATA_API_KEY_FILE: file };
  expect(await strata.json(['whoami'], { env: { ...env, STRATA_URL: core.origin } })).toMatchObject({ role: 'VIEWER' });

  fs.writeFileSync(path.join(strata.home, 'strata.json'), JSON.stringify({ url: core.origin }));
  const result = await strata.run(['whoami'], { env });
  expect([result.code, result.stderr]).toEqual([
    2,
    expect.stringContaining('STRATA_API_KEY_FILE is set, but the address is not'),
  ]);
  const missing = { STRATA_API_KEY_FILE: `${file}.missing`, STRATA_URL: core.origin };
  const { code, stderr } = await strata.run(['whoami'], { env: missing });
  expect([code, stderr]).toEqual([
    2,
    expect.stringContaining('The file of STRATA_API_KEY_FILE cannot be read (ENOENT)'),
  ]);
});

test('strata.json with a credential is rejected', async () => {
  fs.writeFileSync(path.join(strata.home, 'strata.json'), JSON.stringify({ api_key: key }));
  const { code, stderr } = await strata.run(['whoami']);

  expect([code, stderr]).toEqual([2, expect.stringContaining('Credentials do not belong in it')]);
  expect(stderr).not.toContain(key);
});

test('an unreachable address has its own exit code, and --json prints the error as JSON', async () => {
  const env = { STRATA_URL: 'http://127.0.0.1:9', STRATA_API_KEY: key };
  const { code, stdout, stderr } = await strata.run(['whoami', '--json'], { env });

  expect([code, stdout, JSON.parse(stderr)]).toEqual([5, '', { error: expect.objectContaining({ exit_code: 5 }) }]);
});

test.each(['bash', 'zsh', 'fish', 'powershell'])('prints a completion script for %s', async (shell) => {
  const { code, stdout } = await strata.run(['completion', shell]);
  expect([code, stdout]).toEqual([0, expect.stringMatching(/strata complete '?--/)]);
});

test('completes commands and options', async () => {
  expect((await strata.run(['complete', '--', 'whoa'])).stdout).toContain('whoami');
  expect((await strata.run(['complete', '--', 'get', '--rev'])).stdout).toContain('--reveal');
});
