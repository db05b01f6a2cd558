import type { BaseType } from '@strata/domain';
import { type CurrentCell, type ExistingName, importLines, listImportedValues } from './import-lines.ts';
import { createSource, splitParts } from './import-sources.ts';
import { inferImportedTypes } from './new-parameters.ts';

const ENVIRONMENTS = ['default', 'staging', 'production'];

const CELL: CurrentCell = {
  states: ['inherited'],
  text: null,
  ledgerId: null,
};
const ownCell = (text: string): CurrentCell => ({
  ...CELL,
  states: ['own'],
  text,
  ledgerId: 'l',
});

const target = (cells: Readonly<Record<string, CurrentCell>>, more: Partial<ExistingName> = {}): ExistingName => ({
  secret: false,
  isOwn: true,
  cells: new Map(Object.entries(cells)),
  ...more,
});

const TARGETS = new Map([
  ['SAME', target({ staging: ownCell('1'), production: { ...CELL, text: '1' } })],
  [
    'TOKEN',
    target({ staging: { ...CELL, states: ['own', 'secret'], text: '*****', ledgerId: 's' } }, { secret: true }),
  ],
  ['SHARED', target({ staging: { ...CELL, text: '1' } }, { isOwn: false })],
]);

function imported(files: Readonly<Record<string, string>>, chosen: readonly (readonly [string, BaseType])[] = []) {
  const sources = Object.entries(files).map(([name, text]) => createSource({ name, text }, ENVIRONMENTS));
  const parts = splitParts(sources, { separator: '_', environments: ENVIRONMENTS, structured: null });
  const lines = importLines(parts, { targets: TARGETS, secrets: new Set(['NEW_KEY']) });
  const effects = lines.map((partLines) => partLines.map(({ line, effect }) => `${line.name} ${effect}`));
  const types = new Map([...inferImportedTypes(lines), ...chosen]);
  return { effects, types, set: listImportedValues(parts, lines, types) };
}

describe('the result of an import', () => {
  it('gives new parameters the type of their texts in all files, or the chosen one', () => {
    const files = {
      'staging.env': 'SHARED=3\nNEW_KEY=1\nPORT=many\nPORT=80\nDEBUG=true\nID=7\nCODE=5\n',
      'production.env': 'PORT=443\nID=07\n',
    };
    const { types, set } = imported(files, [['CODE', 'string']]);

    expect(Object.fromEntries(types)).toEqual({ PORT: 'integer', DEBUG: 'boolean', CODE: 'string' });
    const typesByName = set.map(({ values }) =>
      Object.entries(values as Record<string, { type?: string }>).map(([name, { type = '' }]) => `${name} ${type}`),
    );
    expect(typesByName).toEqual([
      ['SHARED ', 'NEW_KEY ', 'PORT integer', 'DEBUG boolean', 'ID ', 'CODE string'],
      ['PORT integer', 'ID '],
    ]);
  });

  it('is reported for each line, and equal values are not stored', () => {
    const { effects, set } = imported({ 'staging.env': 'SAME=1\nTOKEN=t\nSHARED=2\nNEW_KEY=a\nNEW=b\nNEW=c\n' });

    expect(effects).toEqual([['SAME same', 'TOKEN secret', 'SHARED set', 'NEW_KEY new', 'NEW replaced', 'NEW new']]);
    expect(set).toEqual([
      {
        at: 0,
        environment: 'staging',
        values: {
          TOKEN: { value: 't', secret: true, if_match: 's' },
          SHARED: { value: '2', if_none_match: '*' },
          NEW_KEY: { value: 'a', secret: true, if_none_match: '*' },
          NEW: { value: 'c', secret: false, if_none_match: '*' },
        },
      },
    ]);
  });

  it('stores a value equal to the inherited one if another line would change the inherited value', () => {
    expect(imported({ 'production.env': 'SAME=1\n' }).effects).toEqual([['SAME same']]);
    expect(imported({ 'production.env': 'SAME=1\n', 'staging.env': 'SAME=2\n' }).effects).toEqual([
      ['SAME set'],
      ['SAME changed'],
    ]);
  });

  it('uses the later one of two files for the same environment', () => {
    const { effects, set } = imported({ 'a.staging.env': 'NEW=1\n', 'b.staging.env': 'NEW=2\n' });

    expect(effects).toEqual([['NEW replaced'], ['NEW new']]);
    expect(set.map(({ at }) => at)).toEqual([1]);
  });
});

describe('an uploaded file', () => {
  it.each`
    name                        | text               | format      | environment
    ${'.env'}                   | ${'A=1'}           | ${'dotenv'} | ${'default'}
    ${'.env.production'}        | ${'A=1'}           | ${'dotenv'} | ${'production'}
    ${'staging.yaml'}           | ${'A: 1'}          | ${'YAML'}   | ${'staging'}
    ${'web.Staging.json'}       | ${'{}'}            | ${'JSON'}   | ${'staging'}
    ${'pre-production.env'}     | ${'A=1'}           | ${'dotenv'} | ${''}
    ${'my_production.yaml'}     | ${'A: 1'}          | ${'YAML'}   | ${''}
    ${'staging.production.env'} | ${'A=1'}           | ${'dotenv'} | ${''}
    ${null}                     | ${' {"A": 1}'}     | ${'JSON'}   | ${'default'}
    ${null}                     | ${'# x\nA: http'}  | ${'YAML'}   | ${'default'}
    ${null}                     | ${'A=http://x'}    | ${'dotenv'} | ${'default'}
    ${'notes.txt'}              | ${'export A=b: c'} | ${'dotenv'} | ${''}
  `('named $name with $text is read as $format for $environment', ({ name, text, format, environment }) => {
    expect(createSource({ name, text }, ENVIRONMENTS)).toMatchObject({ format, environment });
  });
});
