import { type ApprovedKey, stopAfterPlan, syncPlanText } from './sync-approval.ts';

const key = (name: string, more: Partial<ApprovedKey> = {}): ApprovedKey => ({
  ...{ key: name, state: 'pending', action: 'update', reason: 'changed', version: 'v1' },
  ...more,
});
const equal = key('EQUAL', { state: 'in_sync', action: 'none' });
const first = { planFirst: true, isFirst: true, isApproved: null };
const later = { planFirst: true, isFirst: false, isApproved: null };

describe('stopAfterPlan', () => {
  it.each([
    ['the first run of a push that plans first', [key('A', { action: 'create' })], first, 'approval_required'],
    ['no first run that has nothing to do', [equal], first, null],
    ['no later run that only updates its keys', [key('A'), equal], later, null],
    ['a run that deletes', [key('A', { action: 'delete' })], later, 'approval_required'],
    ['a run at a foreign key', [key('A', { state: 'foreign', action: 'none' })], later, 'approval_required'],
    ['a run that overwrites drift', [key('A', { reason: 'changed_elsewhere' })], later, 'approval_required'],
    [
      'no run that only forgets a key',
      [key('A', { state: 'foreign', action: 'forget', reason: 'mark_removed' })],
      first,
      null,
    ],
    [
      'a run whose push has lost a value',
      [key('A', { action: 'none', reason: 'removal_undecided' })],
      later,
      'approval_required',
    ],
    [
      'no run of a push that does not plan first',
      [key('A', { action: 'delete' })],
      { ...first, planFirst: false },
      null,
    ],
  ])('stops %s', (_, planned, conditions, result) => {
    expect(stopAfterPlan(planned, conditions)).toBe(result);
  });

  it('lets only the approved plan continue', () => {
    expect(stopAfterPlan([key('A', { action: 'delete' })], { ...first, isApproved: true })).toBeNull();
    expect(stopAfterPlan([key('A')], { ...later, isApproved: false })).toBe('plan_changed');
    expect(stopAfterPlan([key('A')], { ...later, planFirst: false, isApproved: false })).toBe('plan_changed');
  });
});

describe('syncPlanText', () => {
  const planned = [key('A', { action: 'delete' }), key('B')];

  it('depends neither on the order of the keys nor on keys without a change', () => {
    expect(syncPlanText([...planned].reverse().concat(equal))).toBe(syncPlanText(planned));
  });

  it.each([
    ['another version', [key('A', { action: 'delete', version: 'v2' }), key('B')]],
    ['another action', [key('A'), key('B')]],
    ['a missing key', [key('A', { action: 'delete' })]],
    ['a further key', [...planned, key('C', { action: 'create' })]],
  ])('differs for %s', (_, changedKeys) => {
    expect(syncPlanText(changedKeys)).not.toBe(syncPlanText(planned));
  });
});
