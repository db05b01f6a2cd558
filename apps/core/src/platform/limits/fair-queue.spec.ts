import fc from 'fast-check';
import { FairQueue, type FairQueueLimits, overloadedError, type Release, type WaitingEntry } from './fair-queue.ts';

const [a, b, c] = ['a', 'b', 'c'] as const;
const createQueue = (limits: Partial<FairQueueLimits> = {}) =>
  new FairQueue({ perHolder: 2, total: 3, waitingMax: 10, waitMsMax: 1_000, createError: overloadedError, ...limits });

/** Records which entries the queue admitted, in order, and how to release them. */
class AdmittedEntries {
  readonly admitted: { readonly name: string; readonly leave: Release }[] = [];

  constructor(private readonly queue: FairQueue) {}

  enter(name: string, holder: string, weight = 1): WaitingEntry | null {
    const entered = this.queue.enter(holder, weight);
    if (typeof entered === 'function') {
      this.admitted.push({ name, leave: entered });
      return null;
    }
    entered.admitted.then(
      (leave) => this.admitted.push({ name, leave }),
      () => undefined,
    );
    return entered;
  }

  /** Releases the first admitted entry. Resolves after the queue has admitted the next ones. */
  async releaseFirst(): Promise<void> {
    this.admitted.shift()?.leave();
    await Promise.resolve();
    await Promise.resolve();
  }

  get names(): string {
    return this.admitted.map(({ name }) => name).join(' ');
  }
}

describe('FairQueue', () => {
  it('limits each holder and the total', () => {
    const entries = new AdmittedEntries(createQueue());
    for (const name of ['a1', 'a2', 'a3']) entries.enter(name, a);
    for (const name of ['b1', 'b2']) entries.enter(name, b);

    expect(entries.names).toBe('a1 a2 b1');
  });

  it('alternates between holders: a holder with many entries is served as often as one with a single entry', async () => {
    const entries = new AdmittedEntries(createQueue({ perHolder: 1, total: 1 }));
    for (const name of ['a1', 'a2', 'a3', 'a4']) entries.enter(name, a);
    entries.enter('b1', b);
    entries.enter('c1', c);
    const order: string[] = [];
    while (entries.admitted.length > 0) {
      order.push(entries.names);
      await entries.releaseFirst();
    }

    expect(order).toEqual(['a1', 'b1', 'c1', 'a2', 'a3', 'a4']);
  });

  it('admits an entry that is heavier than the limit once its holder has released everything', async () => {
    const entries = new AdmittedEntries(createQueue({ perHolder: 10, total: 15 }));
    entries.enter('small', a, 1);
    entries.enter('huge', a, 1_000);
    expect(entries.names).toBe('small');
    await entries.releaseFirst();
    expect(entries.names).toBe('huge');
    entries.enter('another', b, 5);
    expect(entries.names).toBe('huge another');
  });

  it('does not let light entries overtake a heavy one for ever', async () => {
    const entries = new AdmittedEntries(createQueue({ perHolder: 10, total: 10 }));
    entries.enter('a1', a, 5);
    entries.enter('heavy', b, 10);
    entries.enter('c1', c, 1);
    entries.enter('a2', a, 1);
    await entries.releaseFirst();
    await entries.releaseFirst();
    await entries.releaseFirst();
    expect(entries.names).toContain('heavy');
  });

  it('rejects an entry when too many entries of its holder wait, and still accepts other holders', () => {
    const entries = new AdmittedEntries(createQueue({ perHolder: 1, waitingMax: 2 }));
    for (const name of ['a1', 'a2', 'a3']) entries.enter(name, a);

    expect(() => entries.enter('a4', a)).toThrow(expect.objectContaining({ code: 'overloaded' }));
    expect(() => entries.enter('b1', b)).not.toThrow();
  });

  it('rejects entries that wait too long or leave the queue', async () => {
    const queue = createQueue({ perHolder: 1, waitMsMax: 20 });
    queue.enter(a);
    const late = queue.enter(a) as WaitingEntry;
    const departed = queue.enter(a) as WaitingEntry;
    departed.leave();

    await expect(departed.admitted).rejects.toMatchObject({
      code: 'overloaded',
      retryAfterSeconds: expect.any(Number),
    });
    await expect(late.admitted).rejects.toMatchObject({ kind: 'unavailable', code: 'overloaded' });
  });

  it('does not count time in which the process does not run', async () => {
    const queue = createQueue({ perHolder: 1, waitMsMax: 20 });
    const release = queue.enter(a) as Release;
    const { admitted } = queue.enter(a) as WaitingEntry;
    setTimeout(release, 40);
    const resumesAt = performance.now() + 100;
    while (performance.now() < resumesAt);

    await expect(admitted).resolves.toEqual(expect.any(Function));
  });

  it('never exceeds its limits and never loses capacity, in any order of entries and releases', () => {
    const steps = fc.array(fc.record({ who: fc.nat(2), weight: fc.integer({ min: 1, max: 6 }), leaves: fc.boolean() }));
    fc.assert(
      fc.property(steps, (all) => {
        const queue = createQueue({ perHolder: 4, total: 6, waitingMax: 1_000 });
        const admittedEntries: { readonly who: number; readonly weight: number; readonly release: Release }[] = [];
        for (const { who, weight, leaves } of all) {
          if (leaves) admittedEntries.shift()?.release();
          const entered = queue.enter([a, b, c][who] ?? a, weight);
          if (typeof entered === 'function')
            admittedEntries.push({ who, weight: Math.min(weight, 4), release: entered });
          else {
            entered.admitted.catch(() => undefined);
            entered.leave();
          }
          const sum = (entries: typeof admittedEntries) => entries.reduce((total, entry) => total + entry.weight, 0);
          expect(sum(admittedEntries)).toBeLessThanOrEqual(6);
          for (const holder of [0, 1, 2])
            expect(sum(admittedEntries.filter((entry) => entry.who === holder))).toBeLessThanOrEqual(4);
        }
        for (const { release } of admittedEntries) release();
        expect(typeof queue.enter(a, 4)).toBe('function');
      }),
    );
  });
});
