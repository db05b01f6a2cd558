import fs from 'node:fs';
import path from 'node:path';
import { type RunningCore, sharedCore } from '@strata/testkit';
import { CommandLineShop, PROGRAM } from './command-line.ts';

const LATIN_1 = Buffer.from('caf\xe9', 'latin1');

let core: RunningCore;
let shop: CommandLineShop;
beforeAll(async () => {
  core = await sharedCore();
});
beforeEach(async () => {
  shop = await CommandLineShop.create(core, 'CONTRIB', 'staging');
});
afterEach(() => shop.strata.remove());

const write = (name: string, ...parts: readonly (string | Uint8Array)[]) =>
  fs.writeFileSync(path.join(shop.strata.home, name), Buffer.concat(parts.map((part) => Buffer.from(part))));

describe('input that is not UTF-8', () => {
  const changeset = ['message: a\noperations:\n- set: { create_missing: true, values: { NAME: ', LATIN_1, ' } }\n'];
  const encoded = (text: string, encoding: BufferEncoding) => [Buffer.from(text, encoding)];

  it.each`
    what                           | file             | parts                                         | args                                               | error
    ${'a dotenv file'}             | ${'.env'}        | ${['A=1\nNAME=', LATIN_1]}                    | ${['import', '.env', '--yes']}                     | ${/\.env:2: The text is not UTF-8\. It may be Windows-1252/}
    ${'a file of a folder'}        | ${'in/a.json'}   | ${['{"A": "', LATIN_1, '"}']}                 | ${['import', 'in', '--format', 'vault', '--yes']}  | ${/in\/a\.json:1: .*Windows-1252/}
    ${'a changeset'}               | ${'change.yaml'} | ${changeset}                                  | ${['apply', '--file', 'change.yaml', '--yes']}     | ${/change\.yaml:3: .*Windows-1252/}
    ${'a planned changeset'}       | ${'change.yaml'} | ${changeset}                                  | ${['plan', '--file', 'change.yaml']}               | ${/change\.yaml:3: .*Windows-1252/}
    ${'a snapshot'}                | ${'all.json'}    | ${['{"projects": "', LATIN_1, '"}']}          | ${['import', 'snapshot', 'all.json', '--dry-run']} | ${/all\.json:1: .*Windows-1252/}
    ${'the file of a key'}         | ${'key'}         | ${LATIN_1}                                    | ${['login', '--key-file', 'key']}                  | ${/--key-file:1: .*Windows-1252/}
    ${'a file of settings'}        | ${'strata.json'} | ${['{"project": "', LATIN_1, '"}']}           | ${['list']}                                        | ${/strata\.json:1: .*Windows-1252/}
    ${'a JSON Schema'}             | ${'schema.json'} | ${['{"properties": "', LATIN_1, '"}']}        | ${['check', '--from', 'schema.json']}              | ${/schema\.json:1: .*Windows-1252/}
    ${'UTF-16 of Windows'}         | ${'.env'}        | ${encoded('\ufeffNAME=value\r\n', 'utf16le')} | ${['import', '.env', '--yes']}                     | ${/\.env:1: The text is UTF-16 \(little-endian\)/}
    ${'binary data'}               | ${'.env'}        | ${['A=1\nNAME=\x00\x01', LATIN_1]}            | ${['import', '.env', '--yes']}                     | ${/\.env:2: .*base64/}
    ${'standard input'}            | ${null}          | ${['NAME=', LATIN_1]}                         | ${['import', '-', '--yes']}                        | ${/standard input:1: .*Windows-1252/}
    ${'a value on standard input'} | ${null}          | ${['first\n', LATIN_1]}                       | ${['set', 'NAME', '--create']}                     | ${/standard input:2: .*Windows-1252/}
  `('is rejected with file, line and encoding, and nothing is stored: $what', async ({ file, parts, args, error }) => {
    const input = Buffer.concat([parts].flat().map((part: string | Uint8Array) => Buffer.from(part)));
    if (file !== null) {
      fs.mkdirSync(path.join(shop.strata.home, 'in'), { recursive: true });
      write(file, input);
    }
    const run = await shop.strata.run(args, file === null ? { input } : {});
    expect([run.code, run.stderr, run.stdout]).toEqual([2, expect.stringMatching(error), '']);
    fs.rmSync(path.join(shop.strata.home, 'strata.json'), { force: true });
    expect(await shop.strata.json(['list'])).toEqual([]);
  });

  it('is rejected as an argument', async () => {
    const script = `exec "$0" "$1" set "NAME=$(printf 'caf\\351')" --create`;
    const child = shop.strata.startProgram('/bin/sh', ['-c', script, process.execPath, PROGRAM]);
    let shownText = '';
    child.stderr?.on('data', (data) => {
      shownText += String(data);
    });
    const code = await new Promise((resolve) => child.once('close', resolve));
    expect([code, shownText]).toEqual([2, expect.stringContaining('An argument is not UTF-8.')]);
    expect(await shop.strata.json(['list'])).toEqual([]);
  });

  it('loses its byte order mark if it is UTF-8', async () => {
    write('.env', '\ufeffNAME=caf\u00e9\n');
    expect((await shop.strata.run(['import', '.env', '--yes'])).code).toBe(0);
    expect(await shop.strata.json(['list'])).toMatchObject([{ name: 'NAME', value: 'caf\u00e9' }]);
  });
});

