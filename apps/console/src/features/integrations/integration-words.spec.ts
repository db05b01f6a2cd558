import {
  decisionLabel,
  describeBlockedKeys,
  describeKey,
  describePlan,
  describeRunState,
} from './integration-words.ts';

const PLAN = {
  hash: 'h',
  waitsForApproval: false,
  ...{
    creates: 0,
    updates: 0,
    deletes: 0,
    imports: 0,
    foreign: 0,
    drifted: 0,
    undecided: 0,
    failed: 0,
    inSync: 0,
    hidden: 0,
  },
};

describe('a key of a push', () => {
  it.each([
    [{ reason: 'equal', action: 'none', detail: null }, 'The texts are equal.'],
    [
      { reason: 'new', action: 'create', detail: 'AccessDenied: no.' },
      'The store does not have the key yet. AccessDenied: no. In the next run it is created.',
    ],
  ] as const)('of %j is described by its reason, its error and its next action', (key, text) => {
    expect(describeKey(key)).toBe(text);
  });

  it('is taken over if it is foreign, and overwritten if it drifted', () => {
    expect(decisionLabel('overwrite', { state: 'foreign' })).toBe('Take over');
    expect(decisionLabel('overwrite', { state: 'drifted' })).toBe('Overwrite');
    expect(decisionLabel('delete', { state: 'drifted' })).toBe('Delete');
  });
});

describe('a plan', () => {
  it.each([
    [{}, 'No key changes', null],
    [{ creates: 2, deletes: 1 }, '2 keys are created, 1 key is deleted', null],
    [{ imports: 2 }, '2 keys are imported', null],
    [{ inSync: 1, foreign: 3, undecided: 1 }, '1 key is in sync', '3 foreign, 1 to be removed'],
  ])('with %j is described by its counts', (counts, changes, blocked) => {
    const plan = { ...PLAN, ...counts };
    expect([describePlan(plan), describeBlockedKeys(plan)]).toEqual([changes, blocked]);
  });
});

it.each([
  [{ state: 'queued', errorCode: null, dryRun: false }, { label: 'Waiting' }],
  [
    { state: 'queued', errorCode: 'provider_rate', dryRun: false },
    { label: 'Retrying', isBad: true },
  ],
  [{ state: 'skipped', errorCode: 'approval_required', dryRun: false }, { label: 'Waits for approval' }],
  [{ state: 'skipped', errorCode: 'pull_changed', dryRun: false }, { label: 'Skipped' }],
  [{ state: 'success', errorCode: null, dryRun: true }, { label: 'Planned' }],
  [{ state: 'success', errorCode: null, dryRun: false }, { label: 'Done' }],
] as const)('a run %j is described in a word', (run, label) => {
  expect(describeRunState(run)).toEqual(label);
});
