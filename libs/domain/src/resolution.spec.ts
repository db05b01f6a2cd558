import fc from 'fast-check';
import { compareNames } from './human-order.ts';
import { indexValues, type ValueRow } from './precedence.ts';
import {
  createResolver,
  type EnvironmentNode,
  effectiveValue,
  type ParameterRow,
  type ProjectConfiguration,
  visibleParameters,
} from './resolution.ts';
import { indexById, listLineage } from './tree.ts';

interface Parameter extends ParameterRow {
  readonly secret?: boolean;
}
interface Value extends ValueRow {
  readonly text: string | null;
}

const ENVIRONMENTS: readonly EnvironmentNode[] = [
  { id: 'default', name: 'default', parentId: null },
  { id: 'staging', name: 'staging', parentId: 'default' },
  { id: 'production', name: 'production', parentId: 'default' },
  { id: 'canary', name: 'canary', parentId: 'production' },
];
/** `child` depends on `middle`, which depends on `base`. */
const CHAIN = [
  { id: 'child', name: 'child' },
  { id: 'middle', name: 'middle' },
  { id: 'base', name: 'base' },
];

/** Builds `base.port`: the parameter `port` of the project `base`. */
function parameter(path: string): Parameter {
  const [projectId = '', name = ''] = path.split('.');
  return { id: path, projectId, name };
}

function value(parameterId: string, environmentId: string, text: string | null): Value {
  return { id: `${parameterId}@${environmentId}`, parameterId, environmentId, text };
}

/** Builds values from a map such as `{ 'base.port': { default: '80' } }`. */
function snapshot(
  stored: Readonly<Record<string, Record<string, string | null>>>,
): ProjectConfiguration<Parameter, Value> {
  return {
    environments: ENVIRONMENTS,
    projectChain: CHAIN,
    parameters: Object.keys(stored).map(parameter),
    values: Object.entries(stored).flatMap(([path, texts]) =>
      Object.entries(texts).map(([environment, text]) => value(path, environment, text)),
    ),
  };
}

describe('visibleParameters', () => {
  it.each`
    owned                                              | shown                                                                                     | because
    ${['child.port']}                                  | ${['child.port over nothing']}                                                            | ${'a project shows its own'}
    ${['base.port']}                                   | ${['base.port over nothing']}                                                             | ${'and those of all projects above'}
    ${['base.port', 'child.port']}                     | ${['child.port over base.port']}                                                          | ${'the nearest owner wins'}
    ${['base.port', 'middle.port', 'child.port']}      | ${['child.port over middle.port']}                                                        | ${'it overrides the next one only'}
    ${['base.port', 'middle.port']}                    | ${['middle.port over base.port']}                                                         | ${'an override may be inherited'}
    ${['sibling.port', 'base.host']}                   | ${['base.host over nothing']}                                                             | ${'other projects do not count'}
    ${['base.Port', 'child.port']}                     | ${['child.port over nothing', 'base.Port over nothing']}                                  | ${'names differ by case'}
    ${['base.web', 'child.TestProject', 'base.redis']} | ${['base.redis over nothing', 'child.TestProject over nothing', 'base.web over nothing']} | ${'human order, not by owner'}
    ${['child.__proto__', 'base.constructor']}         | ${['base.constructor over nothing', 'child.__proto__ over nothing']}                      | ${'no name is special'}
  `('$because: of $owned it shows $shown', ({ owned, shown }) => {
    const visible = visibleParameters(CHAIN, owned.map(parameter));
    expect(visible.map((v) => `${v.parameter.id} over ${v.overridden?.id ?? 'nothing'}`)).toEqual(shown);
  });

  it('lists all owners, nearest first, for any order of the rows', () => {
    const [port] = visibleParameters(CHAIN, ['middle.port', 'base.port', 'child.port'].map(parameter));
    expect(port?.owners.map(({ id }) => id)).toEqual(['child.port', 'middle.port', 'base.port']);
  });

  it('returns the original rows with all their columns', () => {
    const row = { ...parameter('child.password'), secret: true };
    expect(visibleParameters(CHAIN, [row])[0]?.parameter).toBe(row);
  });

  it('rejects a project that owns a name twice', () => {
    const twice = [parameter('base.port'), { ...parameter('base.port'), id: 'again' }];
    expect(() => visibleParameters(CHAIN, twice)).toThrow('owns one name twice: again');
  });
});

