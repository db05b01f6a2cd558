import fc from 'fast-check';
import { parseDotenv } from './dotenv.ts';
import { buildExport } from './export.ts';

const texts = (source: string) => Object.fromEntries(parseDotenv(source).entries.map(({ name, text }) => [name, text]));

describe('parseDotenv', () => {
  it.each`
    source                        | found
    ${'A=1'}                      | ${{ A: '1' }}
    ${'A='}                       | ${{ A: '' }}
    ${'A=""'}                     | ${{ A: '' }}
    ${"A=''\r\nB=2\r\n"}          | ${{ A: '', B: '2' }}
    ${'secret_2=x'}               | ${{ secret_2: 'x' }}
    ${'A=\'say "hi"\''}           | ${{ A: 'say "hi"' }}
    ${'A="say \\"hi\\""'}         | ${{ A: 'say "hi"' }}
    ${"A='no \\n escape'"}        | ${{ A: 'no \\n escape' }}
    ${'A="one\\ntwo"'}            | ${{ A: 'one\ntwo' }}
    ${'A="one\ntwo"\nB=3'}        | ${{ A: 'one\ntwo', B: '3' }}
    ${"A='one\n\n# two'\nB=3"}    | ${{ A: 'one\n\n# two', B: '3' }}
    ${'\n\n# nothing\n  A=1  \n'} | ${{ A: '1' }}
    ${'export A=1'}               | ${{ A: '1' }}
    ${'A=pass#word'}              | ${{ A: 'pass#word' }}
    ${'A=1 # one'}                | ${{ A: '1' }}
    ${'A= # none'}                | ${{ A: '' }}
    ${'A="1" # one'}              | ${{ A: '1' }}
    ${'A=b=c'}                    | ${{ A: 'b=c' }}
    ${'A=1\rB=2\r# c\rC=3\r'}     | ${{ A: '1', B: '2', C: '3' }}
    ${"A=1\r\nB='x\ry'\nC=3"}     | ${{ A: '1', B: 'x\ry', C: '3' }}
    ${'A=1\nA=2'}                 | ${{ A: '2' }}
    ${'A=it"s'}                   | ${{ A: 'it"s' }}
    ${'a.b/c d=1'}                | ${{ 'a.b/c d': '1' }}
    ${''}                         | ${{}}
  `('parses $source', ({ source, found }) => {
    expect(texts(source)).toEqual(found);
    expect(parseDotenv(source).problems).toEqual([]);
  });

  it('reports each assignment with its line, including overridden ones', () => {
    const { entries, assignments } = parseDotenv('# first\nA="1\n2"\n\nB=3\nA=4');

    expect(assignments).toEqual([
      { name: 'A', text: '1\n2', line: 2 },
      { name: 'B', text: '3', line: 5 },
      { name: 'A', text: '4', line: 6 },
    ]);
    expect(entries).toEqual([
      { name: 'A', text: '4' },
      { name: 'B', text: '3' },
    ]);
  });

  it('stops one name after the maximum', () => {
    const source = 'A=1\nA=2\nB=3\nC=4\nD=5';
    expect(parseDotenv(source, 3).entries.map(({ name }) => name)).toEqual(['A', 'B', 'C', 'D']);
    expect(parseDotenv(source, 2).entries.map(({ name }) => name)).toEqual(['A', 'B', 'C']);
    expect(parseDotenv(source, 4).entries).toHaveLength(4);
  });

  it.each`
    source             | line
    ${'A=1\nnonsense'} | ${2}
    ${'=1'}            | ${1}
    ${"A='open"}       | ${1}
    ${'A="x" y'}       | ${1}
  `('rejects $source at line $line without quoting it', ({ source, line }) => {
    const { problems } = parseDotenv(source);

    expect(problems).toEqual([{ line, message: expect.any(String) }]);
    expect(problems[0]?.message).not.toContain('open');
  });

  it('takes linear time for any text', () => {
    for (const unit of [' ', '#', '=', 'a ', ' #', '\\', '"', "'", 'export ']) {
      const long = unit.repeat(200_000 / unit.length);
      parseDotenv(`a${long}`);
      parseDotenv(`A=${long}`);
      parseDotenv(`A="${long}`);
    }
  });

  it('parses everything that our export writes', () => {
    const line = fc.record({
      name: fc.stringMatching(/^[A-Z_][A-Z0-9_]{0,8}$/),
      text: fc.string({ unit: 'grapheme' }),
    });
    fc.assert(
      fc.property(fc.uniqueArray(line, { selector: ({ name }) => name }), (lines) => {
        const { entries, problems } = parseDotenv(buildExport(lines, 'dotenv'));
        expect(problems).toEqual([]);
        expect(entries).toEqual(lines.map(({ name, text }) => ({ name, text })));
      }),
    );
  });
});
