// biome-ignore-all lint/suspicious/noTemplateCurlyInString: dotenv files refer to variables in this way
import { parseEnvPreview } from './env-lines.ts';
import { type ExistingName, importLines, listImportedValues } from './import-lines.ts';
import { createSource, splitParts } from './import-sources.ts';
import { filterResolvable, findProposedSecrets, lineReferences, textReferences } from './line-references.ts';

const isParameter = (name: string) => ['HOST', 'PORT'].includes(name);

describe('the references in an imported text', () => {
  it.each([
    ['https://{{HOST}}:{{ PORT }}', 'https://{{HOST}}:{{ PORT }}', ['HOST', 'PORT'], null],
    ['https://${HOST}:{{ PORT }}/$HOME', 'https://{{ HOST }}:{{ PORT }}/$HOME', ['HOST', 'PORT'], null],
    ['{{ HOST | upcase }} ${HOST}', '{{ HOST | upcase }} {{ HOST }}', ['HOST'], null],
    ['${GONE} {{ HOST }}', '{{ GONE }} {{ HOST }}', ['GONE', 'HOST'], /no parameter named GONE/],
    ['${PATH}:/bin', '{{ PATH }}:/bin', ['PATH'], /no parameter named PATH/],
    ['{{ strata.templates.head }}', '{{ strata.templates.head }}', ['head'], /Only references to parameters/],
    ['{{ strata.nothing }}', '{{ strata.nothing }}', [], /does not exist/],
  ])('are listed, and resolved only if all names exist: %s', (text, dynamicText, names, problem) => {
    expect(textReferences(text, 'URL', isParameter)).toEqual({
      dynamicText,
      names,
      problem: problem && expect.stringMatching(problem),
    });
  });

  it.each(['plain', '${HOST:-x}', '\\${HOST}', '$${HOST}', '{{', '{{ "text" }}', '{ {HOST} }', '$HOST'])(
    'are absent in %s',
    (text) => expect(textReferences(text, 'URL', isParameter)).toBeNull(),
  );

  it('cannot refer to the parameter itself', () => {
    expect(textReferences('{{ HOST }}', 'HOST', isParameter)?.problem).toMatch(/itself/);
  });
});

describe('the lines with references', () => {
  const NONE = { targets: new Map<string, ExistingName>(), secretChoices: new Map<string, boolean>() };
  const problems = (text: string, options: Partial<typeof NONE> = {}) =>
    [...lineReferences([{ preview: parseEnvPreview(text) }], { ...NONE, ...options })].map(
      ([{ name }, { problem }]) => [name, problem],
    );

  it('can refer to other lines and to existing parameters', () => {
    const targets = new Map([['PORT', { secret: false, isOwn: true, cells: new Map() }]]);
    expect(problems('URL=http://${HOST}:{{PORT}}\nHOST=a\nX=1', { targets })).toEqual([['URL', null]]);
    expect(problems('URL=http://${HOST}:{{PORT}}\nHOST=a')).toEqual([['URL', expect.stringContaining('PORT')]]);
  });

  it('stay text if the parameter is secret, and do not reveal names in its text', () => {
    const secret = [['TOKEN', 'The value of a secret cannot refer to others.']];
    const targets = new Map([['TOKEN', { secret: true, isOwn: true, cells: new Map() }]]);
    expect(problems('TOKEN=${A}\nA=1', { targets })).toEqual(secret);
    expect(problems('TOKEN=${A}\nA=1', { secretChoices: new Map([['TOKEN', true]]) })).toEqual(secret);
    expect(problems('TOKEN=${A}\nA=1')).toEqual([['TOKEN', null]]);
    expect([
      ...lineReferences([{ preview: parseEnvPreview('TOKEN=${A}\nA=1') }], { ...NONE, targets }).values(),
    ]).toMatchObject([{ names: [] }]);
  });

  it('are imported as dynamic values, which are not secret because of their names', () => {
    const environments = ['default'];
    const text = 'DB_PASSWORD=${PASSWORD}\nPASSWORD=x1\nURL=http://{{ HOST }}\nHOST=a\nSAME={{ HOST }}';
    const parts = splitParts([createSource({ name: null, text }, environments)], {
      separator: '_',
      environments,
      structured: null,
    });
    const same = { states: ['own', 'dynamic'], text: 'a', raw: '{{ HOST }}', ledgerId: 'l' };
    const targets = new Map([['SAME', { secret: false, isOwn: true, cells: new Map([['default', same]]) }]]);
    const resolved = filterResolvable(lineReferences(parts, { ...NONE, targets }));
    const secrets = findProposedSecrets(parts, resolved);
    const lines = importLines(parts, { targets, secrets, resolved });

    expect(listImportedValues(parts, lines)[0]?.values).toEqual({
      DB_PASSWORD: { value: '{{ PASSWORD }}', interpolated: true, secret: false, if_none_match: '*' },
      PASSWORD: { value: 'x1', secret: true, if_none_match: '*' },
      URL: { value: 'http://{{ HOST }}', interpolated: true, secret: false, if_none_match: '*' },
      HOST: { value: 'a', secret: false, if_none_match: '*' },
    });
    const literal = importLines(parts, { targets, secrets: findProposedSecrets(parts) });
    expect(listImportedValues(parts, literal)[0]?.values).toMatchObject({
      DB_PASSWORD: { value: '${PASSWORD}', secret: true },
      SAME: { value: '{{ HOST }}', if_match: 'l' },
    });
  });
});