describe('indexValues', () => {
  it('rejects a second value of a parameter in an environment', () => {
    const values = [value('base.port', 'default', '1'), { ...value('base.port', 'default', '2'), id: 'again' }];
    expect(() => indexValues(values)).toThrow('Value again is the second one');
  });
});

describe('effective values', () => {
  // Runs each case with both implementations: the loop of the contract and the resolver.
  it.each`
    requested       | stored                                                                                      | found        | because
    ${'production'} | ${{ 'child.port': { default: '8080' }, 'base.port': { default: '80', production: '443' } }} | ${'443'}     | ${'environment counts before project'}
    ${'default'}    | ${{ 'child.port': { default: '8080' }, 'base.port': { default: '80', production: '443' } }} | ${'8080'}    | ${'in one environment the nearer project wins'}
    ${'production'} | ${{ 'child.port': { default: '8080' }, 'base.port': { default: '80' } }}                    | ${'8080'}    | ${'without a value in production the default counts'}
    ${'canary'}     | ${{ 'child.port': { default: '8080' }, 'base.port': { production: '443' } }}                | ${'443'}     | ${'ancestors are asked one after the other'}
    ${'canary'}     | ${{ 'child.port': { canary: '1', production: '2' } }}                                       | ${'1'}       | ${'an own value wins'}
    ${'staging'}    | ${{ 'child.port': { production: '2', canary: '3' } }}                                       | ${undefined} | ${'siblings and their children do not count'}
    ${'default'}    | ${{ 'child.port': { production: '2' } }}                                                    | ${undefined} | ${'nothing flows upwards'}
    ${'production'} | ${{ 'child.port': { production: null }, 'base.port': { production: '443' } }}               | ${null}      | ${'an explicit null hides the parent project'}
    ${'canary'}     | ${{ 'child.port': { production: null, default: '80' } }}                                    | ${null}      | ${'an explicit null hides the parent environment'}
    ${'default'}    | ${{ 'child.port': { default: '' }, 'base.port': { default: '80' } }}                        | ${''}        | ${'an empty text is a value'}
    ${'canary'}     | ${{ 'child.port': {}, 'middle.port': {}, 'base.port': { default: '80' } }}                  | ${'80'}      | ${'it may come from the far end of both chains'}
    ${'canary'}     | ${{ 'child.port': {}, 'base.host': { default: 'x' } }}                                      | ${undefined} | ${'another name does not count'}
  `('$because: $stored in $requested is $found', ({ requested, stored, found }) => {
    const configuration = snapshot(stored);
    const { visible, at } = createResolver(configuration);
    const port = visible.find((v) => v.parameter.name === 'port');
    expect(at({ name: 'port' }, requested)?.text).toBe(found);
    const chain = listLineage(indexById(ENVIRONMENTS), requested);
    expect(effectiveValue(port?.owners ?? [], chain, indexValues(configuration.values))?.text).toBe(found);
  });

  it('reports where a value is set', () => {
    const { at } = createResolver(snapshot({ 'child.port': {}, 'base.port': { production: '443' } }));
    expect(at({ name: 'port' }, 'canary')).toMatchObject({ parameterId: 'base.port', environmentId: 'production' });
  });

  it('returns the next value after one is deleted', () => {
    const before = snapshot({ 'child.port': { default: '8080' }, 'base.port': { production: '443' } });
    const after = { ...before, values: before.values.filter(({ text }) => text !== '443') };
    expect(createResolver(before).at({ name: 'port' }, 'production')?.text).toBe('443');
    expect(createResolver(after).at({ name: 'port' }, 'production')?.text).toBe('8080');
  });

  it('ignores values of parameters that the project does not show', () => {
    const configuration = snapshot({ 'child.port': {} });
    const { at } = createResolver({ ...configuration, values: [value('sibling.port', 'default', '1')] });
    expect(at({ name: 'port' }, 'default')).toBeNull();
  });

  it('throws for an unknown name or environment', () => {
    const { at, inEnvironment } = createResolver(snapshot({ 'child.port': {} }));
    expect(() => at({ name: 'host' }, 'default')).toThrow('does not show');
    expect(() => at({ name: 'port' }, 'nowhere')).toThrow('not part of this forest');
    expect(() => inEnvironment('nowhere')).toThrow('not part of this forest');
  });
});

