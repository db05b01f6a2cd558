import type { GatewayContext } from '../context.ts';
import type { Core, Query } from '../core.ts';
import { ViewerResolver } from './viewer.resolver.ts';

const user = { id: 'u', name: 'Ada', role: 'OWNER', organization_name: 'mine' };
const mine = { id: 'o', name: 'mine', current: true };

/** Of somebody with so many organizations that the current one is not on the first page. */
const core = {
  get: async (path: string, query: Query = {}) => {
    if (path === 'users/current/') return { body: user };
    if (query.name === 'mine') return { body: { next: null, results: [{ ...mine, id: 'x', current: false }, mine] } };
    return { body: { next: 'organizations/?page=2', results: [{ id: 'a', name: 'another', current: false }] } };
  },
} as unknown as Core;

describe('the viewer', () => {
  it('is told its organization, however many it has', async () => {
    const { organization } = await new ViewerResolver().viewer({ core } as GatewayContext);

    expect(organization).toMatchObject({ id: 'o', name: 'mine' });
  });
});
