import type { PrintedPlan } from '@strata/domain';
import { effectsHash, isComplete, isEffectsHash } from './effects-hash.ts';

const NOTHING = { blocking_references: [], uncovered: [], access: [], expirations: [], webhooks: [] };
const NONE = { effective_changes: 0, refusals: 0, blocking_references: 0, uncovered: 0, access: 0, expirations: 0 };
const CLOSED = { webhooks: 0, closed_projects: 0, closed_environments: 0, closed_references: 0 };

const deletionPlan = (lastReadAt: string | null, name = 'PORT', total = 1): PrintedPlan => ({
  ...{ ...NOTHING, effective_changes: [], refusals: [], totals: { ...NONE, ...CLOSED, changes: total } },
  changes: [
    {
      ...{ action: 'delete', object_type: 'Value', object_name: name, project_name: 'shop' },
      ...{ environment_name: 'default', last_read_at: lastReadAt },
      last_read_by: lastReadAt === null ? null : { name: 'web' },
    },
  ],
});

test('a program that reads a value while the pull request is open does not change the hash of its deletion', () => {
  const hash = effectsHash(deletionPlan(null));
  expect(isEffectsHash(hash)).toBe(true);
  for (const minute of ['10:00', '10:01'])
    expect(effectsHash(deletionPlan(`2026-11-27T${minute}:00.000000Z`))).toBe(hash);
});

test('another deletion has another hash', () => {
  expect(effectsHash(deletionPlan(null, 'HOST'))).not.toBe(effectsHash(deletionPlan(null)));
});

test('a plan with more entries than its lists contain is incomplete', () => {
  expect([1, 2].map((total) => isComplete(deletionPlan(null, 'PORT', total)))).toEqual([true, false]);
});
