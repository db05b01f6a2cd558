import fc from 'fast-check';
import {
  describeRevertConflict,
  isRevertible,
  type ObjectState,
  REVERT_CONFLICTS,
  type RevertConflictCode,
  type RevertContext,
  type RevertedObject,
  type RevertibleType,
  revertPlan,
} from './revert.ts';

/** Builds a state from a name and a parent. */
function state(name: string, parentId: string | null = null, version = `${name} below ${parentId}`): ObjectState {
  return {
    version,
    content: `${name} below ${parentId}`,
    key: name,
    parentId,
    needs: parentId === null ? [] : [parentId],
  };
}

const EMPTY: RevertContext = {
  isThere: () => false,
  findHolder: () => null,
  below: () => [],
  isLeftOut: () => false,
  findParent: () => null,
};
const NOTHING_EXCLUDED: ReadonlySet<string> = new Set();

interface States {
  readonly before?: ObjectState;
  readonly after?: ObjectState;
  readonly now?: ObjectState;
  readonly type?: RevertibleType;
  readonly isShared?: boolean;
}

function object(id: string, { before, after, now, type = 'Environment', isShared = false }: States): RevertedObject {
  return { type, id, before: before ?? null, after: after ?? null, now: now ?? null, isShared };
}

function planned(objects: readonly RevertedObject[], around: Partial<RevertContext> = {}, isOverwritten = false) {
  const plan = revertPlan(objects, { ...EMPTY, ...around }, { isOverwritten, excluded: NOTHING_EXCLUDED });
  const ids = (list: readonly RevertedObject[]) => list.map(({ id }) => id);
  return {
    revivals: ids(plan.revivals),
    updates: ids(plan.updates),
    deletions: ids(plan.deletions),
    conflicts: Object.fromEntries(plan.conflicts.map(({ object: { id }, code }) => [id, code])),
  };
}

describe('revertPlan', () => {
  it('deletes created objects, restores deleted ones and updates changed ones', () => {
    const createdObject = object('made', { after: state('a'), now: state('a') });
    const deleted = object('gone', { before: state('b') });
    const changedObject = object('changed', { before: state('c'), after: state('d'), now: state('d') });

    expect(planned([createdObject, deleted, changedObject])).toEqual({
      revivals: ['gone'],
      updates: ['changed'],
      deletions: ['made'],
      conflicts: {},
    });
  });

  it('does nothing for objects that already have their old state', () => {
    const back = object('back', { before: state('a'), after: state('b'), now: state('a', null, 'later') });
    expect(planned([back])).toEqual({ revivals: [], updates: [], deletions: [], conflicts: {} });
  });

  it('creates containers before their contents', () => {
    const value = object('v', { before: { ...state('v'), needs: ['x', 'e'] }, type: 'Value' });
    const parameter = object('x', { before: { ...state('x'), needs: ['p'] }, type: 'Parameter' });
    const project = object('p', { before: state('p'), type: 'Project' });
    const environment = object('e', { before: state('e') });

    expect(planned([value, parameter, project, environment]).revivals).toEqual(['e', 'p', 'x', 'v']);
  });

  it('swaps two names', () => {
    const first = object('1', { before: state('a'), after: state('b'), now: state('b') });
    const two = object('2', { before: state('b'), after: state('a'), now: state('a') });
    const findHolder = (_: RevertibleType, key: string) => (key === 'a' ? '2' : '1');

    expect(planned([first, two], { findHolder })).toMatchObject({ updates: ['1', '2'], conflicts: {} });
  });
});

