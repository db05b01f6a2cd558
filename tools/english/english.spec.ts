import { findBrokenRules } from './check.ts';
import { COMMENT_RULES, LANGUAGE_RULES } from './rules.ts';

describe('the language check', () => {
  it.each(LANGUAGE_RULES.map((rule) => [rule.name, rule] as const))(
    'rejects a sentence that breaks the rule %s',
    (_, rule) => {
      const named = (text: string) => findBrokenRules('README.md', text).map((broken) => broken.rule.name);
      expect(named(rule.breaks)).toContain(rule.name);
      expect(named(rule.keeps)).toEqual([]);
    },
  );

  it.each(COMMENT_RULES.map((rule) => [rule.name, rule] as const))(
    'rejects a sentence that breaks the rule %s',
    (_, rule) => {
      const named = (text: string) => findBrokenRules('libs/a.ts', `/** ${text} */`).map((broken) => broken.rule.name);
      expect(named(rule.breaks)).toContain(rule.name);
      expect(named(rule.keeps)).toEqual([]);
    },
  );

  it.each`
    where                        | file                           | content
    ${'a document'}              | ${'README.md'}                 | ${'# Title\n\nIt is told nobody.'}
    ${'a list of a document'}    | ${'README.md'}                 | ${'# Title\n\n- It is told.'}
    ${'a line comment'}          | ${'apps/core/src/a.ts'}        | ${'const a = 1;\n\n// It is told.'}
    ${'a block comment'}         | ${'libs/domain/src/a.ts'}      | ${'\n\n/**\n * It is told.\n */'}
    ${'the name of a test'}      | ${'libs/domain/src/a.spec.ts'} | ${"\n\nit('is told', () => {});"}
    ${'the name of a table'}     | ${'libs/domain/src/a.spec.ts'} | ${"\n\nit.each(['b'])('is told %s', () => {});"}
    ${'text between tags'}       | ${'apps/console/src/a.tsx'}    | ${'\n\nconst a = <p>It is told.</p>;'}
    ${'a string of the console'} | ${'apps/console/src/a.tsx'}    | ${"\n\nconst a = 'It is told';"}
  `('reads $where and reports its line', ({ file, content }) => {
    const broken = findBrokenRules(file, content).filter(({ rule }) => rule.name === 'told');
    expect(broken).toEqual([expect.objectContaining({ line: 3, match: 'told' })]);
  });

  it.each`
    what                      | file                    | content
    ${'code'}                 | ${'apps/core/src/a.ts'} | ${"const told = 'told';"}
    ${'a code block'}         | ${'README.md'}          | ${'```\ntold\n```'}
    ${'a code span'}          | ${'README.md'}          | ${'Send `told`.'}
    ${'the target of a link'} | ${'README.md'}          | ${'See [here](#told).'}
    ${'a question'}           | ${'README.md'}          | ${'Who may write?'}
    ${'a code span'}          | ${'apps/core/src/a.ts'} | ${'/** Returns `told`. */'}
  `('does not read $what', ({ file, content }) => {
    expect(findBrokenRules(file, content)).toEqual([]);
  });
});
