import { setImmediate as round } from 'node:timers/promises';
import type { OrganizationId } from '@strata/domain';
import { CpuTurns } from './cpu-turns.ts';

const [a, b] = ['a', 'b'] as [OrganizationId, OrganizationId];

it('tasks of several organizations run in turns, one at a time, with rounds of the event loop in between', async () => {
  const turns = new CpuTurns();
  const order: string[] = [];
  let isOver = false;
  let rounds = 0;
  const work = async (organizationId: OrganizationId, name: string) => {
    for (let step = 0; step < 3; step += 1) {
      await turns.next(organizationId);
      order.push(name);
      // no other task ran in the same round of the event loop
      expect(rounds).toBeGreaterThan(0);
      rounds = 0;
    }
  };
  const clock = async () => {
    for (; !isOver; rounds += 1) await round();
  };
  const ticking = clock();
  await Promise.all([work(a, 'a1'), work(a, 'a2'), work(a, 'a3'), work(b, 'b')]);
  isOver = true;
  await ticking;

  expect(order.slice(0, 6).filter((name) => name === 'b')).toHaveLength(3);
  expect(order.toSorted().join(' ')).toBe('a1 a1 a1 a2 a2 a2 a3 a3 a3 b b b');
});
