import { DECODERS, findDecodings } from './text-decoding.ts';

describe('the check of decoders', () => {
  it.each(DECODERS)('reports $example', ({ example }) => {
    const file = 'apps/cli/src/core/new-file.ts';
    expect(findDecodings(file, `const first = 1;\n${example};\n`)).toEqual([{ file, line: 2 }]);
    expect(findDecodings('libs/processes/src/postmaster.ts', example)).toEqual([]);
  });

  it('accepts bytes, and other kinds of text', () => {
    const content =
      "fs.readFileSync(file);\nresponse.text();\ncount.toString();\nimport { buffer } from 'node:stream/consumers';";
    expect(findDecodings('apps/cli/src/core/new-file.ts', content)).toEqual([]);
  });
});
