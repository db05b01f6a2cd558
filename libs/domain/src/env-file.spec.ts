import util from 'node:util';
import { parse as parseWithDotenvx } from '@dotenvx/dotenvx';
import { parse as parseWithDotenv } from 'dotenv';
import fc from 'fast-check';
import { parseDotenv } from './dotenv.ts';
import { DOTENV_READERS, type DotenvReader, exportFile, namesThatCollide, writeEnvFile } from './env-file.ts';
import { anyCharacter } from './testing/any-character.ts';
import { MISREAD_TEXTS } from './testing/misread-texts.ts';

type Read = (source: string) => Readonly<Record<string, string | undefined>>;

const READERS: Readonly<Record<string, Read>> = {
  dotenv: (source) => parseWithDotenv(source),
  node: (source) => util.parseEnv(source),
  dotenvx: (source) => parseWithDotenvx(source, { processEnv: {} }),
  strata: (source) => Object.fromEntries(parseDotenv(source).entries.map(({ name, text }) => [name, text])),
};
const PAIRS = Object.keys(READERS).flatMap((program): [string, DotenvReader][] => {
  const reader = DOTENV_READERS.find((candidate) => candidate === program);
  return reader
    ? [
        [program, 'all'],
        [program, reader],
      ]
    : [[program, 'all']];
});

const special = fc.constantFrom(...'\'"\\$`#{}()= \n\r\tabn');
const text = fc.oneof(
  fc.constantFrom(...MISREAD_TEXTS),
  fc.string({ unit: special, maxLength: 12 }),
  fc.string({ unit: anyCharacter, maxLength: 12 }),
);

test.each(PAIRS)('%s reads the file for %s back exactly', (program, reader) => {
  fc.assert(
    fc.property(fc.array(text, { maxLength: 4 }), (texts) => {
      const variables = texts.map((text, index) => ({ name: `NAME_${index}`, text }));
      const { body, unwritable } = writeEnvFile(variables, 'dotenv', { reader });
      const expected = variables.filter(({ name }) => !unwritable.includes(name));
      expect({ ...READERS[program]?.(body) }).toEqual(
        Object.fromEntries(expected.map(({ name, text }) => [name, text])),
      );
    }),
    { numRuns: 500 },
  );
});

test.each(['say "hi"', 'back\\slash', 'a$b $(id)', "it's", 'a`id`', 'a #b', 'first\nsecond', '', '{"a": "b\\n"}'])(
  'all readers can read %j',
  (text) => {
    expect(writeEnvFile([{ name: 'A', text }], 'dotenv').unwritable).toEqual([]);
  },
);

test('names variables that no form represents, and leaves them out', () => {
  const variables = ['"\'', 'a\\', '\\\\host', '\x24{HOME}', 'a\rb', 'plain'].map((text, index) => ({
    name: `N${index}`,
    text,
  }));
  expect(writeEnvFile(variables, 'dotenv')).toEqual({
    body: "N5='plain'\n",
    unwritable: ['N0', 'N1', 'N2', 'N3', 'N4'],
  });
  expect(writeEnvFile(variables, 'dotenv', { reader: 'sh' }).unwritable).toEqual([]);
  expect(writeEnvFile([{ name: 'A', text: 'b\nC=1' }], 'docker')).toEqual({ body: '', unwritable: ['A'] });
});

test('finds names that differ only in case', () => {
  expect(namesThatCollide(['port', 'HOST', 'Port', 'PORT', 'host2'])).toEqual([['port', 'Port', 'PORT']]);
});

test('exports every parameter that the format represents, and lists the others by reason', () => {
  const values = { 'two words': 'x', port: '1', PORT: '2', lines: 'a\nb', carriage: 'a\rb', Host: 'h', none: null };
  const omitted = { invalid: ['two words'], colliding: ['port', 'PORT'] };
  expect(exportFile(values, 'dotenv')).toEqual({
    body: "HOST='h'\nLINES='a\nb'\nNONE=''\n",
    omitted: { ...omitted, unwritable: ['carriage'] },
  });
  expect(exportFile(values, 'docker')).toEqual({
    body: 'HOST=h\nNONE=\n',
    omitted: { ...omitted, unwritable: ['carriage', 'lines'] },
  });
  expect(exportFile(values, 'shell')).toEqual({
    body: "export CARRIAGE='a\rb'\nexport HOST=h\nexport LINES='a\nb'\nexport NONE=''\n",
    omitted: { ...omitted, unwritable: [] },
  });
});

test('exports a selection of parameters whose names collide only with others', () => {
  expect(exportFile({ port: '1' }, 'dotenv')).toEqual({
    body: "PORT='1'\n",
    omitted: { invalid: [], colliding: [], unwritable: [] },
  });
});
