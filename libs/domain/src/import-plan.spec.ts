import { type ImportFlags, type ImportTarget, importPlan } from './import-plan.ts';

const NONE = { secrets: new Set<string>(), ignore: new Set<string>() };
const FLAGS: ImportFlags = { inheritOnSame: true, addParameters: true, addOverrides: true };
const own = (input: Partial<ImportTarget> = {}): ImportTarget => ({
  parameter: 'own',
  explicit: undefined,
  effective: undefined,
  secret: false,
  comparesSecret: false,
  ...input,
});

describe('importPlan', () => {
  it.each`
    target                                             | flags                       | action          | addsParameter
    ${undefined}                                       | ${{}}                       | ${'created'}    | ${true}
    ${own({ explicit: '1' })}                          | ${{}}                       | ${'unchanged'}  | ${false}
    ${own({ explicit: '2', effective: '1' })}          | ${{}}                       | ${'updated'}    | ${false}
    ${own({ explicit: null })}                         | ${{}}                       | ${'updated'}    | ${false}
    ${own({ effective: '1' })}                         | ${{}}                       | ${'inherited'}  | ${false}
    ${own({ effective: '1' })}                         | ${{ inheritOnSame: false }} | ${'overridden'} | ${false}
    ${own({ effective: '2' })}                         | ${{}}                       | ${'overridden'} | ${false}
    ${own()}                                           | ${{}}                       | ${'overridden'} | ${false}
    ${own({ parameter: 'inherited', effective: '1' })} | ${{}}                       | ${'inherited'}  | ${false}
    ${own({ parameter: 'inherited', effective: '2' })} | ${{}}                       | ${'overridden'} | ${true}
  `('decides for A=1 on $target: $action', ({ target, flags, action, addsParameter }) => {
    const { steps, forbidden } = importPlan([{ name: 'A', text: '1' }], () => target, NONE, { ...FLAGS, ...flags });

    expect(steps).toEqual([{ name: 'A', text: '1', action, secret: false, addsParameter }]);
    expect(forbidden).toEqual([]);
  });

  it('skips ignored names, and marks only new parameters as secret', () => {
    const entries = ['A', 'B', 'C'].map((name) => ({ name, text: 'x' }));
    const targets: Record<string, ImportTarget> = { B: own() };

    const { steps } = importPlan(
      entries,
      (name) => targets[name],
      { secrets: new Set(['A', 'B']), ignore: new Set(['C']) },
      FLAGS,
    );

    expect(steps.map(({ name, secret }) => [name, secret])).toEqual([
      ['A', true],
      ['B', false],
    ]);
  });

  it('reports the names that need a missing flag', () => {
    const flags = { ...FLAGS, addParameters: false, addOverrides: false };
    const targets: Record<string, ImportTarget> = { B: own({ effective: '2' }), C: own({ explicit: '2' }) };
    const entries = ['A', 'B', 'C'].map((name) => ({ name, text: 'x' }));

    expect(importPlan(entries, (name) => targets[name], NONE, flags).forbidden).toEqual([
      { name: 'A', flag: 'add_parameters' },
      { name: 'B', flag: 'add_overrides' },
    ]);
  });
});
