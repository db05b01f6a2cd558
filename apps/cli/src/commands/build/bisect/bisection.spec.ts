import fc from 'fast-check';
import { bisect, type CheckResult } from './bisection.ts';

/** Searches a history whose states are letters: upper case is bad, `_` cannot be checked. */
async function search(history: string) {
  const checked: string[] = [];
  const stateAt = async (revision: number) => history[revision] as string;
  const culprits = await bisect(0, history.length - 1, {
    stateAt,
    check: async (revision) => {
      checked.push(await stateAt(revision));
      return toResult(await stateAt(revision));
    },
  });
  return { found: culprits, checked };
}

const toResult = (state: string): CheckResult => (/[_.]/.test(state) ? 'skip' : /[A-Z]/.test(state) ? 'bad' : 'good');

test.each`
  history         | found
  ${'aB'}         | ${[1]}
  ${'aaaaaB'}     | ${[5]}
  ${'aBBBBB'}     | ${[1]}
  ${'abcdeFGHI'}  | ${[5]}
  ${'abc_eFGHI'}  | ${[5]}
  ${'ab___FGHI'}  | ${[2, 5]}
  ${'ab_..FGHI'}  | ${[2, 3, 5]}
  ${'a_______B'}  | ${[1, 8]}
  ${'a_______bB'} | ${[9]}
`('finds the first bad revision of $history', async ({ history, found }) => {
  expect((await search(history)).found).toEqual(found);
});

test('checks the same values once', async () => {
  const { checked } = await search(`${'a'.repeat(400)}${'b'.repeat(300)}${'C'.repeat(200)}D`);
  expect(new Set(checked).size).toBe(checked.length);
});

test('finds a good revision directly before a bad one in every history', async () => {
  const states = fc.stringMatching(/^[abcDEF_.]{0,40}$/);
  await fc.assert(
    fc.asyncProperty(states, async (middle) => {
      const history = `x${middle}Y`;
      const { found } = await search(history);
      const last = found.at(-1) as number;
      const before = (found[0] as number) - 1;
      expect([toResult(history[before] as string), toResult(history[last] as string)]).toEqual(['good', 'bad']);
      if (!/[_.]/.test(history)) expect(found).toHaveLength(1);
    }),
  );
});
