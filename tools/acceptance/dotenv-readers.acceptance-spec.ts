import { execFileSync, type StdioOptions } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type DotenvReader, writeEnvFile } from '@strata/domain';
import fc from 'fast-check';
import { anyCharacter } from '../../libs/domain/src/testing/any-character.ts';
import { MISREAD_TEXTS } from '../../libs/domain/src/testing/misread-texts.ts';
import {
  describeWith,
  findInstalledTool,
  installDebianProgram,
  installGoSource,
  installPythonProgram,
} from './tools.ts';

type Files = readonly Readonly<Record<string, string>>[];

const source = (name: string) => path.join(import.meta.dirname, 'programs', name);
const GO = installGoSource(fs.readFileSync(source('read-dotenv.go'), 'utf8'), [
  'github.com/compose-spec/compose-go/v2@v2.16.2',
  'github.com/joho/godotenv@v1.5.1',
]);
const PYTHON = await installPythonProgram('python', 'python-dotenv==1.2.4');
const RUBY = installDebianProgram('ruby', 'ruby-dotenv');

const special = fc.constantFrom(...'\'"\\$`#{}()=:;!&|~* \n\r\tabnr');
// Strata stores no null characters, which no variable can contain.
const TEXTS = [
  ...MISREAD_TEXTS,
  ...fc.sample(fc.string({ unit: special, maxLength: 12 }), 800),
  ...fc.sample(fc.string({ unit: anyCharacter.filter((character) => character !== '\0'), maxLength: 20 }), 200),
];

const readJson = (program: string, args: readonly string[]) => (files: readonly string[]) =>
  JSON.parse(execFileSync(program, args, { input: JSON.stringify(files), encoding: 'utf8' })) as Files;

/** Returns the variables that a shell passes on after it has read each file. */
const readShell = (shell: string) => (files: readonly string[]) => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'strata-dotenv-'));
  try {
    return files.map((text): Readonly<Record<string, string>> => {
      fs.writeFileSync(path.join(folder, 'values.env'), text);
      const script = 'set -a; . ./values.env; exec env -0';
      // If the standard input is a socket, bash reads the settings of its user.
      const stdio: StdioOptions = ['ignore', 'pipe', 'inherit'];
      const options = { cwd: folder, env: { PATH: '/usr/bin:/bin' }, encoding: 'utf8' as const, stdio };
      const lines = execFileSync(shell, ['-c', script], options).split('\0');
      const pairs = lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)] as const);
      return Object.fromEntries(pairs.filter(([name]) => name.startsWith('NAME_')));
    });
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
};

/** Writes the texts for a reader, 20 to a file, and expects that the program reads those that can be written. */
function expectExact(read: (files: readonly string[]) => Files, reader: DotenvReader): void {
  const groups = Array.from({ length: Math.ceil(TEXTS.length / 20) }, (_, index) =>
    TEXTS.slice(index * 20, index * 20 + 20),
  );
  const written = groups.map((texts) => {
    const variables = texts.map((text, index) => ({ name: `NAME_${index}`, text }));
    const { body, unwritable } = writeEnvFile(variables, 'dotenv', { reader });
    const expected = variables.filter(({ name }) => !unwritable.includes(name));
    return { body, expected: Object.fromEntries(expected.map(({ name, text }) => [name, text])) };
  });
  expect(read(written.map(({ body }) => body))).toEqual(written.map(({ expected }) => expected));
}

describeWith([GO, PYTHON, findInstalledTool('bash')], 'dotenv files that Strata writes', () => {
  test.each([
    ['python-dotenv', 'python-dotenv', readJson(PYTHON.program, [source('read_dotenv.py')])],
    ['compose-go', 'compose', readJson(GO.program, ['compose'])],
    ['godotenv', 'godotenv', readJson(GO.program, ['godotenv'])],
    ['dash', 'sh', readShell('dash')],
    ['bash', 'sh', readShell('bash')],
  ] as const)('%s reads every value of the form for all, and of that for %s', (_, reader, read) => {
    expectExact(read, 'all');
    expectExact(read, reader);
  });
});

describeWith([RUBY], 'dotenv files that Strata writes for Ruby', () => {
  test('dotenv of Ruby reads every value', () => {
    expectExact(readJson(RUBY.program, [source('read_dotenv.rb')]), 'ruby');
  });
});
