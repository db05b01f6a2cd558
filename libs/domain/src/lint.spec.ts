import fc from 'fast-check';
import {
  canExpire,
  type DependentName,
  findDependentsAffectedByRemoval,
  findEnvironmentsWithout,
  findRedundantValues,
  type LintedValue,
  listLeaves,
  mayBeUnreferenced,
  unmarkedSecrets,
  unreferencedReason,
} from './lint.ts';
import { effectiveValueOfName, indexValues, valuesOfName } from './precedence.ts';

/**
 * Each project depends on an earlier one or on none, and each environment is below an earlier one. Some projects own
 * the name.
 */
interface Plan {
  readonly parents: readonly number[];
  readonly dependsOn: readonly number[];
  readonly owns: readonly boolean[];
  readonly texts: readonly (readonly (string | null | undefined)[])[];
}

const SIZE = 4;
const plans: fc.Arbitrary<Plan> = fc.record({
  parents: fc.array(fc.nat(), { minLength: SIZE, maxLength: SIZE }),
  dependsOn: fc.array(fc.nat(), { minLength: SIZE, maxLength: SIZE }),
  owns: fc.array(fc.boolean(), { minLength: SIZE, maxLength: SIZE }),
  texts: fc.array(fc.array(fc.constantFrom('a', 'a', 'b', null, undefined), { minLength: SIZE, maxLength: SIZE }), {
    minLength: SIZE,
    maxLength: SIZE,
  }),
});

const valueIn = (parameterId: string, environmentId: string, text: string | null, more: Partial<LintedValue> = {}) => ({
  id: `${parameterId} in ${environmentId}`,
  parameterId,
  environmentId,
  text,
  sealed: null,
  interpolated: false,
  ...more,
});

const createOwner = (project: string, more: { secret?: boolean; expires?: string | null } = {}) => ({
  id: `x of ${project}`,
  projectId: project,
  secret: false,
  expires: null,
  ...more,
});

function buildOrganization({ parents, dependsOn, owns, texts }: Plan) {
  const listAncestors = (links: readonly number[], start: number): number[] => {
    const next = start === 0 ? null : ((links[start] ?? 0) % (start + 1)) - 1;
    return next === null || next < 0 ? [start] : [start, ...listAncestors(links, next)];
  };
  const environment = (number: number) => `environment ${number}`;
  const project = (number: number) => `project ${number}`;
  // Only the first environment is a root, because there is one tree.
  const lineage = (number: number): number[] => {
    const ancestors = listAncestors(parents, number);
    return ancestors.includes(0) ? ancestors : [...ancestors, 0];
  };
  const findLineage = (id: string) => lineage(Number(id.split(' ')[1])).map(environment);
  const numbers = [...Array(SIZE).keys()];
  const values = numbers.flatMap((owner) =>
    numbers.flatMap((where) => {
      const text = owns[owner] ? texts[owner]?.[where] : undefined;
      return text === undefined ? [] : [valueIn(`x of ${project(owner)}`, environment(where), text)];
    }),
  );
  const chains = new Map(numbers.map((number) => [project(number), listAncestors(dependsOn, number).map(project)]));
  const owned = new Set(numbers.filter((number) => owns[number]).map(project));
  const ownersIn = (id: string) =>
    (chains.get(id) ?? []).filter((projectId) => owned.has(projectId)).map((projectId) => createOwner(projectId));
  const environments = numbers.map(environment);
  const effective = (lintedValues: readonly LintedValue[]) =>
    [...chains.keys()].flatMap((id) =>
      environments.map((where) => {
        const winner = effectiveValueOfName(valuesOfName(ownersIn(id), indexValues(lintedValues)), findLineage(where));
        return winner === null ? 'nothing' : [winner.text];
      }),
    );
  return { values, chains, owned, ownersIn, lineageOf: findLineage, effective };
}

const nothingClosed = () => false;

