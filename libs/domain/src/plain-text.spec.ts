import fc from 'fast-check';
import { fillPlainText, listPaths, plainText, type TextScope } from './plain-text.ts';

const SCOPE: TextScope = {
  project: 'web',
  environment: 'production',
  self: 't',
  parameters: new Map<string, string | null>([
    ['host', 'h'],
    ['a b', 'A'],
    ['none', null],
  ]),
  templates: new Map([['t2', 'T2']]),
  projects: new Map([['base', { parameters: new Map([['p', 'P']]), templates: new Map([['q', 'Q']]) }]]),
};

describe('plainText', () => {
  it.each([
    ['', ''],
    ['no names } {% '.slice(0, 9), 'no names '],
    ['{{ host }}:{{host}}\n', 'h:h\n'],
    ['{{ none }}|', '|'],
    ['{{ cloudtruth.parameters["a b"] }}{{ strata["parameters"].host }}', 'Ah'],
    ['{{strata.project}} {{strata.environment}} {{cloudtruth.self}}', 'web production t'],
    ['{{ cloudtruth.templates.t2 }}{{ cloudtruth.projects.base.parameters.p }}', 'T2P'],
    ["{{ cloudtruth.projects['base'].templates['q'] }}", 'Q'],
  ])('fills %j', (text, expected) => {
    const parts = plainText(text);
    expect(parts && fillPlainText(parts, SCOPE, 100)).toBe(expected);
  });

  it.each([
    '{% if a %}{% endif %}',
    '{{ a | upcase }}',
    '{{- a }}',
    '{{ a -}}',
    '{{ a- }}',
    '{{ nil }}',
    '{{ "literal" }}',
    '{{ a.b }}',
    '{{ a[0] }}',
    '{{ cloudtruth }}',
    '{{ cloudtruth.parameters }}',
    '{{ cloudtruth.parameters.a.size }}',
    '{{ cloudtruth.projects.p.parameters }}',
    '{{ cloudtruth.constructor }}',
    '{{ cloudtruth.__proto__ }}',
    '{{{ a }}}',
    '{{ a',
    '{{}}',
    '{{ 1a }}',
    '{{ üml }}',
    '{{ a b }}',
    '{{ a["{{"] }}',
  ])('returns null for %j, which needs the full language', (text) => {
    expect(plainText(text)).toBeNull();
  });

  it('leaves a text without references unchanged, and finds every reference in other texts', () => {
    const literal = fc.stringMatching(/^[ -z|\n\täöü]*$/).filter((text) => !text.includes('{'));
    const name = fc
      .stringMatching(/^[a-z_][a-z0-9_]{0,6}$/)
      .filter((word) => !/^(nil|null|true|false|empty|blank|strata|cloudtruth)$/.test(word));
    fc.assert(
      fc.property(fc.array(fc.tuple(literal, name), { maxLength: 6 }), literal, (pairs, end) => {
        const parts = plainText(`${pairs.map(([text, word]) => `${text}{{ ${word} }}`).join('')}${end}`);
        if (!parts) throw new Error('This is a plain text.');
        expect(listPaths(parts)).toEqual(pairs.map(([, word]) => [word]));
        const parameters = new Map(pairs.map(([, word]) => [word, `<${word}>`]));
        const expected = `${pairs.map(([text, word]) => `${text}<${word}>`).join('')}${end}`;
        expect(fillPlainText(parts, { ...SCOPE, parameters }, 1_000_000)).toBe(expected);
      }),
    );
  });

  it('stops before the result exceeds the maximum length', () => {
    const parts = plainText('{{ host }}'.repeat(20_000)) ?? [];
    const parameters = new Map([['host', 'x'.repeat(65_536)]]);
    expect(fillPlainText(parts, { ...SCOPE, parameters }, 1_000_000)).toBeNull();
    expect(fillPlainText(plainText('<{{ host }}>') ?? [], SCOPE, 3)).toBe('<h>');
    expect(fillPlainText(plainText('<{{ host }}>') ?? [], SCOPE, 2)).toBeNull();
  });

  it('takes linear time for malicious texts', () => {
    for (const text of [
      '{{'.repeat(50_000),
      `{{ a${'.a'.repeat(50_000)}`,
      `{{ ${'a'.repeat(100_000)}-`,
      `{{ a${'["x"]'.repeat(20_000)} !`,
    ]) {
      const begun = performance.now();
      expect(plainText(text)).toBeNull();
      expect(performance.now() - begun).toBeLessThan(5_000);
    }
  });
});
