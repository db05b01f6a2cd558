import fc from 'fast-check';
import { type EffectiveView, effectiveView, type ValueWrite, viewAfter } from './effective-view.ts';
import type { ValueRow } from './precedence.ts';
import { createResolver, type ParameterRow, type ProjectConfiguration } from './resolution.ts';
import { indexById, listLineage } from './tree.ts';

interface Value extends ValueRow {
  readonly text: string | null;
}
type Model = ProjectConfiguration<ParameterRow, Value>;
type View = EffectiveView<ParameterRow, Value>;

/** Sets or replaces a value; null removes it. */
interface Input {
  readonly parameter: number;
  readonly environment: number;
  readonly text: string | null;
  readonly removes: boolean;
}

const NAMES = ['a', 'A', 'b-c', 'bc'];

const inputs = (maxLength: number) =>
  fc.array(
    fc.record({
      parameter: fc.nat(),
      environment: fc.nat(),
      text: fc.option(fc.string({ maxLength: 3 })),
      removes: fc.boolean(),
    }),
    { maxLength },
  );

/** Random environment trees and project chains with parameters, and one project outside the chain. */
const models: fc.Arbitrary<Model> = fc
  .record({
    picks: fc.array(fc.nat(), { maxLength: 5 }),
    projects: fc.integer({ min: 1, max: 3 }),
    owned: fc.uniqueArray(fc.tuple(fc.nat({ max: 3 }), fc.constantFrom(...NAMES)), {
      minLength: 1,
      selector: ([project, name]) => `${project} ${name}`,
    }),
  })
  .map(({ picks, projects, owned }) => ({
    environments: [0, ...picks].map((pick, index) => ({
      id: `e${index}`,
      name: `e${index}`,
      parentId: index === 0 ? null : `e${pick % index}`,
    })),
    projectChain: Array.from({ length: projects }, (_, index) => ({ id: `p${index}`, name: `p${index}` })),
    parameters: owned.map(([project, name]) => ({ id: `p${project}.${name}`, projectId: `p${project}`, name })),
    values: [],
  }));

/** The writes and the model after them. The model holds one value per parameter and environment. */
function act(model: Model, all: readonly Input[]): { after: Model; writes: readonly ValueWrite<Value>[] } {
  const values = new Map(model.values.map((value) => [value.id, value]));
  const writes = all.flatMap(({ parameter, environment, text, removes }): ValueWrite<Value>[] => {
    const parameterId = model.parameters[parameter % model.parameters.length]?.id ?? '';
    const environmentId = model.environments[environment % model.environments.length]?.id ?? '';
    const id = `${parameterId}@${environmentId}`;
    if (removes) return values.delete(id) ? [{ parameterId, environmentId, value: null }] : [];
    const value = { id, parameterId, environmentId, text };
    values.set(id, value);
    return [{ parameterId, environmentId, value }];
  });
  return { after: { ...model, values: [...values.values()] }, writes };
}

function buildViews(model: Model): ReadonlyMap<string, View> {
  const nodes = indexById(model.environments);
  return new Map(
    model.environments.map(({ id }) => [id, effectiveView({ ...model, lineage: listLineage(nodes, id) })] as const),
  );
}

describe('effectiveView', () => {
  it('returns the same values as the resolver', () => {
    fc.assert(
      fc.property(models, inputs(30), (empty, edits) => {
        const { after: model } = act(empty, edits);
        const { visible, inEnvironment } = createResolver(model);
        for (const [id, view] of buildViews(model)) {
          expect(view.visible).toEqual(visible);
          expect(view.effective).toEqual(inEnvironment(id));
        }
      }),
    );
  });
});

describe('afterWrites', () => {
  it('returns the same view as a new resolution, for any writes in any order', () => {
    let followed = 0;
    fc.assert(
      fc.property(models, inputs(20), fc.array(inputs(4), { maxLength: 6 }), (empty, first, rounds) => {
        let { after: model } = act(empty, first);
        let views = buildViews(model);
        for (const round of rounds) {
          const { after, writes } = act(model, round);
          const anew = buildViews(after);
          const next = [...views].map(([id, view]): [string, View] => {
            const moved = viewAfter(view, writes);
            if (moved !== view) followed += 1;
            expect([id, moved.effective]).toEqual([id, anew.get(id)?.effective]);
            return [id, moved];
          });
          views = new Map(next);
          model = after;
        }
      }),
    );
    expect(followed).toBeGreaterThan(100);
  });

  it.each`
    write                           | because
    ${['base.port', 'staging']}     | ${'a sibling environment does not count'}
    ${['other.port', 'production']} | ${'another project does not count'}
  `('returns the same object: $because', ({ write: [parameterId, environmentId] }) => {
    const view = ports();
    for (const value of [null, { id: 'new', parameterId, environmentId, text: '1' }]) {
      expect(viewAfter(view, [{ parameterId, environmentId, value }])).toBe(view);
    }
  });

  it('returns the same values if a nearer value overrides the written one', () => {
    const view = ports();
    const [parameterId, environmentId] = ['base.port', 'default'];
    for (const value of [null, { id: 'new', parameterId, environmentId, text: '1' }]) {
      expect(viewAfter(view, [{ parameterId, environmentId, value }]).effective).toBe(view.effective);
    }
  });

  it('shows the value that a removed value overrode', () => {
    const [parameterId, environmentId] = ['base.port', 'production'];
    const uncovered = viewAfter(ports(), [{ parameterId, environmentId, value: null }]);
    expect(uncovered.effective).toMatchObject([{ environmentId: 'default' }]);
    expect(viewAfter(uncovered, [{ parameterId, environmentId: 'default', value: null }]).effective).toEqual([null]);
  });
});

/** `child` depends on `base`, which has a value for `production` and one that this value overrides. */
function ports(): View {
  const at = (environmentId: string) => ({ id: environmentId, parameterId: 'base.port', environmentId, text: '80' });
  return effectiveView({
    lineage: ['production', 'default'],
    projectChain: ['child', 'base'].map((id) => ({ id, name: id })),
    parameters: ['child', 'base'].map((projectId) => ({ id: `${projectId}.port`, projectId, name: 'port' })),
    values: [at('default'), at('production')],
  });
}