describe('a changeset in a file', () => {
  /** Returns the changeset that sets a value through the operation of the API. */
  async function setting(text: string) {
    const { parameter } = await shop.set('LIMIT', '1');
    const { body } = await shop.organization.owner.get<{ results: readonly { name: string; id: string }[] }>(
      'environments/',
    );
    const environment = body.results.find(({ name }) => name === 'staging')?.id;
    const ids = `{ project_pk: ${shop.project.id}, parameter_pk: ${parameter.id} }`;
    return `operations:\n- operation: projects_parameters_values_create\n  path: ${ids}\n  body:\n    environment: ${environment}\n    internal_value: ${text}\n`;
  }

  it.each(['123456789012345678', '1.50', '1e400', '-0'])('keeps the digits of %s', async (text) => {
    write('change.yaml', await setting(text));
    expect((await shop.strata.run(['apply', '--file', 'change.yaml', '--yes'])).code).toBe(0);
    expect((await shop.strata.run(['get', 'LIMIT'])).stdout).toBe(`${text}\n`);
  });

  it.each(['.inf', '-.Inf', '.nan', '0x1F', '0o17', '+5', '.5', '007'])(
    'is rejected with %s, which JSON cannot express, and stores no null',
    async (text) => {
      write('change.yaml', await setting(text));
      const { code, stderr } = await shop.strata.run(['apply', '--file', 'change.yaml', '--yes']);
      expect([code, stderr]).toEqual([
        2,
        expect.stringMatching(/change\.yaml:6: JSON cannot express this number\.\nWrite it in quotes/),
      ]);
      expect((await shop.strata.run(['get', 'LIMIT'])).stdout).toBe('1\n');
    },
  );

  it('keeps names that look like numbers, words or null', async () => {
    write(
      'change.yaml',
      'operations:\n- set: { create_missing: true, values: { 1.10: "a", 12345678901234567890: "b", ~: "c", True: "d" } }\n',
    );
    expect((await shop.strata.run(['apply', '--file', 'change.yaml', '--yes'])).code).toBe(0);
    const listed = await shop.strata.json<readonly { name: string }[]>(['list']);
    expect(listed.map(({ name }) => name).sort()).toEqual(['1.10', '12345678901234567890', 'True', '~']);
  });

  it.each([
    ['Windows', '\r\n'],
    ['an old Mac', '\r'],
  ])('can have the line ends of %s', async (_, lineEnd) => {
    const lines = ['operations:', '- set:', '    create_missing: true', '    values:', '      A: x', '      B: y', ''];
    write('change.yaml', lines.join(lineEnd));
    expect((await shop.strata.run(['apply', '--file', 'change.yaml', '--yes'])).code).toBe(0);
    expect(await shop.strata.json(['list'])).toMatchObject([
      { name: 'A', value: 'x' },
      { name: 'B', value: 'y' },
    ]);
  });

  it.each`
    what                 | text                                                   | error
    ${'tags'}            | ${'operations:\n- set: { values: { A: !vault x } }\n'} | ${/change\.yaml:2: .*tag of YAML/}
    ${'two documents'}   | ${'operations: []\n---\noperations: []\n'}             | ${/several YAML documents/}
    ${'endless aliases'} | ${'operations: &a [*a]\n'}                             | ${/change\.yaml/}
  `('is rejected with $what', async ({ text, error }) => {
    write('change.yaml', text);
    const { code, stderr } = await shop.strata.run(['plan', '--file', 'change.yaml']);
    expect([code, stderr]).toEqual([2, expect.stringMatching(error)]);
  });
});

test.each(['constructor', '__proto__', 'toString'])('%s is no parameter before it is created', async (name) => {
  const { code, stdout } = await shop.strata.run(['get', name]);
  expect([code, stdout]).toEqual([4, '']);
});
