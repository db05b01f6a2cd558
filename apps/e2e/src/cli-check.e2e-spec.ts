import fs from 'node:fs';
import path from 'node:path';
import type { ParameterType, Value } from '@strata/contract';
import { type RunningCore, sharedCore, type TestOrganization } from '@strata/testkit';
import { type CommandLine, CommandLineShop } from './command-line.ts';

const CANARY = 'canary-c2e8';

let core: RunningCore;
let shop: CommandLineShop;
let organization: TestOrganization;
let strata: CommandLine;

beforeAll(async () => {
  core = await sharedCore();
});
beforeEach(async () => {
  shop = await CommandLineShop.create(core, 'VIEWER', 'production');
  ({ organization, strata } = shop);
  await shop.set('PORT', '8080');
  await shop.set('PASSWORD', CANARY, true);
});
afterEach(() => strata.remove());

const write = (name: string, text: string) => fs.writeFileSync(path.join(strata.home, name), text);
const parseRows = (stdout: string) =>
  stdout
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => line.split(/ {2,}/));

async function set(name: string, environment: string, text: string | null): Promise<Value> {
  const parameter = await organization.parameter({ project: shop.project, name });
  return organization.value({
    parameter,
    environment: await organization.environmentNamed(environment),
    internal_value: text,
  });
}

test('check succeeds if every name has a value', async () => {
  expect(await strata.run(['check', 'PORT', 'PASSWORD', '-e', 'production', '-e', 'staging'])).toEqual({
    ...{ code: 0, stdout: '', stderr: 'Checked 2 names in 2 environments: there are no problems.\n' },
  });
});

test('check lists names that are missing or null, by environment, and exits with 7', async () => {
  await set('HOST', 'production', null);
  await set('REGION', 'staging', 'eu');
  write('.env.example', '# Comment\nPORT=1\nexport REGION="x" # why\nHOST=\n');
  const args = ['check', 'PROT', '--from', '.env.example', '-e', 'production', '-e', 'staging'];
  const { code, stdout, stderr } = await strata.run(args);
  expect([code, parseRows(stdout), stderr]).toEqual([
    7,
    [
      ['production', 'HOST', 'The value is an explicit null.'],
      ['production', 'PROT', 'The project has no such parameter. Similar: PORT.'],
      ['production', 'REGION', 'There is no value.'],
      ['staging', 'HOST', 'There is no value.'],
      ['staging', 'PROT', 'The project has no such parameter. Similar: PORT.'],
    ],
    expect.stringContaining('Checked 4 names in 2 environments: 5 problems.'),
  ]);
  const json = await strata.run([...args, '--json']);
  expect([json.code, JSON.parse(json.stdout)]).toMatchObject([
    7,
    {
      environments: ['production', 'staging'],
      names: ['HOST', 'PORT', 'PROT', 'REGION'],
      problems: [{ environment: 'production', name: 'HOST', reason: 'null' }, {}, { reason: 'missing' }, {}, {}],
    },
  ]);
});

test('check lists values that cannot be evaluated', async () => {
  const long = await set('LONG', 'default', 'x');
  const parameter = await organization.parameter({ project: shop.project, name: 'BROKEN' });
  await organization.value({ parameter, internal_value: '{{ LONG }}'.repeat(17), interpolated: true });
  await organization.owner.patch(long.url, { internal_value: 'x'.repeat(65_000) });
  const { code, stdout } = await strata.run(['check', 'PORT', 'BROKEN']);
  expect([code, parseRows(stdout)]).toEqual([7, [['production', 'BROKEN', expect.any(String)]]]);
});

