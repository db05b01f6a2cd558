import { listErrors, type PlannedEffect, planDifference, type ReviewedPlan } from './plan.ts';

const effect = (parameterName: string, after: string, more: Partial<PlannedEffect> = {}): PlannedEffect => ({
  projectName: 'web',
  environmentName: 'production',
  parameterName,
  kind: 'changed',
  before: 'before',
  after,
  masked: false,
  problem: null,
  ...more,
});
const plan = (...effectiveChanges: readonly PlannedEffect[]) => ({ effectiveChanges }) as unknown as ReviewedPlan;

describe('a newer plan', () => {
  it('reports new, changed and removed effects compared with the reviewed plan', () => {
    const seen = plan(effect('A', '1'), effect('B', '1'), effect('C', '1'));
    const now = plan(effect('A', '1'), effect('B', '2'), effect('D', '1'));
    const { changed, vanished } = planDifference(seen, now);

    expect([...changed].map((key) => key.split('\n').at(-1))).toEqual(['B', 'D']);
    expect(vanished.map(({ parameterName }) => parameterName)).toEqual(['C']);
  });

  it('reports an effect whose previous text is different', () => {
    const { changed } = planDifference(plan(effect('A', '1')), plan(effect('A', '1', { before: 'theirs' })));
    expect(changed.size).toBe(1);
  });
});

describe('a rejected operation', () => {
  const error = { code: 'invalid', pointer: '/operations/2', detail: 'No access.' };
  const rejected = { ...error, index: 2, status: 400, error: {} };

  it('has one error, or several', () => {
    expect(listErrors({ ...rejected, errors: null })).toEqual([expect.objectContaining(error)]);
    expect(listErrors({ ...rejected, errors: [error, error] })).toEqual([error, error]);
  });
});
