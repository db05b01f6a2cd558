import { longFunctions } from './function-length.ts';

const lines = (count: number, line: string) => Array.from({ length: count }, () => line).join('\n');

describe('the check of function length', () => {
  it.each`
    what                         | content
    ${'a function'}              | ${`function Long() {\n${lines(69, 'run();')}\n}`}
    ${'a component'}             | ${`function Long() {\nreturn (\n<ul>\n${lines(65, '<li>text</li>')}\n</ul>\n);\n}`}
    ${'a hook in a constant'}    | ${`const Long = () => {\n${lines(69, 'run();')}\n};`}
    ${'a method'}                | ${`class A {\nLong() {\n${lines(69, 'run();')}\n}\n}`}
    ${'a function of an object'} | ${`const a = {\nLong: () => {\n${lines(69, 'run();')}\n},\n};`}
  `('reports $what of 71 lines', ({ content }) => {
    expect(longFunctions('a.tsx', content)).toEqual([expect.objectContaining({ name: 'Long', lines: 71 })]);
  });

  it.each`
    what                         | content
    ${'a component of 70 lines'} | ${`function A() {\nreturn (\n<ul>\n${lines(64, '<li>text</li>')}\n</ul>\n);\n}`}
    ${'a long file'}             | ${lines(40, 'function a() {\nrun();\n}')}
    ${'a text of 100 lines'}     | ${`const sql = (table: string) => \`\n${lines(100, 'select')}\nfrom \${table}\`;`}
  `('accepts $what', ({ content }) => {
    expect(longFunctions('a.tsx', content)).toEqual([]);
  });
});