test('check lists inherited values that violate the type or the rules of the parameter that overrides theirs', async () => {
  const { owner } = organization;
  const base = await organization.project({ name: 'base' });
  await owner.patch(shop.project.url, { depends_on: base.url });
  const environment = await organization.environmentNamed('production');
  const add = async (name: string, type: string, text: string, rule?: object) => {
    const inherited = await organization.parameter({ project: base, name });
    await organization.value({ parameter: inherited, environment, internal_value: text });
    const ownParameter = await organization.parameter({ project: shop.project, name, type });
    if (rule) await owner.post(`${ownParameter.url}rules/`, rule);
  };
  await add('LIMIT', 'integer', 'many');
  await add('LEVEL', 'string', 'verbose', { type: 'regex', constraint: '(?i)(debug|info)$' });
  const { code, stdout } = await strata.run(['check', 'LIMIT', 'LEVEL']);
  expect([code, parseRows(stdout)]).toEqual([
    7,
    [
      ['production', 'LEVEL', expect.stringContaining('must match the pattern')],
      ['production', 'LIMIT', expect.stringContaining('not of type integer')],
    ],
  ]);
  expect(stdout).not.toMatch(/many|verbose/);
});

test('check compares values and types with a generated schema', async () => {
  const { owner } = organization;
  const types = (await owner.get<{ results: ParameterType[] }>('types/?name=integer')).body;
  await owner.post('types/', { name: 'port', parent: types.results[0]?.url });
  const limit = await organization.parameter({ project: shop.project, name: 'LIMIT', type: 'port' });
  const { url } = await organization.value({ parameter: limit, internal_value: '10' });
  await set('OPTIONAL', 'staging', 'x');
  await strata.run(['generate', 'types', '--language', 'json-schema', '-o', 'schema.json']);
  const run = () => strata.run(['check', '--from', 'schema.json']);
  expect((await run()).code).toBe(0);

  await owner.patch(limit.url, { type: 'string' });
  expect(parseRows((await run()).stdout)).toEqual([
    ['production', 'LIMIT', 'The type is string, and the schema expects integer.'],
  ]);
  await owner.patch(url, { internal_value: 'x' });
  expect(parseRows((await run()).stdout)).toContainEqual([
    ...['production', 'LIMIT', 'The schema rejects the value: it must match the pattern.'],
  ]);
});

test('check validates secrets only with --reveal, and never prints them', async () => {
  write('schema.json', JSON.stringify({ properties: { PASSWORD: { pattern: '^[0-9]+$', maxLength: 5 } } }));
  expect((await strata.run(['check', '--from', 'schema.json'])).code).toBe(0);
  const { code, stdout, stderr } = await strata.run(['check', '--from', 'schema.json', '--reveal']);
  expect([code, parseRows(stdout)]).toEqual([
    7,
    [
      ['production', 'PASSWORD', 'The schema rejects the value: it must NOT have more than 5 characters.'],
      ['production', 'PASSWORD', 'The schema rejects the value: it must match the pattern.'],
    ],
  ]);
  const json = await strata.run(['check', '--from', 'schema.json', '--reveal', '--json']);
  expect(`${stdout}${stderr}${json.stdout}${json.stderr}`).not.toContain(CANARY);
});

test('check reports environments that it cannot check', async () => {
  const { url } = await organization.environmentNamed('staging');
  await organization.owner.patch(url, { access_controlled: true });
  expect((await strata.run(['check', 'PORT', '-e', 'staging'])).code).toBe(6);
  expect(await strata.run(['check', 'PORT', '--all-environments'])).toEqual({
    ...{ code: 0, stdout: '' },
    stderr: [
      'Not checked, because you have no access: staging.',
      'Checked 1 name in 3 environments: there are no problems.\n',
    ].join('\n'),
  });
  expect((await strata.run(['check', 'PORT', '-e', 'prod'])).code).toBe(4);
});

test.each([
  ['no names', [], 'There are no names to check.'],
  ['a line that is no assignment', ['--from', 'bad.env'], 'see line 2'],
  ['a schema without properties', ['--from', 'empty.json'], 'not a JSON Schema with "properties"'],
  ['a schema that cannot be used', ['--from', 'bad.json'], 'not a JSON Schema that can be used'],
  ['a file that does not exist', ['--from', 'none'], 'cannot be read'],
])('check rejects %s', async (_, args, message) => {
  write('bad.env', 'PORT=1\nnothing\n');
  write('empty.json', '{}');
  write('bad.json', '{"properties": {"PORT": {"pattern": "("}}}');
  const { code, stderr } = await strata.run(['check', ...args]);
  expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
});
