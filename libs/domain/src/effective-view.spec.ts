import fc from 'fast-check';
import { afterWrites, type EffectiveView, effectiveView, type ValueWrite } from './effective-view.ts';
import type { ValueRow } from './precedence.ts';
import { type ParameterRow, resolver, type Snapshot } from './resolution.ts';
import { byId, lineage } from './tree.ts';

interface Value extends ValueRow {
  readonly text: string | null;
}
type World = Snapshot<ParameterRow, Value>;
type View = EffectiveView<ParameterRow, Value>;

/** Sets what is not there or replaces what is; null removes. */
interface Wish {
  readonly parameter: number;
  readonly environment: number;
  readonly text: string | null;
  readonly removes: boolean;
}

const NAMES = ['a', 'A', 'b-c', 'bc'];

const wishes = (maxLength: number) =>
  fc.array(
    fc.record({
      parameter: fc.nat(),
      environment: fc.nat(),
      text: fc.option(fc.string({ maxLength: 3 })),
      removes: fc.boolean(),
    }),
    { maxLength },
  );

/** Random trees of environments, chains of projects and parameters in them; one project too many, outside of the chain. */
const worlds: fc.Arbitrary<World> = fc
  .record({
    picks: fc.array(fc.nat(), { maxLength: 5 }),
    projects: fc.integer({ min: 1, max: 3 }),
    owned: fc.uniqueArray(fc.tuple(fc.nat({ max: 3 }), fc.constantFrom(...NAMES)), {
      minLength: 1,
      selector: ([project, name]) => `${project} ${name}`,
    }),
  })
  .map(({ picks, projects, owned }) => ({
    environments: [0, ...picks].map((pick, at) => ({
      id: `e${at}`,
      name: `e${at}`,
      parentId: at === 0 ? null : `e${pick % at}`,
    })),
    projectChain: Array.from({ length: projects }, (_, at) => ({ id: `p${at}`, name: `p${at}` })),
    parameters: owned.map(([project, name]) => ({ id: `p${project}.${name}`, projectId: `p${project}`, name })),
    values: [],
  }));

/** What was written, and the world after it; the world keeps one value for each parameter and environment. */
function act(world: World, all: readonly Wish[]): { after: World; writes: readonly ValueWrite<Value>[] } {
  const values = new Map(world.values.map((value) => [value.id, value]));
  const writes = all.flatMap(({ parameter, environment, text, removes }): ValueWrite<Value>[] => {
    const parameterId = world.parameters[parameter % world.parameters.length]?.id ?? '';
    const environmentId = world.environments[environment % world.environments.length]?.id ?? '';
    const id = `${parameterId}@${environmentId}`;
    if (removes) return values.delete(id) ? [{ parameterId, environmentId, value: null }] : [];
    const value = { id, parameterId, environmentId, text };
    values.set(id, value);
    return [{ parameterId, environmentId, value }];
  });
  return { after: { ...world, values: [...values.values()] }, writes };
}

function viewsOf(world: World): ReadonlyMap<string, View> {
  const nodes = byId(world.environments);
  return new Map(
    world.environments.map(({ id }) => [id, effectiveView({ ...world, lineage: lineage(nodes, id) })] as const),
  );
}

describe('effectiveView', () => {
  it('finds what the resolver finds', () => {
    fc.assert(
      fc.property(worlds, wishes(30), (empty, wanted) => {
        const { after: world } = act(empty, wanted);
        const { visible, inEnvironment } = resolver(world);
        for (const [id, view] of viewsOf(world)) {
          expect(view.visible).toEqual(visible);
          expect(view.found).toEqual(inEnvironment(id));
        }
      }),
    );
  });
});

describe('afterWrites', () => {
  it('leads to the view that would be made anew, whatever was written in whatever order', () => {
    let followed = 0;
    fc.assert(
      fc.property(worlds, wishes(20), fc.array(wishes(4), { maxLength: 6 }), (empty, first, rounds) => {
        let { after: world } = act(empty, first);
        let views = viewsOf(world);
        for (const round of rounds) {
          const { after, writes } = act(world, round);
          const anew = viewsOf(after);
          const next = [...views].map(([id, view]): [string, View] => {
            const moved = afterWrites(view, writes);
            if (moved !== view) followed += 1;
            expect([id, moved.found]).toEqual([id, anew.get(id)?.found]);
            return [id, moved];
          });
          views = new Map(next);
          world = after;
        }
      }),
    );
    expect(followed).toBeGreaterThan(100);
  });

  it.each`
    write                           | because
    ${['base.port', 'staging']}     | ${'a sibling environment does not count'}
    ${['other.port', 'production']} | ${'another project does not count'}
  `('answers the very view it was given: $because', ({ write: [parameterId, environmentId] }) => {
    const view = ports();
    for (const value of [null, { id: 'new', parameterId, environmentId, text: '1' }]) {
      expect(afterWrites(view, [{ parameterId, environmentId, value }])).toBe(view);
    }
  });

  it('finds the very same while a nearer value covers what is written', () => {
    const view = ports();
    const [parameterId, environmentId] = ['base.port', 'default'];
    for (const value of [null, { id: 'new', parameterId, environmentId, text: '1' }]) {
      expect(afterWrites(view, [{ parameterId, environmentId, value }]).found).toBe(view.found);
    }
  });

  it('shows what a removed value covered', () => {
    const [parameterId, environmentId] = ['base.port', 'production'];
    const uncovered = afterWrites(ports(), [{ parameterId, environmentId, value: null }]);
    expect(uncovered.found).toMatchObject([{ environmentId: 'default' }]);
    expect(afterWrites(uncovered, [{ parameterId, environmentId: 'default', value: null }]).found).toEqual([null]);
  });
});

/** `child` depends on `base`, which has a value for `production` and one that this covers. */
function ports(): View {
  const at = (environmentId: string) => ({ id: environmentId, parameterId: 'base.port', environmentId, text: '80' });
  return effectiveView({
    lineage: ['production', 'default'],
    projectChain: ['child', 'base'].map((id) => ({ id, name: id })),
    parameters: ['child', 'base'].map((projectId) => ({ id: `${projectId}.port`, projectId, name: 'port' })),
    values: [at('default'), at('production')],
  });
}
