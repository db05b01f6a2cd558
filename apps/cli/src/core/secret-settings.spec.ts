import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { withSecrets } from './secret-settings.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'strata-secret-'));
  file = path.join(folder, 'key');
  fs.writeFileSync(file, 'the key\n');
});
afterEach(() => fs.rmSync(folder, { recursive: true }));

const script = (text: string): string => {
  const program = path.join(folder, 'program');
  fs.writeFileSync(program, `#!/usr/bin/env node\n${text}`, { mode: 0o755 });
  return program;
};

test('a setting is read from its file, without the end of the last line', () => {
  expect(withSecrets({ STRATA_ROOT_KEY_FILE: file, STRATA_PORT: '1' })).toEqual({
    STRATA_ROOT_KEY: 'the key',
    STRATA_PORT: '1',
  });
});

test('a setting is read from the output of a program, which gets its words as arguments', () => {
  const program = script('console.log(process.argv.slice(2).join("+"))');
  expect(withSecrets({ DATABASE_URL_COMMAND: `${program} a  b` })).toEqual({ DATABASE_URL: 'a+b' });
});

test('settings without a file or program are unchanged', () => {
  expect(withSecrets({ STRATA_ROOT_KEY: 'k', STRATA_SESSION_KEY_FILE: '' })).toEqual({ STRATA_ROOT_KEY: 'k' });
});

test.each([
  [
    'two sources',
    () => ({ STRATA_ROOT_KEY: 'k', STRATA_ROOT_KEY_FILE: file }),
    'STRATA_ROOT_KEY and STRATA_ROOT_KEY_FILE are set. Set one of them.',
  ],
  ['a missing file', () => ({ STRATA_ROOT_KEY_FILE: '/none' }), 'STRATA_ROOT_KEY_FILE: /none cannot be read (ENOENT).'],
  ['an empty file', () => ({ STRATA_ROOT_KEY_FILE: '/dev/null' }), 'STRATA_ROOT_KEY_FILE: /dev/null returns no text.'],
  ['a missing program', () => ({ DATABASE_URL_COMMAND: '/none' }), 'DATABASE_URL_COMMAND: /none failed (ENOENT).'],
])('%s is reported with the name of the setting', (_, settings, message) => {
  expect(() => withSecrets(settings())).toThrow(message);
});

test('a failed program is reported without its output', () => {
  const program = script('console.log("half of the key"); process.exit(3)');
  expect(() => withSecrets({ STRATA_ROOT_KEY_COMMAND: program })).toThrow(
    new Error(`STRATA_ROOT_KEY_COMMAND: ${program} failed (code 3).`),
  );
});

test('a program that takes too long is killed, even if it ignores SIGTERM', () => {
  const ended = path.join(folder, 'ended');
  const end = `require('node:fs').writeFileSync(${JSON.stringify(ended)}, '')`;
  const program = script(`process.on('SIGTERM', () => undefined); setTimeout(() => ${end}, 12_000)`);
  expect(() => withSecrets({ STRATA_ROOT_KEY_COMMAND: program })).toThrow(`${program} did not end within 10 s.`);
  expect(fs.existsSync(ended)).toBe(false);
});
