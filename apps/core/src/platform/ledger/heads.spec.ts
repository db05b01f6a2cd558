import { setImmediate as nextTurn } from 'node:timers/promises';
import type { OrganizationId } from '@strata/domain';
import type { EntityManager } from 'typeorm';
import { SnapshotReader } from '../postgres/snapshot-reader.ts';
import { Heads } from './heads.ts';
import { SeenHeads } from './seen-heads.ts';

const HEAD = { id: 'a' as OrganizationId, epoch: 'e', revision: 7, at: '2026-11-20T10:00:00.000000Z' };

describe('a query for the heads of organizations', () => {
  it('that gets no response does not block later requests, and returns its response when it arrives', async () => {
    const { promise: response, resolve: respond } = Promise.withResolvers<object[]>();
    let requests = 0;
    const query = () => {
      requests += 1;
      return requests === 1 ? response : Promise.resolve([HEAD]);
    };
    const heads = new Heads(SnapshotReader.within({ query } as unknown as EntityManager), new SeenHeads());

    const stuck = heads.of(HEAD.id);
    while (requests === 0) await nextTurn();
    expect(await heads.of(HEAD.id)).toEqual(HEAD);

    respond([HEAD]);
    expect(await stuck).toEqual(HEAD);
  });
});
