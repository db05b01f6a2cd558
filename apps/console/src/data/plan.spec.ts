import { fieldsOf, type PlannedEffect, planDifference, type ReviewedPlan } from './plan.ts';

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
    const { changed, gone } = planDifference(seen, now);

    expect([...changed].map((key) => key.split('\n').at(-1))).toEqual(['B', 'D']);
    expect(gone.map(({ parameterName }) => parameterName)).toEqual(['C']);
  });

  it('reports an effect whose previous text is different', () => {
    const { changed } = planDifference(plan(effect('A', '1')), plan(effect('A', '1', { before: 'theirs' })));
    expect(changed.size).toBe(1);
  });
});

describe('a rejected operation', () => {
  it.each([
    ['of the operation', { detail: 'No access.' }, [{ field: 'operations.2', message: 'No access.' }]],
    ['of a field', { PORT: ['No integer.'] }, [{ field: 'operations.2.PORT', message: 'No integer.' }]],
    ['of a list', ['One.', 'Two.'], ['One.', 'Two.'].map((message) => ({ field: 'operations.2', message }))],
  ])('has a reason: %s', (_, error, fields) => {
    expect(fieldsOf({ index: 2, error })).toEqual(fields);
  });
});
