import type { CellOrigin, ShownCell } from '../../data/cell.ts';
import type { Draft, DraftEdit } from '../../lib/draft.ts';
import { announcedDraft, draftSentence } from './draft-sentence.ts';

const cell = (states: ShownCell['states'], text: string | null = null) =>
  ({ states, text, raw: null, problem: null }) as ShownCell;
const draft = (edit: DraftEdit, isSecret = false) => ({ edit, isSecret, environmentName: 'default' }) as Draft;
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
  ])('is %s', (words, present, origin, staged) => {
    expect(draftSentence({ cell: present, origin, marks: { draft: staged } })).toBe(words);
  });

  it('contains no secrets, neither the current nor the new one', () => {
    const present = { cell: cell(['own', 'secret'], 'canary'), origin: 'own' as const };
    const marks = { draft: draft(set('canary'), true) };
    expect(draftSentence({ ...present, marks })).toBe('Draft: a new secret (was a secret, set here)');
    expect(announcedDraft({ ...present, marks })).toBe('draft (was a secret, set here)');
  });

  it('names the environment of a draft that the cell would inherit', () => {
    const present = { cell: cell(['inherited'], 'info'), origin: 'inherited' as const };
    const marks = { followed: draft(set('debug')) };
    expect(draftSentence({ ...present, marks })).toBe(
      'Will inherit from the draft in default: debug (was info, inherited)',
    );
    expect(announcedDraft({ ...present, marks })).toBe('will inherit from default (was info, inherited)');
  });

  it('is absent if no draft affects the cell', () => {
    const present = { cell: cell(['own'], 'info'), origin: 'own' as const, marks: {} };
    expect([draftSentence(present), announcedDraft(present)]).toEqual([null, null]);
  });
});