describe('redundantValues', () => {
  it('can all be removed without changing an effective value, if no project below would see another one', () => {
    let removed = 0;
    fc.assert(
      fc.property(plans, (plan) => {
        const { values, chains, owned, ownersIn, lineageOf, effective } = buildOrganization(plan);
        const index = indexValues(values);
        const redundant = [...owned].flatMap((owner) => {
          const descendants = [...chains].filter(([id, chain]) => id !== owner && chain.includes(owner));
          const dependents: DependentName[] = descendants.map(([projectId]) => ({
            projectId,
            owners: ownersIn(projectId),
            index,
            projectChain: chains.get(projectId) ?? [],
            isOpen: true,
          }));
          return findRedundantValues(
            { owners: ownersIn(owner), index, projectChain: chains.get(owner) ?? [] },
            lineageOf,
            nothingClosed,
          )
            .filter((redundancy) => findDependentsAffectedByRemoval(redundancy, dependents, lineageOf).length === 0)
            .map(({ value }) => value.id);
        });
        removed += redundant.length;

        const after = values.filter(({ id }) => !redundant.includes(id));
        expect(effective(after)).toEqual(effective(values));
      }),
      { numRuns: 500 },
    );
    expect(removed).toBeGreaterThan(100);
  });

  const CHAIN = ['shop', 'middle', 'base'];
  const findLineage = (id: string) => (id === 'default' ? ['default'] : [id, 'default']);
  const findRedundant = (
    values: readonly LintedValue[],
    owners = [createOwner('shop'), createOwner('base')],
    isClosed: (scope: string) => boolean = nothingClosed,
  ) =>
    findRedundantValues({ owners, index: indexValues(values), projectChain: CHAIN }, findLineage, isClosed).map(
      ({ value }) => value.id,
    );
  const ownValue = (text: string | null, more = {}) => valueIn('x of shop', 'production', text, more);

  it.each`
    value                                    | behind                                                          | expected
    ${ownValue('a')}                         | ${valueIn('x of shop', 'default', 'a')}                         | ${1}
    ${ownValue('a')}                         | ${valueIn('x of base', 'production', 'a')}                      | ${1}
    ${ownValue('a')}                         | ${valueIn('x of base', 'default', 'b')}                         | ${0}
    ${ownValue(null)}                        | ${valueIn('x of base', 'default', null)}                        | ${1}
    ${ownValue('a', { interpolated: true })} | ${valueIn('x of shop', 'default', 'a', { interpolated: true })} | ${1}
    ${ownValue('a', { interpolated: true })} | ${valueIn('x of base', 'default', 'a', { interpolated: true })} | ${0}
    ${ownValue('a', { interpolated: true })} | ${valueIn('x of shop', 'default', 'a')}                         | ${0}
  `('$value.text over $behind.id ($behind.text): $expected', ({ value, behind, expected }) => {
    expect(findRedundant([value, behind])).toHaveLength(expected);
  });

  it('reveals nothing about secrets, expiring values and values behind a forbidden cell', () => {
    const values = [ownValue('a'), valueIn('x of base', 'default', 'a')];
    expect(findRedundant(values)).toHaveLength(1);
    expect(findRedundant(values, [createOwner('shop', { secret: true }), createOwner('base')])).toEqual([]);
    expect(findRedundant(values, [createOwner('shop'), createOwner('base', { secret: true })])).toEqual([]);
    expect(findRedundant(values, [createOwner('shop', { expires: 'P1D' }), createOwner('base')])).toEqual([]);
    expect(findRedundant(values, undefined, (scope) => scope === 'base')).toEqual([]);
    expect(findRedundant(values, undefined, (scope) => scope === 'default')).toEqual([]);
    // A forbidden project without the name gives the same result as one with it.
    expect(findRedundant(values, undefined, (scope) => scope === 'middle')).toEqual([]);
    // The forbidden cell has no value, and the result must not reveal that.
    const sealed = [ownValue(null, { sealed: '\\x00' }), valueIn('x of shop', 'default', null, { sealed: '\\x00' })];
    expect(findRedundant(sealed, [createOwner('shop', { secret: true })])).toEqual([]);
  });

  it('are not reported if the effective value of a dependent project would or might change', () => {
    const values = [valueIn('x of base', 'production', 'a'), valueIn('x of base', 'default', 'a')];
    const [redundancy] = findRedundantValues(
      { owners: [createOwner('base')], index: indexValues(values), projectChain: ['base'] },
      findLineage,
      nothingClosed,
    );
    if (!redundancy) throw new Error('It is redundant.');
    const createDependent = (text: string | null | undefined, isOpen = true): DependentName => ({
      projectId: 'shop',
      owners: [createOwner('shop'), createOwner('base')],
      index: indexValues(text === undefined ? values : [...values, valueIn('x of shop', 'default', text)]),
      projectChain: CHAIN,
      isOpen,
    });
    const listAffected = (dependent: DependentName) =>
      findDependentsAffectedByRemoval(redundancy, [dependent], findLineage);

    expect(listAffected(createDependent(undefined))).toEqual([]);
    expect(listAffected(createDependent('a'))).toEqual([]);
    expect(listAffected(createDependent('b'))).toEqual(['shop']);
    // The caller has no access, so all three cases must look the same: same text, different text and no text.
    for (const text of ['a', 'b', undefined]) expect(listAffected(createDependent(text, false))).toEqual(['shop']);
  });
});

