import { type Draft, type Drafts, draftKey } from './draft.ts';
import { baseRevisionOf, operationsOf, refusalsOf } from './draft-operations.ts';

const draft = (name: string, wish: Draft['wish'], more: Partial<Draft> = {}): Draft => ({
  projectId: 'web',
  projectName: 'web',
  environmentId: 'production',
  environmentName: 'production',
  parameterId: name,
  name,
  isSecret: false,
  isForeign: false,
  base: { revision: 7, valueId: null, ledgerId: null },
  wish,
  ...more,
});
const set = (text: string, dynamic = false) => ({ kind: 'set', text, dynamic }) as const;
const draftsOf = (...list: readonly Draft[]): Drafts => new Map(list.map((one) => [draftKey(one), one]));
const operations = (drafts: Drafts) => operationsOf(drafts).map(({ operation }) => operation);
const PLACE = { project: 'web', environment: 'production' };

describe('drafts come to operations', () => {
  it('by names, those of one project and environment together', () => {
    const drafts = draftsOf(
      draft('A', set('1')),
      draft('B', { kind: 'null' }),
      draft('C', { kind: 'unset' }),
      draft('D', set('4'), { environmentId: 'staging' }),
    );

    expect(operations(drafts)).toEqual([
      { set: { ...PLACE, values: { A: '1', B: null } } },
      { unset: { ...PLACE, names: ['C'] } },
      { set: { project: 'web', environment: 'staging', values: { D: '4' } } },
    ]);
  });

  it('that make an overriding parameter where the one of another project gets a first value', () => {
    expect(operations(draftsOf(draft('A', set('1')), draft('REGION', set('north'), { isForeign: true })))).toEqual([
      { set: { ...PLACE, values: { A: '1' } } },
      { set: { ...PLACE, values: { REGION: 'north' }, createMissing: true } },
    ]);
  });

  it('on the value itself for a text that is evaluated', () => {
    const base = { revision: 7, valueId: 'v', ledgerId: 'l' };
    const body = { internal_value: '{{ B }}', interpolated: true };

    expect(operations(draftsOf(draft('A', set('{{ B }}', true), { base })))).toEqual([
      {
        operation: 'projects_parameters_values_partial_update',
        path: { project_pk: 'web', parameter_pk: 'A', id: 'v' },
        body,
      },
    ]);
  });

  it('that make one overriding parameter for several texts that are evaluated', () => {
    const foreign = { isForeign: true } as const;
    const found = operations(
      draftsOf(
        draft('A', set('{{ B }}', true), foreign),
        draft('A', set('{{ C }}', true), { ...foreign, environmentId: 'staging' }),
      ),
    );

    expect(found.map(({ operation }) => operation)).toEqual([
      'projects_parameters_create',
      'projects_parameters_values_create',
      'projects_parameters_values_create',
    ]);
    expect(found[2]?.path).toEqual({ project_pk: 'web', parameter_pk: { $ref: found[0]?.as } });
  });

  it('but not where the text has to be typed again', () => {
    expect(operations(draftsOf(draft('TOKEN', { kind: 'retype' }, { isSecret: true })))).toEqual([]);
  });

  it('that are refused when something was changed after the earliest look', () => {
    const late = draft('B', set('2'), { base: { revision: 9, valueId: null, ledgerId: null } });
    expect(baseRevisionOf(draftsOf(draft('A', set('1')), late))).toBe(7);
    expect(baseRevisionOf(new Map())).toBeNull();
  });
});

describe('a refusal', () => {
  const drafts = draftsOf(draft('A', set('1')), draft('B', set('2')), draft('C', { kind: 'unset' }));
  const planned = operationsOf(drafts);
  const keys = [...drafts.keys()];

  it('is told of the draft that it names', () => {
    const { byKey, others } = refusalsOf(planned, [{ field: 'operations.0.B', message: 'No integer.' }]);

    expect([...byKey]).toEqual([[keys[1], 'No integer.']]);
    expect(others).toEqual([]);
  });

  it('of a whole operation is told of all its drafts', () => {
    const { byKey } = refusalsOf(planned, [{ field: 'operations.0', message: 'No access.' }]);
    expect([...byKey.keys()]).toEqual(keys.slice(0, 2));
  });

  it('of something else is told by itself', () => {
    const { byKey, others } = refusalsOf(planned, [{ field: 'message', message: 'Too long.' }]);
    expect([byKey.size, others]).toEqual([0, ['Too long.']]);
  });
});
