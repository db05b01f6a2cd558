import fc from 'fast-check';
import {
  createExcerpt,
  EXCERPT_LENGTH_MAX,
  listWinStates,
  literalTest,
  matchAnywhere,
  matchName,
  type SearchTerms,
  type WinningCell,
} from './search.ts';

const cell = (environmentId: string, text: string | null, more: Partial<WinningCell> = {}): WinningCell => ({
  environmentId,
  valueId: `value of ${environmentId}`,
  parameterId: 'x',
  sourceEnvironmentId: environmentId,
  sourceProjectId: 'p',
  text,
  secret: false,
  dynamic: false,
  failed: false,
  ...more,
});

const terms = (searched: string, more: Partial<SearchTerms> = {}): SearchTerms => ({
  fields: ['name', 'value', 'description'],
  test: literalTest('contains', searched),
  needsEffective: false,
  ...more,
});

const NAME = { name: 'host', description: 'where it answers' };

describe('literalTest', () => {
  it.each`
    match         | searched | text     | expected
    ${'contains'} | ${'b'}   | ${'abc'} | ${true}
    ${'prefix'}   | ${'ab'}  | ${'abc'} | ${true}
    ${'prefix'}   | ${'b'}   | ${'abc'} | ${false}
    ${'contains'} | ${'B'}   | ${'abc'} | ${false}
    ${'exact'}    | ${'b'}   | ${'abc'} | ${false}
    ${'exact'}    | ${'abc'} | ${'abc'} | ${true}
    ${'contains'} | ${'.'}   | ${'abc'} | ${false}
  `('$match $searched in $text is $expected', ({ match, searched, text, expected }) => {
    expect(literalTest(match, searched)(text)).toBe(expected);
  });
});

describe('literalTest in any letter case', () => {
  it.each`
    match         | searched  | text           | expected
    ${'contains'} | ${'B.c'}  | ${'ab.Cd'}     | ${true}
    ${'contains'} | ${'b.c'}  | ${'abxcd'}     | ${false}
    ${'prefix'}   | ${'AB'}   | ${'abc'}       | ${true}
    ${'prefix'}   | ${'B'}    | ${'abc'}       | ${false}
    ${'exact'}    | ${'ABC'}  | ${'abc'}       | ${true}
    ${'exact'}    | ${'AB'}   | ${'abc'}       | ${false}
    ${'exact'}    | ${'ÉΣ'}   | ${'éς'}        | ${true}
    ${'exact'}    | ${'task'} | ${'taſ\u212a'} | ${true}
  `('$match $searched in $text is $expected', ({ match, searched, text, expected }) => {
    expect(literalTest(match, searched, true)(text)).toBe(expected);
  });
});

describe('anywhere', () => {
  it.each`
    pattern   | text       | expected
    ${'b'}    | ${'a\nbc'} | ${true}
    ${'^b'}   | ${'abc'}   | ${false}
    ${'a|b$'} | ${'xxb'}   | ${true}
    ${'b|^c'} | ${'xc'}    | ${false}
  `('finds $pattern in $text: $expected', ({ pattern, text, expected }) => {
    const flags = matchAnywhere(pattern).replace('(?s:.*?)', '[^]*?');
    expect(new RegExp(`^${flags}`).test(text)).toBe(expected);
  });
});

describe('foundName', () => {
  it('shows only the matching values if nothing else matches', () => {
    const cells = [cell('default', 'a needle'), cell('staging', 'hay')];
    const { match } = matchName({ ...NAME, cells }, terms('needle'));

    expect(match).toMatchObject({ matched: ['value'], wins: [{ environmentIds: ['default'], matched: true }] });
  });

  it('shows every value if the name or the description matches', () => {
    const cells = [cell('default', 'a host'), cell('staging', 'hay')];

    expect(matchName({ ...NAME, cells }, terms('host')).match).toMatchObject({
      matched: ['name', 'value'],
      wins: [{ matched: true }, { matched: false }],
    });
    expect(matchName({ ...NAME, cells }, terms('answers')).match).toMatchObject({
      matched: ['description'],
      wins: [{ matched: false }, { matched: false }],
    });
    expect(matchName({ ...NAME, cells }, terms('host', { fields: ['description'] })).match).toBeNull();
  });

  it('groups the environments in which a value has the same text', () => {
    const from = { valueId: 'v', sourceEnvironmentId: 'default' };
    const cells = [cell('a', 'x', from), cell('b', 'y', from), cell('c', 'x', from), cell('d', 'x')];
    const { match } = matchName({ ...NAME, cells }, terms('host'));

    expect(match?.wins.map(({ environmentIds }) => environmentIds)).toEqual([['a', 'c'], ['b'], ['d']]);
  });

  it('excludes names without an effective value if the search filters by values', () => {
    expect(matchName({ ...NAME, cells: [] }, terms('host')).match).toEqual({ matched: ['name'], wins: [] });
    expect(matchName({ ...NAME, cells: [] }, terms('host', { needsEffective: true })).match).toBeNull();
  });

  it('counts each text that could not be compared once', () => {
    const cells = [cell('default', 'x'), cell('staging', 'x'), cell('canary', 'y')];
    const undecided = matchName({ ...NAME, cells }, terms('', { fields: ['value'], test: () => null }));

    expect(undecided).toEqual({ match: null, undecided: 2 });
  });

  it('returns the same result whatever the text of a secret', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.string({ minLength: 1 }), (firstSecret, secondSecret, searched) => {
        const search = (text: string) =>
          matchName({ ...NAME, cells: [cell('default', text, { secret: true })] }, terms(searched));
        const formatResult = ({ match, undecided }: ReturnType<typeof search>) => [
          undecided,
          match?.matched,
          match?.wins.map((win) => [win.matched, win.environmentIds, createExcerpt(win.cell, searched)]),
        ];
        expect(formatResult(search(firstSecret))).toEqual(formatResult(search(secondSecret)));
      }),
    );
  });
});

describe('listWinStates', () => {
  it.each`
    made                                                | states
    ${cell('e', 'x')}                                   | ${['own']}
    ${cell('e', 'x', { sourceEnvironmentId: 'up' })}    | ${['inherited']}
    ${cell('e', 'x', { sourceProjectId: 'base' })}      | ${['inherited']}
    ${cell('e', null)}                                  | ${['own', 'null']}
    ${cell('e', 'x', { dynamic: true })}                | ${['own', 'dynamic']}
    ${cell('e', null, { dynamic: true, failed: true })} | ${['own', 'dynamic']}
  `('returns $states', ({ made, states }) => {
    expect(listWinStates(made, 'p')).toEqual(states);
  });
});

describe('createExcerpt', () => {
  it('shows the match within the maximum length', () => {
    fc.assert(
      fc.property(fc.nat(4_000), fc.nat(4_000), (before, after) => {
        const text = `${'a'.repeat(before)}needle${'b'.repeat(after)}`;
        const excerpt = createExcerpt({ text, secret: false }, 'needle');

        expect(excerpt.text).toContain('needle');
        expect(excerpt.cut).toBe(text.length > EXCERPT_LENGTH_MAX);
        expect(excerpt.text).toHaveLength(Math.min(text.length, EXCERPT_LENGTH_MAX));
      }),
    );
  });

  it('masks a secret and leaves an explicit null unchanged', () => {
    expect(createExcerpt({ text: 'x'.repeat(9_999), secret: true }, 'x')).toEqual({ text: '*****', cut: false });
    expect(createExcerpt({ text: null, secret: true }, 'x')).toEqual({ text: null, cut: false });
  });
});