/** Random environment trees, project chains, parameters and values, small enough that names collide often. */
const snapshots: fc.Arbitrary<ProjectConfiguration<Parameter, Value>> = fc
  .record({
    picks: fc.array(fc.nat(), { maxLength: 6 }),
    projects: fc.integer({ min: 1, max: 4 }),
    owned: fc.uniqueArray(fc.tuple(fc.nat({ max: 4 }), fc.constantFrom('a', 'A', 'b-c', 'bc', 'd')), {
      selector: ([project, name]) => `p${project}.${name}`,
    }),
    cells: fc.uniqueArray(fc.tuple(fc.nat({ max: 24 }), fc.nat({ max: 6 }), fc.option(fc.string())), {
      maxLength: 60,
      selector: ([owner, environment]) => `${owner} ${environment}`,
    }),
  })
  .map(({ picks, projects, owned, cells }) => {
    const environments = [0, ...picks].map((pick, i) => ({
      id: `e${i}`,
      name: `e${i}`,
      parentId: i === 0 ? null : `e${pick % i}`,
    }));
    const parameters = owned.map(([project, name]) => parameter(`p${project}.${name}`));
    const values = cells
      .filter(([owner, environment]) => owner < parameters.length && environment < environments.length)
      .map(([owner, environment, text]) => value(parameters[owner]?.id ?? '', `e${environment}`, text));
    const projectChain = Array.from({ length: projects }, (_, i) => ({ id: `p${i}`, name: `p${i}` }));
    return { environments, projectChain, parameters, values };
  });

describe('resolver', () => {
  it('agrees with the loop of the contract for every name in every environment', () => {
    fc.assert(
      fc.property(snapshots, (configuration) => {
        const { visible, at, inEnvironment } = createResolver(configuration);
        for (const { id: environmentId } of configuration.environments) {
          const expected = visible.map(({ parameter: { name } }) => slowly(configuration, name, environmentId));
          expect(visible.map((v) => at(v.parameter, environmentId))).toEqual(expected);
          expect(inEnvironment(environmentId)).toEqual(expected);
        }
      }),
    );
  });

  it('shows each name of the chain once, in order, owned by the nearest project', () => {
    fc.assert(
      fc.property(snapshots, (configuration) => {
        const chain = configuration.projectChain.map(({ id }) => id);
        const names = configuration.parameters.filter((p) => chain.includes(p.projectId)).map(({ name }) => name);
        const { visible } = createResolver(configuration);
        expect(visible.map((v) => v.parameter.name)).toEqual([...new Set(names)].sort(compareNames));
        for (const { owners } of visible) {
          const distances = owners.map(({ projectId }) => chain.indexOf(projectId));
          expect(distances).toEqual([...new Set(distances)].sort((a, b) => a - b));
        }
      }),
    );
  });

  it('limits the effect of a write to its environment and the descendants', () => {
    fc.assert(
      fc.property(snapshots, fc.nat(), (configuration, n) => {
        const removed = configuration.values[n % (configuration.values.length || 1)];
        if (removed === undefined) return;
        const before = createResolver(configuration);
        const after = createResolver({ ...configuration, values: configuration.values.filter((v) => v !== removed) });
        const nodes = indexById(configuration.environments);
        for (const { id } of configuration.environments) {
          if (listLineage(nodes, id).includes(removed.environmentId)) continue;
          expect(after.inEnvironment(id)).toEqual(before.inEnvironment(id));
        }
      }),
    );
  });

  it('does not modify its inputs', () => {
    fc.assert(
      fc.property(snapshots, (configuration) => {
        const copy = structuredClone(configuration);
        const { inEnvironment } = createResolver(configuration);
        for (const { id } of configuration.environments) inEnvironment(id);
        expect(configuration).toEqual(copy);
      }),
    );
  });
});

/** The pseudo code of the contract, line by line, on the plain rows. */
function slowly(
  { environments, projectChain, parameters, values }: ProjectConfiguration<Parameter, Value>,
  name: string,
  start: string,
) {
  let environment = environments.find(({ id }) => id === start);
  while (environment) {
    const here = environment.id;
    for (const project of projectChain) {
      const owner = parameters.find((p) => p.projectId === project.id && p.name === name);
      const value = values.find((v) => v.parameterId === owner?.id && v.environmentId === here);
      if (value) return value;
    }
    const { parentId }: EnvironmentNode = environment;
    environment = environments.find(({ id }) => id === parentId);
  }
  return null;
}