describe('a conflict', () => {
  const renamed = { before: state('a'), after: state('b'), now: state('b') };
  it.each<[RevertConflictCode, States, Partial<RevertContext>]>([
    ['changed_since', { ...renamed, now: state('c') }, {}],
    ['changed_since', { before: state('a'), after: state('b') }, {}],
    ['changed_since', { before: state('a'), now: state('c') }, {}],
    ['shared_change', { ...renamed, isShared: true }, {}],
    ['made_below', { after: state('a'), now: state('a') }, { below: () => ['child'] }],
    ['missing_parent', { before: state('a', 'gone') }, {}],
    ['name_taken', renamed, { findHolder: () => 'other' }],
    [
      'cycle',
      { before: state('a', 'child'), after: state('a'), now: state('a') },
      { isThere: () => true, findParent: (_, id) => (id === 'child' ? 'it' : null) },
    ],
  ])('is %s', (code, states, around) => {
    const { conflicts, ...writes } = planned([object('it', states)], around);
    expect(conflicts).toEqual({ it: code });
    expect(writes).toEqual({ revivals: [], updates: [], deletions: [] });
  });

  it('is ignored with isOverwritten if it is only a later change', () => {
    const changedObject = object('it', { ...renamed, now: state('c') });
    const shared = object('other', { ...renamed, isShared: true });
    expect(planned([changedObject, shared], {}, true)).toMatchObject({ updates: ['it', 'other'], conflicts: {} });
    expect(planned([changedObject], { findHolder: () => 'x' }, true).conflicts).toEqual({ it: 'name_taken' });
  });

  it('extends to the objects that depend on it', () => {
    const parent = object('parent', { before: state('p'), after: state('q'), now: undefined });
    const child = object('child', { before: state('c', 'parent') });
    const grandchild = object('grandchild', { before: state('g', 'child') });
    expect(planned([grandchild, child, parent], {}, false).conflicts).toEqual({
      parent: 'changed_since',
      child: 'needs_skipped',
      grandchild: 'needs_skipped',
    });
  });

  it('prevents the deletion of an object that still contains another one', () => {
    const environment = object('e', { after: state('e'), now: state('e') });
    const child = object('c', { after: state('c', 'e'), now: state('d', 'e') });
    expect(planned([environment, child], { below: (id) => (id === 'e' ? ['c'] : []) }).conflicts).toEqual({
      c: 'changed_since',
      e: 'needs_skipped',
    });
  });

  it('is also a cycle that only exists because an object cannot be deleted', () => {
    // The revert would move top below inner, which is below middle, which is below top. Middle cannot be deleted.
    const top = object('top', { before: state('top', 'inner'), after: state('top'), now: state('top') });
    const middle = object('middle', { after: state('m', 'top'), now: state('m', 'top') });
    const around = {
      isThere: () => true,
      below: (id: string) => (id === 'middle' ? ['inner'] : []),
      findParent: (_: RevertibleType, id: string) => (id === 'inner' ? 'middle' : null),
    };
    expect(planned([top, middle], around).conflicts).toEqual({ top: 'cycle', middle: 'made_below' });
  });

  it('concerns only objects that depend on something created but not reverted', () => {
    const environment = object('e', { after: state('e'), now: state('e') });
    const listTypesBelow = () => ['tag'];
    expect(planned([environment], { below: listTypesBelow }).conflicts).toEqual({ e: 'made_below' });
    expect(planned([environment], { below: listTypesBelow, isLeftOut: (id) => id === 'tag' }).conflicts).toEqual({
      e: 'needs_skipped',
    });
  });

  it('spreads step by step, and only dependents are checked again', () => {
    const count = 2_000;
    let lookups = 0;
    // Each object has the name of the next one, and the last one stays.
    const chain = Array.from({ length: count }, (_, index) =>
      object(`${index}`, { before: state(`n${index}`), after: state(`n${index + 1}`), now: state(`n${index + 1}`) }),
    );
    const findHolder = (_: RevertibleType, key: string) => {
      lookups += 1;
      return key === 'n0' ? 'other' : `${Number(key.slice(1)) - 1}`;
    };
    const { conflicts } = planned(chain, { findHolder });
    expect(Object.keys(conflicts)).toHaveLength(count);
    expect([conflicts['0'], conflicts[count - 1]]).toEqual(['name_taken', 'needs_skipped']);
    expect(lookups).toBeLessThan(3 * count);
  });

  it.each(REVERT_CONFLICTS)('%s has a message that says how to resolve it', (code) => {
    const reverted = object('it', renamed);
    expect(describeRevertConflict({ object: reverted, code, by: null }, 'The project web').message).toMatch(
      /^[A-Z].*\.$/,
    );
    expect(describeRevertConflict({ object: reverted, code, by: null }, null).message).toMatch(/^[A-Z].*\.$/);
    expect(describeRevertConflict({ object: reverted, code, by: null }, 'The project web').message).not.toMatch(
      /[^.] The /,
    );
  });
});