describe('environmentsWithout', () => {
  it('lists the leaves without any value, not even an explicit null', () => {
    const environments = [
      { id: 'default', parentId: null },
      { id: 'staging', parentId: 'default' },
      { id: 'production', parentId: 'default' },
      { id: 'canary', parentId: 'production' },
    ];
    const leaves = listLeaves(environments).map(({ id }) => id);
    const findLineage = (id: string) => (id === 'canary' ? ['canary', 'production', 'default'] : [id, 'default']);
    const without = (...values: LintedValue[]) =>
      findEnvironmentsWithout({ owners: [createOwner('p')], index: indexValues(values) }, leaves, findLineage);

    expect(leaves).toEqual(['staging', 'canary']);
    expect(without()).toEqual(['staging', 'canary']);
    expect(without(valueIn('x of p', 'production', 'a'))).toEqual(['staging']);
    expect(without(valueIn('x of p', 'staging', null))).toEqual(['canary']);
    expect(without(valueIn('x of p', 'default', 'a'))).toEqual([]);
  });
});

describe('clearSecrets', () => {
  it('groups the environments by reason and finds nothing in secret parameters', () => {
    const parameter = { name: 'PASSWORD', type: 'string', secret: false };
    const values = [
      valueIn('x', 'default', 'changeme'),
      valueIn('x', 'staging', 'changeme too'),
      valueIn('x', 'production', 'https://a:hunter2@b'),
      valueIn('x', 'canary', null),
    ];

    expect(unmarkedSecrets(parameter, values)).toEqual([
      { look: 'secret_name', environmentIds: ['default', 'staging'] },
      { look: 'password_in_url', environmentIds: ['production'] },
    ]);
    expect(unmarkedSecrets({ ...parameter, secret: true }, values)).toEqual([]);
  });
});

describe('unreferencedReason', () => {
  it.each`
    name      | isSet    | isMentioned | isOverriddenOrOverrides | mentionsUnexportedNames | reason
    ${'PORT'} | ${true}  | ${false}    | ${false}                | ${true}                 | ${null}
    ${'PORT'} | ${false} | ${false}    | ${false}                | ${false}                | ${'never_set'}
    ${'PORT'} | ${false} | ${true}     | ${false}                | ${false}                | ${null}
    ${'PORT'} | ${false} | ${false}    | ${true}                 | ${false}                | ${null}
    ${'a.b'}  | ${true}  | ${false}    | ${false}                | ${true}                 | ${'not_exported'}
    ${'a.b'}  | ${true}  | ${false}    | ${false}                | ${false}                | ${null}
    ${'a.b'}  | ${true}  | ${false}    | ${true}                 | ${true}                 | ${'not_exported'}
    ${'a.b'}  | ${true}  | ${true}     | ${false}                | ${true}                 | ${null}
  `('returns $reason for $name with isSet $isSet and isMentioned $isMentioned', ({ reason, ...use }) => {
    expect(unreferencedReason(use)).toBe(reason);
    if (reason !== null) expect(mayBeUnreferenced(use)).toBe(true);
  });
});

describe('canExpire', () => {
  it('is true for literal texts, including secrets', () => {
    expect(canExpire(valueIn('x', 'e', 'a'))).toBe(true);
    expect(canExpire(valueIn('x', 'e', null, { sealed: '\\x00' }))).toBe(true);
    expect(canExpire(valueIn('x', 'e', null))).toBe(false);
    expect(canExpire(valueIn('x', 'e', 'a', { interpolated: true }))).toBe(false);
  });
});
