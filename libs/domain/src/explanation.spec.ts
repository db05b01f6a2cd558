import fc from 'fast-check';
import { type CauseCandidate, type ExplanationInputs, findCause, listCandidates, nextValue } from './explanation.ts';
import { effectiveValueOfName, indexValues, type ValueRow, valuesOfName } from './precedence.ts';
import type { ParameterRow } from './resolution.ts';

interface TestValue extends ValueRow {
  readonly isNull: boolean;
}

/** `web` depends on `base`, and both own the name. Each entry of `set` is the value of a project in an environment. */
function inputs(set: readonly string[], closed: readonly string[] = []): ExplanationInputs<ParameterRow, TestValue> {
  const values = set.map((id) => {
    const [projectId = '', environmentId = '', isNull] = id.split(' ');
    return { id, parameterId: `port of ${projectId}`, environmentId, isNull: isNull === 'null' };
  });
  return {
    environments: ['canary', 'production', 'default'],
    projects: ['web', 'middle', 'base'],
    owners: ['web', 'base'].map((projectId) => ({ id: `port of ${projectId}`, projectId, name: 'port' })),
    values: indexValues(values),
    isNull: ({ isNull }) => isNull,
    isClosed: (projectId, environmentId) => closed.includes(projectId) || closed.includes(environmentId),
  };
}

const describeCandidates = (input: ReturnType<typeof inputs>) =>
  [...listCandidates(input)].map(
    ({ projectId, environmentId, state, wins, hiddenBy }) =>
      `${projectId} ${environmentId}: ${state}${wins ? ' wins' : ''}${hiddenBy ? ` hidden by ${hiddenBy}` : ''}`,
  );

describe('listCandidates', () => {
  it('checks every project in each environment before the parent environment, and reports what overrides what', () => {
    expect(describeCandidates(inputs(['base production', 'web default', 'base default null']))).toEqual([
      'web canary: unset',
      'middle canary: unset',
      'base canary: unset',
      'web production: unset',
      'middle production: unset',
      'base production: set wins',
      'web default: set hidden by environment',
      'middle default: unset',
      'base default: null hidden by environment',
    ]);
    expect(describeCandidates(inputs(['web production null', 'base production'])).slice(3, 6)).toEqual([
      'web production: null wins',
      'middle production: unset',
      'base production: set hidden by project',
    ]);
  });

  it('returns the same for a forbidden cell whether or not it has a value, except for the effective value', () => {
    const closed = ['base', 'default'];
    const withForbidden = describeCandidates(inputs(['web production', 'web default', 'base canary null'], closed));
    expect(withForbidden).toEqual(
      describeCandidates(inputs(['web production', 'base canary null', 'base default'], closed)),
    );
    expect(withForbidden[2]).toBe('base canary: null wins');
    expect(withForbidden[6]).toBe('web default: closed');
  });
});

describe('nextValue', () => {
  it.each`
    set                                    | closed         | next
    ${[]}                                  | ${[]}          | ${null}
    ${['web canary']}                      | ${[]}          | ${'unset'}
    ${['web canary', 'base canary']}       | ${[]}          | ${'base canary'}
    ${['web canary', 'base default null']} | ${[]}          | ${'base default null'}
    ${['web canary', 'base production']}   | ${['base']}    | ${'closed'}
    ${['web canary', 'web default']}       | ${['base']}    | ${'closed'}
    ${['web canary']}                      | ${['default']} | ${'closed'}
    ${['web canary', 'web production']}    | ${['default']} | ${'web production'}
    ${['web default', 'base default']}     | ${['canary']}  | ${'base default'}
  `('returns $next if $set is set and $closed is forbidden', ({ set, closed, next }) => {
    const nextWinner = nextValue(inputs(set, closed));
    expect(nextWinner && (nextWinner.value?.id ?? nextWinner.state)).toEqual(next);
  });

  it('returns the effective value after the current one is removed, if no scope is forbidden', () => {
    const places = ['web', 'base'].flatMap((project) =>
      ['canary', 'production', 'default'].map((e) => `${project} ${e}`),
    );
    fc.assert(
      fc.property(fc.uniqueArray(fc.constantFrom(...places)), (set) => {
        const all = inputs(set);
        const winner = effectiveValueOfName(valuesOfName(all.owners, all.values), all.environments);
        const rest = inputs(set.filter((id) => id !== winner?.id));
        const after = effectiveValueOfName(valuesOfName(rest.owners, rest.values), rest.environments);
        expect(nextValue(all)?.value?.id).toEqual(winner ? after?.id : undefined);
      }),
    );
  });
});

describe('causeAmong', () => {
  const change = (ordinal: number, action: CauseCandidate['action'], objectType: string, objectId: string) => ({
    ordinal,
    action,
    objectType,
    objectId,
  });
  const context = { winners: new Set(['winner']), inputIds: new Set(['parameter', 'environment', 'project']) };

  it.each`
    what                                         | changes                                                                                          | cause
    ${'nothing'}                                 | ${[]}                                                                                            | ${undefined}
    ${'the effective value before other values'} | ${[change(0, 'update', 'Value', 'other'), change(1, 'update', 'Value', 'winner')]}               | ${'winner'}
    ${'the deletion that removed the value'}     | ${[change(0, 'delete', 'Value', 'winner'), change(1, 'delete', 'Parameter', 'parameter')]}       | ${'parameter'}
    ${'a direct input before a reference'}       | ${[change(0, 'update', 'Value', 'referred'), change(1, 'update', 'Environment', 'environment')]} | ${'environment'}
    ${'the first change of the same rank'}       | ${[change(2, 'update', 'Value', 'second'), change(1, 'create', 'Value', 'first')]}               | ${'first'}
  `('returns $what', ({ changes, cause }) => {
    expect(findCause(changes, context)?.objectId).toBe(cause);
  });
});
