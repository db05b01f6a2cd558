import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { type RunningCore, sharedCore } from '@strata/testkit';
import { CommandLineShop } from './command-line.ts';

let core: RunningCore;
let shop: CommandLineShop;

beforeAll(async () => {
  core = await sharedCore();
});
beforeEach(async () => {
  shop = await CommandLineShop.create(core, 'VIEWER');
  await shop.set('PORT', '8080');
});
afterEach(() => shop.strata.remove());

const file = (name: string) => path.join(shop.strata.home, name);
const write = (name: string, text: string) => fs.writeFileSync(file(name), text);
const writeSettings = (settings: object) => write('strata.json', JSON.stringify(settings));
const print = (...names: string[]) => [
  ...['--', process.execPath, '-e', `console.log(${names.map((name) => `process.env.${name}`).join(', ')})`],
];

/** Values that let common programs run `touch executed`, and the program that does it. */
const ATTACKS: readonly (readonly [string, string, string])[] = [
  ['TAR_OPTIONS', '--checkpoint=1 --checkpoint-action=exec=./touch.sh', 'tar cf archive.tar large'],
  ['PS1', '$(touch executed)', 'echo true | bash --norc -i'],
  ['PS0', '$(touch executed)', 'echo true | bash --norc -i'],
  ['PROMPT_COMMAND', 'touch executed', 'echo true | bash --norc -i'],
  ['BASH_ENV', './touch.sh', 'bash -c true </dev/null'],
  ['ENV', '$(touch executed)', 'echo true | sh -i'],
  ['PERLLIB', 'modules', 'perl -Mstrict -e 1'],
  ['GIT_SSH_COMMAND', 'touch executed;', 'git ls-remote ssh://127.0.0.1/none'],
  ['GIT_EXTERNAL_DIFF', './touch.sh', 'git init -q . && git add large && echo x >large && git diff'],
  ['GIT_CONFIG_PARAMETERS', "'alias.status=!touch executed' 'alias.st=!touch executed'", 'git st'],
  ['LESSOPEN', '|touch executed %s', 'less large'],
  ['NODE_OPTIONS', '--require=./write.cjs', 'node -e 1'],
  ['MAKEFILES', 'touch.mk', 'make -f empty.mk all'],
  ['PERL5OPT', '-Mevil', 'perl -Imodules -e 1'],
  ['PYTHONPATH', 'modules', 'python3 -c 1'],
];

/** Returns whether the command ran the code of the value. */
async function isExecuted(command: string, options: readonly string[]): Promise<readonly [number | null, boolean]> {
  const { code } = await shop.strata.run(['run', ...options, '--', 'sh', '-c', command]);
  return [code, fs.existsSync(file('executed'))];
}

const isInstalled = (command: string): boolean =>
  (command.match(/\b(tar|bash|sh|perl|git|less|make|node|python3)\b/g) ?? []).every(
    (program) => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0,
  );

test.each(ATTACKS.filter(([, , command]) => isInstalled(command)))(
  'a value of %s runs no code, unless the name is accepted',
  async (name, text, command) => {
    write('touch.sh', '#!/bin/sh\ntouch executed\n');
    fs.chmodSync(file('touch.sh'), 0o755);
    fs.mkdirSync(file('modules'));
    write('modules/strict.pm', 'package strict; system("touch", "executed"); 1;');
    write('modules/evil.pm', 'package evil; system("touch", "executed"); 1;');
    write('write.cjs', 'require("fs").writeFileSync("executed", "")');
    write('touch.mk', '$(shell touch executed)\n');
    write('empty.mk', 'all:\n');
    write('modules/sitecustomize.py', 'open("executed", "w")');
    write('large', 'x'.repeat(100_000));
    await shop.set(name, text);

    expect(await isExecuted(command, [])).toEqual([2, false]);
    expect((await isExecuted(command, ['--allow-name', name]))[1]).toBe(true);
  },
);

test('acceptNames of strata.json accepts names and patterns, and acceptOnly rejects all others', async () => {
  for (const name of ['JAVA_OPTS', 'GIT_DEPTH', 'HOST']) await shop.set(name, 'x');
  const rejected = await shop.strata.run(['run', ...print('PORT')]);
  expect([rejected.code, rejected.stderr]).toEqual([
    ...[2, expect.stringContaining('"acceptNames": ["GIT_DEPTH","JAVA_OPTS"] in strata.json')],
  ]);

  writeSettings({ acceptNames: ['JAVA_OPTS', 'GIT_*'] });
  const accepted = await shop.strata.run(['run', ...print('PORT', 'JAVA_OPTS', 'GIT_DEPTH')]);
  expect([accepted.code, accepted.stdout]).toEqual([0, '8080 x x\n']);

  writeSettings({ acceptNames: ['JAVA_OPTS', 'GIT_*', 'PORT'], acceptOnly: true });
  const complete = await shop.strata.run(['run', ...print('PORT')]);
  expect([complete.code, complete.stderr]).toEqual([2, expect.stringContaining('sets HOST, which strata.json')]);
  expect(await shop.strata.run(['run', '--allow-name', 'HOST', ...print('HOST')])).toMatchObject({ code: 0 });
});

test.each([
  ['a pattern for every name', { acceptNames: ['PATH', '*'] }, 'would permit every name'],
  ['a text instead of a list', { acceptNames: 'PATH' }, 'must be a list of names'],
  ['a text instead of a boolean', { acceptOnly: 'yes' }, 'must be true or false'],
])('strata.json with %s is rejected', async (_, settings, message) => {
  writeSettings(settings);
  expect(await shop.strata.run(['run', ...print('PORT')])).toMatchObject({
    ...{ code: 2, stderr: expect.stringContaining(message) },
  });
});

test.each(['shell', 'dotenv', 'docker'])('export --format %s rejects the same names', async (format) => {
  await shop.set('path', '/tmp');
  const args = ['export', '--format', format];
  const rejected = await shop.strata.run(args);
  expect([rejected.code, rejected.stdout, rejected.stderr]).toEqual([
    ...[2, '', expect.stringContaining('--allow-name PATH')],
  ]);
  const accepted = await shop.strata.run([...args, '--allow-name', 'PATH']);
  expect([accepted.code, accepted.stdout]).toEqual([0, expect.stringMatching(/PATH=/)]);
});
