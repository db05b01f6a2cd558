import fc from 'fast-check';
import type { ValueRow } from './precedence.ts';
import { createResolver, type EnvironmentNode } from './resolution.ts';
import { listEnvironmentsReached } from './value-reach.ts';

const tree: readonly EnvironmentNode[] = [
  { id: 'default', name: 'default', parentId: null },
  { id: 'production', name: 'production', parentId: 'default' },
  { id: 'eu', name: 'eu', parentId: 'production' },
  { id: 'staging', name: 'staging', parentId: 'default' },
];
const names = (environments: readonly EnvironmentNode[]) => environments.map(({ name }) => name);
const set = (parameterId: string, environmentId: string) => ({ parameterId, environmentId });

describe('environmentsReached', () => {
  it('returns the environment of the value and the descendants without a value of their own', () => {
    const reachInputs = { environments: tree, owners: ['x'], values: [set('x', 'default'), set('x', 'production')] };
    expect(names(listEnvironmentsReached(reachInputs, set('x', 'default')))).toEqual(['default', 'staging']);
    expect(names(listEnvironmentsReached(reachInputs, set('x', 'production')))).toEqual(['production', 'eu']);
  });

  it('stops where another project of the chain sets the name, and is empty if a nearer project does', () => {
    const owners = ['child', 'base'];
    const values = [set('child', 'default'), set('base', 'default'), set('base', 'production')];
    const reachInputs = { environments: tree, owners, values };
    expect(names(listEnvironmentsReached(reachInputs, set('child', 'default')))).toEqual(['default', 'staging']);
    expect(listEnvironmentsReached(reachInputs, set('base', 'default'))).toEqual([]);
  });

  it('agrees with the resolver: exactly these environments change when the value is removed', () => {
    const ids = fc.constantFrom(...tree.map(({ id }) => id));
    const values = fc.uniqueArray(fc.record({ parameterId: fc.constantFrom('near', 'far'), environmentId: ids }), {
      selector: ({ parameterId, environmentId }) => `${parameterId} ${environmentId}`,
      minLength: 1,
    });
    fc.assert(
      fc.property(values, fc.nat(), (settings, pick) => {
        const rows: ValueRow[] = settings.map((value, index) => ({ id: String(index), ...value }));
        const taken = rows[pick % rows.length] as ValueRow;
        const snapshot = {
          environments: tree,
          projectChain: [
            { id: 'p', name: 'p' },
            { id: 'q', name: 'q' },
          ],
          parameters: [
            { id: 'near', projectId: 'p', name: 'x' },
            { id: 'far', projectId: 'q', name: 'x' },
          ],
        };
        const before = createResolver({ ...snapshot, values: rows });
        const after = createResolver({ ...snapshot, values: rows.filter((row) => row !== taken) });
        const differing = tree.filter(({ id }) => before.at({ name: 'x' }, id) !== after.at({ name: 'x' }, id));
        const reached = listEnvironmentsReached({ environments: tree, owners: ['near', 'far'], values: rows }, taken);
        expect(new Set(reached)).toEqual(new Set(differing));
      }),
    );
  });
});
