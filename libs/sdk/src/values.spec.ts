import { inspect } from 'node:util';
import { Config } from './config.ts';
import { StrataError } from './strata-error.ts';
import { type ConfigText, Values } from './values.ts';

const TEXTS: Readonly<Record<string, ConfigText>> = {
  HOST: 'db.example.com',
  PORT: '5432',
  RATE: '-0.5e3',
  HUGE: '9007199254740993',
  DEBUG: 'Yes',
  QUIET: 'off',
  RULES: '{"a":[1]}',
  EMPTY: '',
  NOTHING: null,
  PASSWORD: undefined,
  STARS: '*****',
};
const selection = { url: '', project: 'shop', environment: 'production', names: null, reveal: false };
const values = new Values({ texts: new Map(Object.entries(TEXTS)), revision: 7, digest: 'sha256:1' }, selection);

function catchError(read: () => unknown): StrataError {
  try {
    read();
  } catch (error) {
    if (error instanceof StrataError) return error;
  }
  throw new Error('No StrataError was thrown.');
}

test.each`
  read                                      | value
  ${() => values.string('HOST')}            | ${'db.example.com'}
  ${() => values.string('EMPTY')}           | ${''}
  ${() => values.string('STARS')}           | ${'*****'}
  ${() => values.number('PORT')}            | ${5432}
  ${() => values.number('RATE')}            | ${-500}
  ${() => values.boolean('DEBUG')}          | ${true}
  ${() => values.boolean('QUIET')}          | ${false}
  ${() => values.json('RULES')}             | ${{ a: [1] }}
  ${() => values.string('NONE', 'x')}       | ${'x'}
  ${() => values.number('NOTHING', 1)}      | ${1}
  ${() => values.string('NONE', undefined)} | ${undefined}
  ${() => values.has('PASSWORD')}           | ${true}
  ${() => values.has('NOTHING')}            | ${false}
  ${() => values.has('NONE')}               | ${false}
`('$read returns $value', ({ read, value }: { read: () => unknown; value: unknown }) => {
  expect(read()).toEqual(value);
});

test.each`
  read                                   | code         | problem
  ${() => values.string('NONE')}         | ${'missing'} | ${'has no value'}
  ${() => values.string('NOTHING')}      | ${'missing'} | ${'has no value'}
  ${() => values.string('PASSWORD')}     | ${'masked'}  | ${'is a masked secret. Connect with `reveal: true` to read it'}
  ${() => values.string('PASSWORD', '')} | ${'masked'}  | ${'is a masked secret. Connect with `reveal: true` to read it'}
  ${() => values.number('HOST')}         | ${'invalid'} | ${'is not a number that JavaScript can represent'}
  ${() => values.number('HUGE')}         | ${'invalid'} | ${'is not a number that JavaScript can represent'}
  ${() => values.number('EMPTY')}        | ${'invalid'} | ${'is not a number that JavaScript can represent'}
  ${() => values.number('HOST', 1)}      | ${'invalid'} | ${'is not a number that JavaScript can represent'}
  ${() => values.boolean('PORT')}        | ${'invalid'} | ${'is not true or false'}
  ${() => values.json('HOST')}           | ${'invalid'} | ${'is not JSON'}
`('$read throws "$code", names the parameter and quotes no value', ({ read, code, problem }) => {
  const error = catchError(read);
  const parameter = error.parameter ?? '';
  expect(error.code).toBe(code);
  expect(error.message).toBe(`Parameter "${parameter}" of project "shop" in environment "production" ${problem}.`);
});

test('names lists every parameter, and all leaves out masked secrets', () => {
  expect(values.names()).toEqual(Object.keys(TEXTS).sort());
  expect(values.all()).toEqual(Object.fromEntries(Object.entries(TEXTS).filter(([, text]) => text !== undefined)));
});

test('a configuration that a program logs shows no values', () => {
  const handlers = { close: async () => undefined, onError: () => undefined };
  const state = { texts: new Map([['PASSWORD', 'canary']]), revision: 7, digest: 'sha256:1' };
  const config = new Config(state, selection, 0, handlers);
  const shownTexts = [config, new Values(state, selection)].map(
    (printed) => `${inspect(printed, { depth: 9, showHidden: true })}${JSON.stringify(printed)}`,
  );
  expect(config.string('PASSWORD')).toBe('canary');
  expect(shownTexts.join()).not.toMatch(/canary/);
});
