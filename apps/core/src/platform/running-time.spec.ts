import { addTurn, remainingMs } from './running-time.ts';

/** The times at which the event loop runs its timer from `from` to `to`, in milliseconds. */
const turnsEvery = (ms: number, from: number, to: number): number[] =>
  Array.from({ length: Math.floor((to - from) / ms) }, (_, n) => from + (n + 1) * ms);

describe('a wait of 2 s for a response', () => {
  it.each([
    ['has time left in a process that is not late', turnsEvery(50, 0, 1_950), 'wait'],
    ['ends after 2 s in a process that is not late', turnsEvery(50, 0, 2_000), 'end'],
    ['ends after 2 s if timers are late by a few milliseconds', turnsEvery(58, 0, 2_030), 'end'],
    ['continues if the process was stopped for 3 s at its start', [3_000], 'wait'],
    ['continues if the process was stopped for an hour', [3_600_000], 'wait'],
    ['continues if the process was stopped later', [...turnsEvery(50, 0, 1_500), 9_000], 'wait'],
    ['continues until the process has run for the rest', [3_000, ...turnsEvery(50, 3_000, 4_900)], 'wait'],
    ['ends when the process has run for the rest', [3_000, ...turnsEvery(50, 3_000, 4_950)], 'end'],
    ['does not count the time of many short stops', turnsEvery(200, 0, 6_400), 'wait'],
    ['ends even if the process is always late', turnsEvery(200, 0, 6_800), 'end'],
  ])('%s', (_, times, expected) => {
    const began = { at: 0, lateMs: 0 };
    expect(remainingMs(began, times.reduce(addTurn, began), 2_000) > 0 ? 'wait' : 'end').toBe(expected);
  });

  it('does not count stops before its start', () => {
    const began = [5_000, 9_000].reduce(addTurn, { at: 0, lateMs: 0 });
    expect(remainingMs(began, turnsEvery(50, 9_000, 10_000).reduce(addTurn, began), 2_000)).toBe(1_000);
  });
});
