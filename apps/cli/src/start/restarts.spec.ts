import { countRestarts } from './restarts.ts';

const WEEK_MS = 7 * 24 * 3_600_000;

/** Returns the pause before each restart of a process that runs for these times, one after the other. */
function measurePauses(lives: readonly number[]): (number | null)[] {
  let time = 0;
  const restarts = countRestarts({ firstPauseMs: 100, longEnoughMs: 60_000, now: () => time });
  return lives.map((life) => {
    restarts.started();
    time += life;
    return restarts.fell();
  });
}

describe('a process that ends unexpectedly is restarted', () => {
  it.each`
    what                                         | lives                             | pauses
    ${'soon at first, then later and later'}     | ${[0, 0, 0, 0, 0]}                | ${[100, 200, 400, 800, 1_600]}
    ${'five times in a row, and then no longer'} | ${[0, 1, 2, 3, 4, 5]}             | ${[100, 200, 400, 800, 1_600, null]}
    ${'as often as it likes, once a week'}       | ${Array<number>(8).fill(WEEK_MS)} | ${Array<number>(8).fill(100)}
    ${'as if for the first time after a week'}   | ${[0, 0, 0, 0, WEEK_MS, 0]}       | ${[100, 200, 400, 800, 100, 200]}
    ${'with longer pauses within a minute'}      | ${[59_999, 59_999, 60_000]}       | ${[100, 200, 100]}
  `('$what', ({ lives, pauses }) => {
    expect(measurePauses(lives)).toEqual(pauses);
  });
});
