import { type RunningCore, sharedCore } from '@strata/testkit';
import { CommandLine, CommandLineShop } from './command-line.ts';
import { agentAccount } from './mcp-client.ts';

const CANARY = 'canary-2c77f0';

let core: RunningCore;
let shop: CommandLineShop;
/** The program of an account that may not reveal secrets. */
let strata: CommandLine;

beforeAll(async () => {
  core = await sharedCore();
});
beforeEach(async () => {
  shop = await CommandLineShop.create(core, 'VIEWER');
  const { apikey } = await agentAccount(shop.organization);
  strata = await CommandLine.signedIn(core.origin, `Api-Key ${apikey}`, 'shop');
  await shop.set('HOST', 'db');
  await shop.set('PORT', '8080');
  await shop.set('PASSWORD', CANARY, true);
});
afterEach(() => {
  strata.remove();
  shop.strata.remove();
});

const PRINT = 'console.log(process.env.HOST, process.env.PORT, process.env.PASSWORD)';
const run = (program: CommandLine, ...options: readonly string[]) =>
  program.run(['run', ...options, '--', process.execPath, '-e', PRINT]);

test('run needs the ability to reveal secrets, and --without-secrets leaves them out', async () => {
  const { code, stdout, stderr } = await run(strata);
  expect([code, stdout]).toEqual([6, '']);
  expect(stderr).toMatch(/^Error: You may not reveal secrets\.\nAdd --without-secrets/);
  expect(await run(strata, '--without-secrets')).toEqual({ code: 0, stdout: 'db 8080 undefined\n', stderr: '' });
  expect(await run(shop.strata, '--without-secrets')).toMatchObject({ code: 0, stdout: 'db 8080 undefined\n' });
});

test('run --only passes the named variables, and starts nothing if one has no value', async () => {
  expect(await run(shop.strata, '--only', 'PORT,PASSWORD')).toMatchObject({ stdout: `undefined 8080 ${CANARY}\n` });
  expect(await run(shop.strata, '--only', 'PORT', '--only', 'HOST')).toMatchObject({ stdout: 'db 8080 undefined\n' });
  const { code, stdout, stderr } = await run(shop.strata, '--only', 'PORT,HOSTS');
  expect([code, stdout, stderr]).toEqual([4, '', expect.stringMatching(/"HOSTS" has no value[\s\S]*Similar: HOST/)]);
});

test('run with a cache stores each selection separately', async () => {
  expect((await run(shop.strata, '--cache-max-age', '1h', '--only', 'PORT')).code).toBe(0);
  expect(await run(shop.strata, '--offline', '--only', 'PORT')).toMatchObject({ stdout: 'undefined 8080 undefined\n' });
  expect((await run(shop.strata, '--offline')).code).toBe(5);
  const missing = ['--cache-max-age', '1h', '--only', 'PORT,HOSTS'];
  expect((await run(shop.strata, ...missing)).stderr).toContain('Similar: HOST');
  const offline = await run(shop.strata, '--offline', '--only', 'PORT,HOSTS');
  expect([offline.code, offline.stderr]).toEqual([4, expect.not.stringContaining('Similar')]);
});

const FORMATS = ['dotenv', 'docker', 'shell', 'json', 'yaml', 'kubernetes'];

test.each(FORMATS)('export --masked writes ***** for each secret as %s', async (format) => {
  for (const program of [strata, shop.strata]) {
    const { code, stdout } = await program.run(['export', '--masked', '--format', format]);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/PASSWORD\W+\*{5}/)]);
    expect(stdout).toContain('8080');
    expect(stdout).not.toContain(CANARY);
  }
});

test('errors about secrets name the options of the command line', async () => {
  const { code, stderr } = await strata.run(['get', 'PASSWORD', '--reveal']);
  expect([code, stderr]).toEqual([
    6,
    expect.stringMatching(/^Error: You may not reveal secrets\.\nLeave out --reveal/),
  ]);
  expect(stderr).not.toContain('mask_secrets');
  expect(await strata.run(['export'])).toMatchObject({ code: 2, stderr: expect.stringContaining('--masked') });
});
