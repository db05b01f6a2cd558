import { setImmediate as nextTurn } from 'node:timers/promises';
import { EventLoopYielder } from './event-loop-yielder.ts';

describe('EventLoopYielder', () => {
  it('runs the pieces in order, one per turn of the event loop', async () => {
    const pieces: string[] = [];
    let turn = 0;
    let isOver = false;
    const counting = (async () => {
      for (; !isOver; turn += 1) await nextTurn();
    })();
    const work = async (name: string) => {
      const yielder = new EventLoopYielder();
      for (let piece = 0; piece < 3; piece += 1) {
        await yielder.yield();
        pieces.push(`${name} ${turn}`);
      }
    };
    await Promise.all(['a', 'b', 'c'].map(work));
    isOver = true;
    await counting;

    expect(pieces.map((piece) => piece.slice(0, 1)).join('')).toBe('abcabcabc');
    expect(new Set(pieces.map((piece) => piece.slice(2))).size).toBe(9);
  });

  it('is due after some milliseconds, and again after each turn', async () => {
    const yielder = new EventLoopYielder();
    const patience = performance.now() + 5_000;
    while (!yielder.isDue && performance.now() < patience);
    expect(yielder.isDue).toBe(true);
    // a busy machine may pause the process for longer than the limit right after a yield, but not every time
    for (let turn = 0; yielder.isDue && turn < 1_000; turn += 1) await yielder.yield();
    expect(yielder.isDue).toBe(false);
  });
});
