import { setImmediate as nextTurn } from 'node:timers/promises';
import type { OrganizationId } from '@strata/domain';
import type { EntityManager } from 'typeorm';
import { isDatabaseUnavailable } from '../postgres/constraints.ts';
import { SnapshotReader } from '../postgres/snapshot-reader.ts';
import { Heads } from './heads.ts';

const HEAD = { id: 'a' as OrganizationId, epoch: 'e', revision: 7 };

afterEach(() => import.meta.jest.useRealTimers());

describe('a query for the heads of organizations', () => {
  it('closes a connection that stopped responding, and the next request succeeds', async () => {
    import.meta.jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
    let requests = 0;
    const query = () => {
      requests += 1;
      return requests === 1 ? new Promise(() => undefined) : Promise.resolve([HEAD]);
    };
    const heads = new Heads(SnapshotReader.within({ query } as unknown as EntityManager));

    const stuck = heads.of(HEAD.id).catch((error: unknown) => error);
    while (requests === 0) await nextTurn();
    const next = heads.of(HEAD.id);
    import.meta.jest.advanceTimersByTime(2_000);

    expect(isDatabaseUnavailable(await stuck)).toBe(true);
    expect(await next).toEqual(HEAD);
    expect(import.meta.jest.getTimerCount()).toBe(0);
  });
});
