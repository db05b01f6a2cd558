import fc from 'fast-check';
import { FairQueue, type FairQueueLimits, overloaded, type Release, type Waiting } from './fair-queue.ts';

const [a, b, c] = ['a', 'b', 'c'] as const;
const queueOf = (limits: Partial<FairQueueLimits> = {}) =>
  new FairQueue({ perHolder: 2, total: 3, waitingMax: 10, waitMsMax: 1_000, refusal: overloaded, ...limits });

/** Notes who was let in, in which order, with the way to let them out again. */
class Visitors {
  readonly inside: { readonly name: string; readonly leave: Release }[] = [];

  constructor(private readonly queue: FairQueue) {}

  come(name: string, holder: string, weight = 1): Waiting | null {
    const entered = this.queue.enter(holder, weight);
    if (typeof entered === 'function') {
      this.inside.push({ name, leave: entered });
      return null;
    }
    entered.admitted.then(
      (leave) => this.inside.push({ name, leave }),
      () => undefined,
    );
    return entered;
  }

  /** The first who is inside leaves; resolves when whoever has found room is in. */
  async go(): Promise<void> {
    this.inside.shift()?.leave();
    await Promise.resolve();
    await Promise.resolve();
  }

  get names(): string {
    return this.inside.map(({ name }) => name).join(' ');
  }
}

describe('what organizations share', () => {
  it('is held up to one’s own part, and up to all of it', () => {
    const visitors = new Visitors(queueOf());
    for (const name of ['a1', 'a2', 'a3']) visitors.come(name, a);
    for (const name of ['b1', 'b2']) visitors.come(name, b);

    expect(visitors.names).toBe('a1 a2 b1');
  });

  it('is given in turns: one organization with many who wait gets no more than one with a single one', async () => {
    const visitors = new Visitors(queueOf({ perHolder: 1, total: 1 }));
    for (const name of ['a1', 'a2', 'a3', 'a4']) visitors.come(name, a);
    visitors.come('b1', b);
    visitors.come('c1', c);
    const order: string[] = [];
    while (visitors.inside.length > 0) {
      order.push(visitors.names);
      await visitors.go();
    }

    expect(order).toEqual(['a1', 'b1', 'c1', 'a2', 'a3', 'a4']);
  });

  it('is not refused to who asks for more than a part: they wait until their part is empty', async () => {
    const visitors = new Visitors(queueOf({ perHolder: 10, total: 15 }));
    visitors.come('small', a, 1);
    visitors.come('huge', a, 1_000);
    expect(visitors.names).toBe('small');
    await visitors.go();
    expect(visitors.names).toBe('huge');
    visitors.come('another', b, 5);
    expect(visitors.names).toBe('huge another');
  });

  it('is not taken by light ones for ever while a heavy one waits', async () => {
    const visitors = new Visitors(queueOf({ perHolder: 10, total: 10 }));
    visitors.come('a1', a, 5);
    visitors.come('heavy', b, 10);
    visitors.come('c1', c, 1);
    visitors.come('a2', a, 1);
    await visitors.go();
    await visitors.go();
    await visitors.go();
    expect(visitors.names).toContain('heavy');
  });

  it('is refused when too many of one organization wait, to nobody else', () => {
    const visitors = new Visitors(queueOf({ perHolder: 1, waitingMax: 2 }));
    for (const name of ['a1', 'a2', 'a3']) visitors.come(name, a);

    expect(() => visitors.come('a4', a)).toThrow(expect.objectContaining({ code: 'overloaded' }));
    expect(() => visitors.come('b1', b)).not.toThrow();
  });

  it('is refused to who waits too long, and to who gives up', async () => {
    const queue = queueOf({ perHolder: 1, waitMsMax: 20 });
    queue.enter(a);
    const late = queue.enter(a) as Waiting;
    const gone = queue.enter(a) as Waiting;
    gone.leave();

    await expect(gone.admitted).rejects.toMatchObject({ code: 'overloaded', retryAfterSeconds: expect.any(Number) });
    await expect(late.admitted).rejects.toMatchObject({ kind: 'unavailable', code: 'overloaded' });
  });

  it('is never held beyond its bounds, and never lost, however they come and go', () => {
    const steps = fc.array(fc.record({ who: fc.nat(2), weight: fc.integer({ min: 1, max: 6 }), leaves: fc.boolean() }));
    fc.assert(
      fc.property(steps, (all) => {
        const queue = queueOf({ perHolder: 4, total: 6, waitingMax: 1_000 });
        const held: { readonly who: number; readonly weight: number; readonly release: Release }[] = [];
        for (const { who, weight, leaves } of all) {
          if (leaves) held.shift()?.release();
          const entered = queue.enter([a, b, c][who] ?? a, weight);
          if (typeof entered === 'function') held.push({ who, weight: Math.min(weight, 4), release: entered });
          else {
            entered.admitted.catch(() => undefined);
            entered.leave();
          }
          const sum = (some: typeof held) => some.reduce((total, one) => total + one.weight, 0);
          expect(sum(held)).toBeLessThanOrEqual(6);
          for (const each of [0, 1, 2]) expect(sum(held.filter((one) => one.who === each))).toBeLessThanOrEqual(4);
        }
        for (const { release } of held) release();
        expect(typeof queue.enter(a, 4)).toBe('function');
      }),
    );
  });
});
