import fc from 'fast-check';
import { buildMatrix, type CellFacts, isSameText, isSetHere, listCellStates } from './matrix.ts';
import type { ValueRow } from './precedence.ts';
import { createResolver, type ParameterRow, type ProjectConfiguration } from './resolution.ts';

/** default ← production ← canary; `shop` depends on `base`. */
const ENVIRONMENTS = [
  { id: 'default', name: 'default', parentId: null },
  { id: 'production', name: 'production', parentId: 'default' },
  { id: 'canary', name: 'canary', parentId: 'production' },
];
const CHAIN = [
  { id: 'shop', name: 'shop' },
  { id: 'base', name: 'base' },
];

/** Builds values of the name `port`, written `<project> <environment>`. */
function model(...set: readonly string[]): ProjectConfiguration {
  const parameters = CHAIN.map(({ id }) => ({ id: `port of ${id}`, projectId: id, name: 'port' }));
  const values = set.map((place) => {
    const [project, environmentId = ''] = place.split(' ');
    return { id: place, parameterId: `port of ${project}`, environmentId };
  });
  return { environments: ENVIRONMENTS, projectChain: CHAIN, parameters, values };
}

describe('withoutOwn', () => {
  it.each`
    set                                                   | closed            | answer
    ${['shop canary']}                                    | ${[]}             | ${'nothing'}
    ${['shop canary', 'base canary', 'shop production']}  | ${[]}             | ${'base canary'}
    ${['shop canary', 'shop production', 'base default']} | ${[]}             | ${'shop production'}
    ${['shop canary', 'base default']}                    | ${[]}             | ${'base default'}
    ${['shop canary', 'shop default']}                    | ${['production']} | ${'closed'}
    ${['shop canary', 'shop production']}                 | ${['production']} | ${'closed'}
    ${['shop canary', 'shop production']}                 | ${['default']}    | ${'shop production'}
    ${['shop canary']}                                    | ${['default']}    | ${'closed'}
    ${['shop canary', 'shop production']}                 | ${['base']}       | ${'closed'}
    ${['base production']}                                | ${[]}             | ${'base production'}
  `('returns $answer for the values $set with $closed forbidden', ({ set, closed, answer }) => {
    const winner = buildMatrix(model(...set), (scope) => closed.includes(scope)).withoutOwn(0, 'canary');

    expect(winner === 'closed' ? winner : (winner?.id ?? 'nothing')).toBe(answer);
  });

  it('returns what the resolver returns after the removal, for a caller with access to everything', () => {
    const places = CHAIN.flatMap(({ id }) => ENVIRONMENTS.map((environment) => `${id} ${environment.id}`));
    fc.assert(
      fc.property(fc.subarray(places), fc.constantFrom(...ENVIRONMENTS), (set, { id }) => {
        const remaining = set.filter((place) => place !== `shop ${id}`);
        const matrix = buildMatrix(model(...set), () => false);

        expect(matrix.at(0, id)).toEqual(createResolver(model(...set)).at({ name: 'port' }, id));
        expect(matrix.withoutOwn(0, id)).toEqual(createResolver(model(...remaining)).at({ name: 'port' }, id));
      }),
    );
  });
});

describe('isOwn', () => {
  const row = (project: string): ParameterRow => ({ id: `port of ${project}`, projectId: project, name: 'port' });
  const value = (project: string, environmentId: string): ValueRow => ({
    id: 'v',
    parameterId: `port of ${project}`,
    environmentId,
  });
  it.each`
    setIn                     | shownAs   | isOwnValue
    ${['shop', 'canary']}     | ${'shop'} | ${true}
    ${['shop', 'production']} | ${'shop'} | ${false}
    ${['base', 'canary']}     | ${'shop'} | ${false}
    ${['base', 'canary']}     | ${'base'} | ${false}
  `(
    'is $isOwnValue in shop and canary for a value in $setIn',
    ({ setIn: [project, environment], shownAs, isOwnValue }) => {
      const visible = { parameter: row(shownAs), overridden: null, owners: [row(shownAs)] };

      expect(isSetHere(value(project, environment), visible, { projectId: 'shop', environmentId: 'canary' })).toBe(
        isOwnValue,
      );
    },
  );
});

describe('isSameText', () => {
  const open = (text: string | null) => ({ kind: 'open', text }) as const;
  const hidden = (madeOf: string) => ({ kind: 'hidden', madeOf }) as const;
  it.each`
    left           | right          | expected
    ${null}        | ${null}        | ${true}
    ${null}        | ${open(null)}  | ${false}
    ${open(null)}  | ${null}        | ${false}
    ${open('')}    | ${open(null)}  | ${false}
    ${open('a')}   | ${open('a')}   | ${true}
    ${open('a')}   | ${open('b')}   | ${false}
    ${hidden('a')} | ${hidden('a')} | ${true}
    ${hidden('a')} | ${hidden('b')} | ${false}
    ${hidden('a')} | ${open('a')}   | ${false}
    ${open('a')}   | ${hidden('a')} | ${false}
  `('is $expected for $left and $right', ({ left, right, expected }) => {
    expect(isSameText(left, right)).toBe(expected);
  });
});

describe('listCellStates', () => {
  const FACTS: CellFacts = { value: null, isSecret: false, isDynamic: false, differs: false, isRedundant: false };
  const ownValue = { isOwn: true, isNull: false };
  it.each`
    facts                                                                                     | states
    ${FACTS}                                                                                  | ${['missing']}
    ${{ ...FACTS, differs: true }}                                                            | ${['missing', 'differs']}
    ${{ ...FACTS, value: ownValue }}                                                          | ${['own']}
    ${{ ...FACTS, value: { isOwn: false, isNull: true } }}                                    | ${['inherited', 'null']}
    ${{ value: ownValue, isSecret: true, isDynamic: true, differs: true, isRedundant: true }} | ${['own', 'secret', 'dynamic', 'differs', 'redundant']}
  `('returns $states', ({ facts, states }) => {
    expect(listCellStates(facts)).toEqual(states);
  });
});
