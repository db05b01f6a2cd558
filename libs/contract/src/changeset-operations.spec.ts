import { changesetUse } from './changeset-operations.ts';
import { OPERATIONS } from './operations.ts';

const uses = OPERATIONS.map((operation) => ({ operation, use: changesetUse(operation) }));

it('declares for every operation whether a changeset can contain it, and the reason if not', () => {
  for (const { operation, use } of uses) {
    if (use.changeset === 'no')
      expect([operation.id, use.reason]).toEqual([operation.id, expect.stringMatching(/\.$/)]);
  }
  const count = (changeset: string) => uses.filter(({ use }) => use.changeset === changeset).length;
  expect([count('yes') > 0, count('yes') + count('no')]).toEqual([true, OPERATIONS.length]);
});

it('excludes operations that return a secret once', () => {
  const shownOnce = /rekey|token|serviceaccounts_create|invitations_(create|resend)/;
  expect(uses.filter(({ operation: { id }, use }) => shownOnce.test(id) && use.changeset === 'yes')).toEqual([]);
});

it('rejects an operation without a declaration', () => {
  expect(() => changesetUse({ id: 'rockets_launch', method: 'post' })).toThrow('rockets_launch');
});