/**
 * Random nodes at one point in time, each with a unique name and an earlier node as parent. The order differs between
 * points in time.
 */
type StatesById = ReadonlyMap<string, ObjectState>;
const IDS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
const pointsInTime: fc.Arbitrary<StatesById> = fc
  .tuple(
    fc.shuffledSubarray(IDS, { minLength: 1 }),
    fc.array(fc.nat(), { minLength: 8, maxLength: 8 }),
    fc.shuffledSubarray(IDS, { minLength: 8 }),
  )
  .map(([ids, picks, names]) => {
    const pickParent = (at: number) => (at === 0 ? null : (ids[(picks[at] ?? 0) % at] ?? null));
    return new Map(ids.map((id, index) => [id, state(names[index] ?? id, pickParent(index))]));
  });

function buildObjects(
  before: StatesById,
  after: StatesById,
  now: StatesById,
  which: readonly string[],
): readonly RevertedObject[] {
  return which.map((id) =>
    object(id, {
      before: before.get(id) as ObjectState,
      after: after.get(id) as ObjectState,
      now: now.get(id) as ObjectState,
    }),
  );
}

function around(now: StatesById): RevertContext {
  return {
    isThere: (id) => now.has(id),
    findHolder: (_, key) => [...now].find(([, state]) => state.key === key)?.[0] ?? null,
    below: (id) => [...now].flatMap(([childId, { parentId }]) => (parentId === id ? [childId] : [])),
    isLeftOut: () => false,
    findParent: (_, id) => now.get(id)?.parentId ?? null,
  };
}

/** Applies a plan to a state. */
function outcome(now: StatesById, plan: ReturnType<typeof revertPlan>): StatesById {
  const result = new Map(now);
  for (const { id } of plan.deletions) result.delete(id);
  for (const { id, before } of [...plan.revivals, ...plan.updates]) result.set(id, before as ObjectState);
  return result;
}

describe('for random states', () => {
  it('restores exactly the old state if nothing changed since', () => {
    fc.assert(
      fc.property(pointsInTime, pointsInTime, (before, now) => {
        const plan = revertPlan(buildObjects(before, now, now, IDS), around(now), {
          isOverwritten: false,
          excluded: NOTHING_EXCLUDED,
        });
        expect(plan.conflicts).toEqual([]);
        expect(new Map([...outcome(now, plan)].sort())).toEqual(new Map([...before].sort()));
      }),
    );
  });

  it('leaves all dependencies intact, names unique and no cycles, whatever changed or was excluded', () => {
    const subset = fc.subarray(IDS);
    fc.assert(
      fc.property(
        pointsInTime,
        pointsInTime,
        pointsInTime,
        subset,
        subset,
        fc.boolean(),
        (before, after, now, which, no, isOverwritten) => {
          const objects = buildObjects(before, after, now, which);
          const excluded = new Set(no);
          const plan = revertPlan(objects, around(now), { isOverwritten, excluded });
          const result = outcome(now, plan);
          for (const { needs } of result.values()) for (const id of needs) expect(result.has(id)).toBe(true);
          expect(new Set([...result.values()].map(({ key }) => key)).size).toBe(result.size);
          for (const start of result.keys()) {
            const seen = new Set<string>();
            for (let id: string | null = start; id !== null; id = result.get(id)?.parentId ?? null) {
              expect(seen.has(id)).toBe(false);
              seen.add(id);
            }
          }
          // Every object that differs is written, excluded or has a conflict; no other object is changed.
          const written = [...plan.revivals, ...plan.updates, ...plan.deletions].map(({ id }) => id);
          const reported = [...written, ...plan.conflicts.map(({ object: { id } }) => id)];
          const differing = objects
            .filter((object) => object.before?.content !== object.now?.content)
            .map(({ id }) => id);
          expect(new Set([...reported, ...differing.filter((id) => excluded.has(id))])).toEqual(new Set(differing));
          expect(new Set(reported).size).toBe(reported.length);
        },
      ),
      { numRuns: 500 },
    );
  });
});

it('covers configuration but no permissions', () => {
  expect(['Environment', 'Value', 'Grant', 'Tag', 'Nonsense'].map(isRevertible)).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
});
