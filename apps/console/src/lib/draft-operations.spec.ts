import { type Draft, type Drafts, draftKey, newParameterId } from './draft.ts';
import { draftOperations, groupErrorsByDraft } from './draft-operations.ts';

const draft = (name: string, edit: Draft['edit'], more: Partial<Draft> = {}): Draft => ({
  projectId: 'web',
  projectName: 'web',
  environmentId: 'production',
  environmentName: 'production',
  parameterId: name,
  name,
  isSecret: false,
  isForeign: false,
  typing: 1,
  base: { revision: 7, valueId: null, ledgerId: null },
  edit,
  ...more,
});
const set = (text: string, dynamic = false) => ({ kind: 'set', text, dynamic }) as const;
const toDrafts = (...list: readonly Draft[]): Drafts => new Map(list.map((draft) => [draftKey(draft), draft]));
const operations = (drafts: Drafts) => draftOperations(drafts).map(({ operation }) => operation);
const error = (pointer: string, detail: string) => ({ code: 'invalid', pointer, detail });
const SET = { revision: 7, valueId: 'v', ledgerId: 'l' };
const PLACE = { project: 'web', environment: 'production' };

describe('the operations of drafts', () => {
  it('set values by name, grouped by project and environment, each with the expected version', () => {
    const drafts = toDrafts(
      draft('A', set('1')),
      draft('B', { kind: 'null' }, { base: SET }),
      draft('D', set('4'), { environmentId: 'staging' }),
    );

    expect(operations(drafts)).toEqual([
      {
        set: { ...PLACE, values: { A: { value: '1', if_none_match: '*' }, B: { value: null, if_match: 'l' } } },
      },
      { set: { project: 'web', environment: 'staging', values: { D: { value: '4', if_none_match: '*' } } } },
    ]);
  });

  it('create an override for the first value of an inherited parameter', () => {
    expect(operations(toDrafts(draft('A', set('1')), draft('REGION', set('north'), { isForeign: true })))).toEqual([
      { set: { ...PLACE, values: { A: { value: '1', if_none_match: '*' } } } },
      { set: { ...PLACE, values: { REGION: { value: 'north', if_none_match: '*' } }, createMissing: true } },
    ]);
  });

  it('set dynamic texts by name, and change the value itself for deletions', () => {
    const path = { project_pk: 'web', parameter_pk: 'A', id: 'v' };
    const drafts = (edit: Draft['edit']) => toDrafts(draft('A', edit, { base: SET }));

    expect(operations(drafts(set('{{ B }}', true)))).toEqual([
      { set: { ...PLACE, values: { A: { value: '{{ B }}', interpolated: true, if_match: 'l' } } } },
    ]);
    expect(operations(drafts({ kind: 'unset' }))).toEqual([
      { operation: 'projects_parameters_values_destroy', path, ifMatch: 'l' },
    ]);
  });

  it('set dynamic texts after the literal texts of all environments, which can create what they refer to', () => {
    const foreign = { isForeign: true } as const;
    const planned = operations(
      toDrafts(
        draft('A', set('{{ B }}', true), foreign),
        draft('A', set('{{ C }}', true), { ...foreign, environmentId: 'staging' }),
        draft('B', set('1'), { environmentId: 'staging' }),
      ),
    );

    expect(planned.map(({ set }) => [set?.environment, Object.keys(set?.values ?? {})])).toEqual([
      ['staging', ['B']],
      ['production', ['A']],
      ['staging', ['A']],
    ]);
  });

  it('set a secret only in a parameter that is secret', () => {
    const values = (more: Partial<Draft>) =>
      operations(toDrafts(draft('TOKEN', set('x'), { isSecret: true, ...more })))[0]?.set?.values;
    expect(values({})).toEqual({ TOKEN: { value: 'x', secret: true, if_none_match: '*' } });
    expect(values({ base: SET })).toEqual({ TOKEN: { value: 'x', secret: true, if_match: 'l' } });
    expect(values({ isForeign: true })).toEqual({ TOKEN: { value: 'x', secret: true, if_none_match: '*' } });
  });

  it('leave out a draft whose text must be typed again', () => {
    expect(operations(toDrafts(draft('TOKEN', { kind: 'retype' }, { isSecret: true })))).toEqual([]);
  });
});

describe('an error', () => {
  const drafts = toDrafts(draft('A', set('1')), draft('B', set('2')), draft('C', { kind: 'unset' }, { base: SET }));
  const planned = draftOperations(drafts);
  const keys = [...drafts.keys()];

  it('belongs to the draft that it names', () => {
    const { byKey, others } = groupErrorsByDraft(planned, [error('/operations/1/set/values/B', 'No integer.')]);

    expect([...byKey]).toEqual([[keys[1], 'No integer.']]);
    expect(others).toEqual([]);
  });

  it('of a whole operation belongs to all its drafts', () => {
    const { byKey } = groupErrorsByDraft(planned, [error('/operations/1', 'No access.')]);
    expect([...byKey.keys()]).toEqual(keys.slice(0, 2));
  });

  it('of anything else is separate', () => {
    const { byKey, others } = groupErrorsByDraft(planned, [error('/message', 'Too long.')]);
    expect([byKey.size, others]).toEqual([0, ['Too long.']]);
  });
});

describe('the operations of new parameters', () => {
  const NEW = { isNew: true, parameterId: newParameterId('A'), type: 'integer' } as const;

  it('set their literal values by name, with their type, in one operation per environment', () => {
    const drafts = toDrafts(
      draft('A', set('1'), NEW),
      draft('A', set('2'), { ...NEW, environmentId: 'staging' }),
      draft('B', set('3'), { base: SET }),
    );
    const createdWith = (value: string) => ({ A: { value, secret: false, type: 'integer', if_none_match: '*' } });
    expect(operations(drafts)).toEqual([
      { set: { ...PLACE, values: createdWith('1'), createMissing: true } },
      { set: { ...PLACE, environment: 'staging', values: createdWith('2'), createMissing: true } },
      { set: { ...PLACE, values: { B: { value: '3', if_match: 'l' } } } },
    ]);
  });

  it('create a parameter once if it has no value, or only dynamic ones', () => {
    const create = { operation: 'projects_parameters_create', path: { project_pk: 'web' } };
    const body = { name: 'A', secret: false, type: 'integer' };
    expect(operations(toDrafts(draft('A', { kind: 'create' }, NEW)))).toEqual([{ ...create, body }]);

    const dynamic = toDrafts(
      draft('A', { kind: 'create' }, NEW),
      draft('A', set('{{ B }}', true), { ...NEW, environmentId: 'staging' }),
      draft('A', set('{{ C }}', true), { ...NEW, environmentId: 'development' }),
    );
    const values = (text: string) => ({ A: { value: text, interpolated: true, type: 'integer' } });
    expect(operations(dynamic)).toMatchObject([
      { ...create, body },
      { set: { environment: 'staging', values: values('{{ B }}') } },
      { set: { environment: 'development', values: values('{{ C }}') } },
    ]);
  });
});
