import { monitorEventLoopDelay } from 'node:perf_hooks';
import { collectMentions, fillPlainText, listPaths, plainText, type TextScope } from '@strata/domain';
import fc from 'fast-check';
import { Language, LanguageTimes, OUTPUT_LENGTH_MAX } from './language.ts';

const language = new Language(new LanguageTimes());
afterAll(() => language.onApplicationShutdown());

const SCOPE: TextScope = {
  project: 'web',
  environment: 'production',
  self: 't',
  parameters: new Map<string, string | null>([
    ['host', 'h'],
    ['port', '80'],
    ['none', null],
    ['10', 'ten'],
    ['2', 'two'],
    ['simple space', 's s'],
  ]),
  templates: new Map([['other', 'OTHER']]),
  projects: new Map([['base', { parameters: new Map([['x y', 'X']]), templates: new Map([['b', 'BT']]) }]]),
};

async function rendered(text: string, scope = SCOPE) {
  const [result] = await language.render('o', [{ text, scope }]);
  return result;
}

async function mentions(text: string) {
  const paths = await language.pathsIn('o', text);
  return 'problem' in paths
    ? paths.problem
    : collectMentions(paths).mentions.map(({ name, kind }) => (kind === 'parameters' ? '*' : name));
}

describe('the template language', () => {
  it.each([
    ['plain', 'plain'],
    ['# c // d\n', '# c // d\n'],
    ['{{ host }}:{{port}}\n', 'h:80\n'],
    ['{{ none }}|{{ cloudtruth.project }}|{{ strata.environment }}|{{ cloudtruth.self }}', '|web|production|t'],
    ['{{ cloudtruth.parameters["simple space"] }}{{ strata.templates.other }}', 's sOTHER'],
    ["{{ cloudtruth.projects.base.parameters['x y'] }}{{ cloudtruth.projects.base.templates.b }}", 'XBT'],
    ['{{ host | upcase | append: "!" }}', 'H!'],
    ['{%- if host == "h" -%} yes {%- else -%} no {%- endif -%}', 'yes'],
    ['{% if none %}set{% else %}unset{% endif %}', 'unset'],
    [
      '{% for p in cloudtruth.parameters %}{{ p[0] }}={{ p[1] }};{% endfor %}',
      'host=h;port=80;none=;10=ten;2=two;simple space=s s;',
    ],
    ['{% assign x = port | plus: 1 %}{{ x }}', '81'],
    ['{% raw %}{{ host }}{% endraw %}', '{{ host }}'],
    ['{% assign n = "ho" | append: "st" %}{{ cloudtruth.parameters[n] }}', 'h'],
  ])('renders %j', async (text, expected) => {
    expect(await rendered(text)).toBe(expected);
  });

  it.each([
    ['{{ a }} {{ b | append: c }}', ['a', 'b', 'c']],
    ['{% for p in q %}{{ p }}{% endfor %}{% assign x = y %}{{ x }}', ['q', 'y']],
    ['{% for p in cloudtruth.parameters %}{{ p[0] }}{% endfor %}', ['*']],
    ['{{ cloudtruth.parameters["a b"] }}{% if cloudtruth.templates.t contains d %}{% endif %}', ['a b', 't', 'd']],
    ['{{ strata.environment }}{% raw %}{{ z }}{% endraw %}{% comment %}{{ z }}{% endcomment %}', []],
  ])('finds the names that %j refers to', async (text, expected) => {
    expect(await mentions(text)).toEqual(expected);
  });

  it('has the same result in the main thread as with the full engine', async () => {
    const name = fc.constantFrom('host', 'port', 'none');
    const piece = fc.oneof(
      name.map((n) => `{{ ${n} }}`),
      name.map((n) => `{{cloudtruth.parameters.${n}}}`),
      fc.constantFrom(
        '{{ strata["parameters"]["simple space"] }}',
        '{{\n cloudtruth.self}}',
        '{{ strata.projects.base.templates["b"] }}',
      ),
      fc.stringMatching(/^[a-z}% \n"'#/{]{0,5}$/),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join('')),
        async (text) => {
          const parts = plainText(text);
          if (!parts) return;
          // An empty tag makes the full engine render the text.
          const whole = `{% if true %}{% endif %}${text}`;
          expect(await rendered(whole)).toBe(fillPlainText(parts, SCOPE, OUTPUT_LENGTH_MAX));
          const paths = await language.pathsIn('o', whole);
          if ('problem' in paths) throw new Error(paths.problem);
          const named = (collected: ReturnType<typeof collectMentions>) =>
            collected.mentions.map((mention) => JSON.stringify(mention)).sort();
          expect(named(collectMentions(paths))).toEqual(named(collectMentions(listPaths(parts))));
        },
      ),
      { numRuns: 300 },
    );
  });

  it.each([
    '{% include "/etc/passwd" %}',
    '{% render "/etc/passwd" %}',
    '{% layout "/etc/passwd" %}',
    '{% block a %}{% endblock %}',
    '{{ host | date: "%9999999d" }}',
    '{{ host | where_exp: "x", "x" }}',
    '{{ host | strip_html }}',
    '{{ host | sample }}',
    '{{ host',
    '{% if %}',
    '{% for %}{% endfor %}',
    '{% nope %}',
  ])('rejects %j as invalid', async (text) => {
    const result = await rendered(text);
    expect(result).toMatchObject({ code: 'syntax', problem: expect.not.stringContaining('node_modules') });
  });

  it.each([
    '{{ host.constructor }}',
    '{{ cloudtruth.constructor.constructor }}',
    '{{ cloudtruth.__proto__ }}',
    '{{ host.toString }}{{ host.__proto__.constructor }}',
    '{{ "x" | map: "constructor" }}',
    '{% for p in cloudtruth.parameters %}{{ p.constructor }}{{ p.__proto__ }}{% endfor %}',
    '{{ cloudtruth.projects.base.parameters | map: "constructor" }}',
    '{{ cloudtruth.parameters | where: "constructor" | json }}',
    '{{ "process" | split: "" | map: "constructor" | join: "" }}',
    '{% assign c = "constructor" %}{{ cloudtruth[c] }}{{ host[c] }}{{ cloudtruth.project[c] }}',
  ])('gives no access to anything except its inputs: %j', async (text) => {
    const result = await rendered(text);
    const message = typeof result === 'string' ? result : (result?.problem ?? '');
    expect(message).not.toMatch(/function|native code|process|\/etc\//);
  });

  it('stops malicious templates with an error without blocking other work', async () => {
    const hostile = [
      '{% for a in (1..100000000) %}x{% endfor %}',
      '{% for a in (1..9999) %}{% for b in (1..9999) %}{% for c in (1..9999) %}{% endfor %}{% endfor %}{% endfor %}',
      `{% assign s = "xxxxxxxxxxxxxxxx" %}${'{% assign s = s | append: s %}'.repeat(40)}{{ s }}`,
      `{% assign s = "a,b,c,d" %}${'{% assign s = s | replace: ",", ",,,,," %}'.repeat(30)}{{ s }}`,
      `{% capture s %}xxxxxxxxxxxxxxxxxxxxx{% endcapture %}${'{% capture s %}{{ s }}{{ s }}{% endcapture %}'.repeat(30)}{{ s }}`,
      '{% for a in (1..100000) %}{{ "y" | times: 3 }}xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx{% endfor %}',
      `{{ "1" ${'| append: "1234567890"'.repeat(8000)} }}{% for i in (1..1000000) %}{% endfor %}`,
      `${'{% if true %}'.repeat(15000)}x${'{% endif %}'.repeat(15000)}`,
      '{% for i in (1..3000000) %}{% cycle "a", "b" %}{% increment n %}{% endfor %}',
      '{% assign l = (1..1000000) | sort | reverse | uniq | join: "," %}{{ l | split: "," | join: "-" | size }}',
    ];
    const delay = monitorEventLoopDelay({ resolution: 5 });
    delay.enable();
    const before = process.memoryUsage().rss;
    for (const [index, text] of hostile.entries()) {
      const begun = performance.now();
      const [bad, good] = await Promise.all([
        language.render(`hostile-${index}`, [{ text, scope: SCOPE }]),
        language.render('friendly', [{ text: '{{ host | upcase }}', scope: SCOPE }]),
      ]);
      expect([index, bad[0]]).toEqual([
        index,
        expect.objectContaining({
          code: expect.stringMatching(/too_costly|evaluation|syntax/),
          problem: expect.any(String),
        }),
      ]);
      expect(good).toEqual(['H']);
      expect(performance.now() - begun).toBeLessThan(20_000);
    }
    delay.disable();
    // A busy machine needs far less. Without limits, each of these texts would take minutes.
    expect(delay.max / 1e6).toBeLessThan(5_000);
    expect(process.memoryUsage().rss - before).toBeLessThan(400 * 1_048_576);
  });

  it('kills the thread of a text that ignores the limits, and does not run it again immediately', async () => {
    const text = '{% assign l = (1..1300000) | sort_natural | reverse | sort_natural %}{{ l | size }}';
    const begun = performance.now();
    const first = await rendered(text);
    const between = performance.now();
    const second = await rendered(text);
    expect([first, second]).toEqual([
      { code: 'too_costly', problem: expect.any(String) },
      { code: 'too_costly', problem: expect.stringContaining('a moment ago') },
    ]);
    // The text is not run again, so it does not reach the limit a second time.
    expect(performance.now() - between).toBeLessThan(between - begun);
    expect(await rendered('{{ host | upcase }}')).toBe('H');
  });

  it.each([
    ['plain texts', '{{ long }}'.repeat(16)],
    ['texts for the full engine', `{% if true %}${'{{ long }}'.repeat(16)}{% endif %}`],
  ])('counts the length of %s during rendering, and stops at the limit', async (_, text) => {
    const scope = { ...SCOPE, parameters: new Map([['long', 'x'.repeat(65_000)]]) };
    const tasks = Array.from({ length: 500 }, () => ({ text, scope }));
    const before = process.memoryUsage().rss;
    const results = await language.render('o', tasks, 8_000_000);
    const texts = results.filter((result) => typeof result === 'string');
    expect(texts).toHaveLength(7);
    expect(results.slice(7)).toEqual([
      { code: 'too_costly', problem: expect.stringContaining('too many or too long') },
      ...Array(492).fill(undefined),
    ]);
    expect(process.memoryUsage().rss - before).toBeLessThan(150 * 1_048_576);
  });

  it('rejects a text with more inputs than a thread can hold, before they are copied', async () => {
    const parameters = new Map(Array.from({ length: 140 }, (_, n) => [`p${n}`, 'x'.repeat(65_000)] as const));
    expect(await rendered('{% for p in cloudtruth.parameters %}{% endfor %}', { ...SCOPE, parameters })).toEqual({
      code: 'too_costly',
      problem: expect.stringContaining('can refer to have more than'),
      params: { limit: expect.any(Number) },
    });
  });

  it('never reveals the inputs of a text that fails', async () => {
    const scope = { ...SCOPE, parameters: new Map([['pw', 'hunter2']]) };
    for (const text of [
      '{{ pw | divided_by: 0 }}{{ pw | nope }}',
      '{{ cloudtruth.parameters[pw] }}',
      '{{ cloudtruth.parameters }}',

      '{{ pw | times: pw }}{{ pw | slice: pw, pw }}',
    ]) {
      const result = await rendered(text, scope);
      if (typeof result !== 'string') expect(JSON.stringify(result)).not.toContain('hunter2');
    }
  });
});
