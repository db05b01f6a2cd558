import { describeUnexpectedMatches, sentenceFragments, sentenceMatches } from './error-sentences.ts';

/** Returns code with an expression for each `<name>`. */
const withExpressions = (code: string) => code.replace(/<(.+?)>/g, '$$\u007b$1\u007d');

const FRAGMENTS = sentenceFragments(
  'core.ts',
  withExpressions(
    [
      'const tag = sentence`There is no tag <{ tag }> in environment <{ environment }>.`;',
      "section('Rejected operations', lines, plan.refusals, 1);",
      'const missing = `No <thing> matches the given query.`;',
    ].join('\n'),
  ),
);

describe('the check of sentences', () => {
  it.each`
    what                                | content
    ${'a part of a message'}            | ${"if (error.message.includes('gone')) return;"}
    ${'a pattern of a message'}         | ${'if (/gone/.test(error.message)) return;'}
    ${'a pattern of a detail'}          | ${'const [, name] = /^(\\w+): /.exec(problem.detail) ?? [];'}
    ${'a changed message'}              | ${"const text = message.replace(/^Error: /, '');"}
    ${'an equal message'}               | ${"if (failure.message === 'Not found.') return;"}
    ${'a switch'}                       | ${"switch (error.message) { case 'Not found.': stop(); }"}
    ${'a message in a template'}        | ${'if (NO_TLS.test(`<code> <message>`)) return;'}
    ${'a title of a plan'}              | ${'const isRejected = /^Rejected operations: /m.test(text);'}
    ${'a sentence in a constant'}       | ${'const TAG = /There is no tag (.+)/;\nTAG.exec(text);'}
    ${'a sentence of a missing object'} | ${"if (body.includes('matches the given query')) return;"}
  `('reports $what', ({ content }) => {
    expect(sentenceMatches('a.ts', withExpressions(content), FRAGMENTS)).toHaveLength(1);
  });

  it.each`
    what                         | content
    ${'a code'}                  | ${"if (error.code === 'not_found') return;"}
    ${'params'}                  | ${"if (error.params.object === 'Project') return;"}
    ${'a message of a stream'}   | ${"if (message.kind === 'close') return;"}
    ${'a missing message'}       | ${"if (error.message === '') return;"}
    ${'a message that is shown'} | ${'print(error.message);'}
    ${'another text'}            | ${"if (text.includes('{{')) return;"}
  `('accepts $what', ({ content }) => {
    expect(sentenceMatches('a.ts', content, FRAGMENTS)).toEqual([]);
  });

  it('reports a planted match, a removed one and a file that does not exist', () => {
    const planted = "if (error.message.startsWith('No')) return;";
    const files = new Map([
      ['new.ts', planted],
      ['old.ts', 'return 1;'],
      ['same.ts', planted],
    ]);
    const accepted = { 'old.ts': [1, 'x'], 'same.ts': [1, 'x'], 'gone.ts': [1, 'x'] } as const;
    expect(describeUnexpectedMatches(files, FRAGMENTS, accepted)).toEqual([
      expect.stringContaining('new.ts:1 error.message.startsWith'),
      expect.stringContaining('old.ts matches sentences 0 times, expected 1'),
      expect.stringContaining('gone.ts does not exist'),
    ]);
  });
});
