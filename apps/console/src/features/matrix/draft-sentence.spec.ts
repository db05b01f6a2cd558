import type { CellOrigin, ShownCell } from '../../data/cell.ts';
import type { Draft, DraftEdit } from '../../lib/draft.ts';
import { announcedDraft, draftSentence } from './draft-sentence.ts';
import type { Removal } from './removal.ts';

const cell = (states: ShownCell['states'], text: string | null = null) =>
  ({ states, text, raw: null, problem: null }) as ShownCell;
const draft = (edit: DraftEdit, isSecret = false) => ({ edit, isSecret, environmentName: 'default' }) as Draft;
const NOTHING = { kind: 'nothing', count: 3, isAll: true } as const;
const set = (text: string): DraftEdit => ({ kind: 'set', text, dynamic: false });

describe('the sentence about a draft', () => {
  it.each<[string, ShownCell, CellOrigin, Draft]>([
    ['Draft: debug (was info, inherited)', cell(['inherited'], 'info'), 'inherited', draft(set('debug'))],
    ['Draft: debug (was info, inherited)', cell(['inherited'], 'info'), 'project', draft(set('debug'))],
    ['Draft: debug (was info, set here)', cell(['own'], 'info'), 'override', draft(set('debug'))],
    ['Draft: debug (was not set)', cell(['missing']), 'missing', draft(set('debug'))],
    ['Draft: empty (was null, set here)', cell(['own', 'NULL']), 'own', draft(set(''))],
    ['Draft: null (was empty, set here)', cell(['own'], ''), 'own', draft({ kind: 'null' })],
    ['Draft: a b… (was c…, set here)', cell(['own'], 'c\nd'), 'own', draft(set('a b\nc'))],
  ])('is %s', (sentence, stored, origin, staged) => {
    expect(draftSentence({ cell: stored, origin, marks: { draft: staged } })).toBe(sentence);
  });

  it('contains no secrets, neither the current nor the new one', () => {
    const stored = { cell: cell(['own', 'secret'], 'canary'), origin: 'own' as const };
    const marks = { draft: draft(set('canary'), true) };
    expect(draftSentence({ ...stored, marks })).toBe('Draft: a new secret (was a secret, set here)');
    expect(announcedDraft({ ...stored, marks })).toBe('draft (was a secret, set here)');
  });

  it('names the environment of a draft that the cell would inherit', () => {
    const stored = { cell: cell(['inherited'], 'info'), origin: 'inherited' as const };
    const marks = { followed: draft(set('debug')) };
    expect(draftSentence({ ...stored, marks })).toBe(
      'Will inherit from the draft in default: debug (was info, inherited)',
    );
    expect(announcedDraft({ ...stored, marks })).toBe('will inherit from default (was info, inherited)');
  });

  it.each<[string, Removal]>([
    ['Draft: will be removed (was info, set here). 1 environment loses its value', { ...NOTHING, count: 1 }],
    ['Draft: will be removed (was info, set here). 3 environments lose their value', NOTHING],
    [
      'Draft: will be removed (was info, set here). At least 3 environments lose their value',
      { ...NOTHING, isAll: false },
    ],
    ['Draft: inherits warn from default (was info, set here)', { kind: 'inherits', text: 'warn', from: 'default' }],
    ['Draft: inherits null from default (was info, set here)', { kind: 'inherits', text: null, from: 'default' }],
    ['Draft: inherits from default (was info, set here)', { kind: 'inherits', text: undefined, from: 'default' }],
    [
      'Draft: inherits the draft debug from default (was info, set here)',
      { kind: 'draft', draft: draft(set('debug')) },
    ],
    ['Draft: may be removed (was info, set here)', { kind: 'unknown' }],
  ])('says what a removal leaves: %s', (sentence, removal) => {
    const stored = { cell: cell(['own'], 'info'), origin: 'override' as const };
    expect(draftSentence({ ...stored, marks: { draft: draft({ kind: 'unset' }), removal } })).toBe(sentence);
  });

  it('says which draft removes the value that the cell inherits', () => {
    const stored = { cell: cell(['inherited'], 'info'), origin: 'inherited' as const };
    const marks = { followed: draft({ kind: 'unset' }), removal: NOTHING };
    expect(draftSentence({ ...stored, marks })).toBe(
      'The draft in default removes the value: will be removed (was info, inherited). 3 environments lose their value',
    );
    expect(announcedDraft({ ...stored, marks })).toBe('because of the draft in default (was info, inherited)');
  });

  it('is absent if no draft affects the cell', () => {
    const stored = { cell: cell(['own'], 'info'), origin: 'own' as const, marks: {} };
    expect([draftSentence(stored), announcedDraft(stored)]).toEqual([null, null]);
  });
});
