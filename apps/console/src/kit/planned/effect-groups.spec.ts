import type { PlannedEffect } from '../../data/plan.ts';
import { type Draft, type DraftEdit, draftKey } from '../../lib/draft.ts';
import { effectsByEdit } from './effect-groups.ts';

const REGIONS = Array.from({ length: 30 }, (_, at) => `region-${String(at).padStart(2, '0')}`);
const SCOPES = {
  environments: [
    { name: 'default', parentName: null },
    { name: 'production', parentName: 'default' },
    ...REGIONS.map((name) => ({ name, parentName: 'production' })),
    { name: 'staging', parentName: 'default' },
  ],
  projects: [
    { name: 'base', dependsOnName: null },
    { name: 'web', dependsOnName: 'base' },
  ],
};
const set = (text: string): DraftEdit => ({ kind: 'set', text, dynamic: false });

function draft(name: string, environmentName: string, edit: DraftEdit, projectName = 'web'): Draft {
  const ids = { projectId: projectName, parameterId: name, environmentId: environmentName };
  return { ...ids, name, environmentName, projectName, edit, isSecret: false } as Draft;
}

const effect = (
  parameterName: string,
  environmentName: string,
  [before, after]: readonly [string | null, string | null],
  more: Partial<PlannedEffect> = {},
): PlannedEffect => ({
  projectName: 'web',
  environmentName,
  parameterName,
  kind: 'changed',
  before,
  after,
  masked: false,
  problem: null,
  ...more,
});

/** Returns the groups in a few words, such as `jit in production, +6`. */
function groups(effects: readonly PlannedEffect[], drafts: readonly Draft[]) {
  const { edits, references } = effectsByEdit(
    effects,
    new Map(drafts.map((draft) => [draftKey(draft), draft])),
    SCOPES,
  );
  const summarize = (groups: typeof edits) =>
    groups.map(({ first, environments, inherited, lost }) =>
      [
        `${first.parameterName} in ${environments.join(' ')}`,
        inherited > 0 && `+${inherited}`,
        lost > 0 && `${lost} lost`,
      ]
        .filter(Boolean)
        .join(', '),
    );
  return { edits: summarize(edits), references: summarize(references) };
}

describe('effects by edit', () => {
  it('count the cells that inherit an edit in dozens of environments', () => {
    const effects = ['production', ...REGIONS].map((name) => effect('jit', name, ['false', 'true']));
    expect(groups(effects, [draft('jit', 'production', set('true'))])).toEqual({
      edits: ['jit in production, +30'],
      references: [],
    });
  });

  it('join the same edit of several environments, and keep other edits of the parameter apart', () => {
    const drafts = [...REGIONS, 'staging'].map((name) => draft('jit', name, set(name === 'staging' ? 'auto' : 'true')));
    const effects = drafts.map(({ environmentName, edit }) =>
      effect('jit', environmentName, ['false', edit.kind === 'set' ? edit.text : null]),
    );
    expect(groups(effects, drafts).edits).toEqual([`jit in ${REGIONS.join(' ')}`, 'jit in staging']);
  });

  it('belong to the nearest draft, also if the values before differ', () => {
    const drafts = [draft('jit', 'default', set('a')), draft('jit', 'production', set('b'))];
    const effects = [
      effect('jit', 'default', ['0', 'a']),
      effect('jit', 'staging', ['0', 'a']),
      effect('jit', 'production', ['1', 'b']),
      effect('jit', 'region-00', ['2', 'b']),
    ];
    expect(groups(effects, drafts).edits).toEqual(['jit in default, +1', 'jit in production, +1']);
  });

  it('include dependent projects', () => {
    const effects = [
      effect('jit', 'default', ['0', 'a'], { projectName: 'base' }),
      effect('jit', 'default', ['0', 'a']),
      effect('jit', 'staging', ['0', 'a']),
    ];
    expect(groups(effects, [draft('jit', 'default', set('a'), 'base')]).edits).toEqual(['jit in default, +2']);
  });

  it('count the values that are lost', () => {
    const effects = ['default', 'staging'].map((name) => effect('jit', name, ['0', null], { kind: 'removed' }));
    expect(groups(effects, [draft('jit', 'default', { kind: 'unset' })]).edits).toEqual(['jit in default, +1, 2 lost']);
  });

  it('list texts that refer to changed values separately, even below another draft of the parameter', () => {
    const effects = [
      effect('host', 'default', ['a', 'b']),
      effect('link', 'default', ['http://a', 'http://b']),
      effect('link', 'staging', ['http://a', 'http://b']),
      effect('host', 'staging', ['a.s', 'b.s']),
    ];
    expect(groups(effects, [draft('host', 'default', set('b'))])).toEqual({
      edits: ['host in default'],
      references: ['link in default staging', 'host in staging'],
    });
  });
});
