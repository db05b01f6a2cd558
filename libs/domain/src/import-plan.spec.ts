import { type ImportFlags, type ImportTarget, importPlan } from './import-plan.ts';

const NONE = { secrets: new Set<string>(), ignore: new Set<string>() };
const FLAGS: ImportFlags = { inheritOnSame: true, addParameters: true, addOverrides: true };
const ownTarget = (input: Partial<ImportTarget> = {}): ImportTarget => ({
  parameter: 'own',
  explicit: undefined,
  effective: undefined,
  secret: false,
  comparesSecret: false,
  ...input,
});

describe('importPlan', () => {
  it.each`
    target                                                   | flags                       | action          | addsParameter
    ${undefined}                                             | ${{}}                       | ${'created'}    | ${true}
    ${ownTarget({ explicit: '1' })}                          | ${{}}                       | ${'unchanged'}  | ${false}
    ${ownTarget({ explicit: '2', effective: '1' })}          | ${{}}                       | ${'updated'}    | ${false}
    ${ownTarget({ explicit: null })}                         | ${{}}                       | ${'updated'}    | ${false}
    ${ownTarget({ effective: '1' })}                         | ${{}}                       | ${'inherited'}  | ${false}
    ${ownTarget({ effective: '1' })}                         | ${{ inheritOnSame: false }} | ${'overridden'} | ${false}
    ${ownTarget({ effective: '2' })}                         | ${{}}                       | ${'overridden'} | ${false}
    ${ownTarget()}                                           | ${{}}                       | ${'overridden'} | ${false}
    ${ownTarget({ parameter: 'inherited', effective: '1' })} | ${{}}                       | ${'inherited'}  | ${false}
    ${ownTarget({ parameter: 'inherited', effective: '2' })} | ${{}}                       | ${'overridden'} | ${true}
  `('decides for A=1 on $target: $action', ({ target, flags, action, addsParameter }) => {
    const { steps, forbidden } = importPlan([{ name: 'A', text: '1' }], () => target, NONE, { ...FLAGS, ...flags });

    expect(steps).toEqual([{ name: 'A', text: '1', action, secret: false, addsParameter }]);
    expect(forbidden).toEqual([]);
  });

  it('skips ignored names, and marks only new parameters as secret', () => {
    const entries = ['A', 'B', 'C'].map((name) => ({ name, text: 'x' }));
    const targets: Record<string, ImportTarget> = { B: ownTarget() };

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
    const targets: Record<string, ImportTarget> = { B: ownTarget({ effective: '2' }), C: ownTarget({ explicit: '2' }) };
    const entries = ['A', 'B', 'C'].map((name) => ({ name, text: 'x' }));

    expect(importPlan(entries, (name) => targets[name], NONE, flags).forbidden).toEqual([
      { name: 'A', flag: 'add_parameters' },
      { name: 'B', flag: 'add_overrides' },
    ]);
  });
});
