import * as fc from 'fast-check';
import {
  type Draft,
  type DraftEdit,
  type DraftHistory,
  discardDrafts,
  draftKey,
  hasNoEffect,
  lastDiscardCount,
  mergeStored,
  moveDrafts,
  NO_DRAFTS,
  redoStep,
  removeApplied,
  stageDrafts,
  undoLastStep,
} from './draft.ts';

let typings = 0;
const draft = (name: string, text: string, more: Partial<Draft> = {}): Draft => ({
  typing: ++typings,
  projectId: 'web',
  projectName: 'web',
  environmentId: 'production',
  environmentName: 'production',
  parameterId: name,
  name,
  isSecret: false,
  isForeign: false,
  edit: { kind: 'set', text, dynamic: false },
  base: { revision: 7, valueId: null, ledgerId: null, text: 'before' },
  ...more,
});
const stageDraft = (state: DraftHistory, added: Draft) => stageDrafts(state, [added]);
const texts = ({ drafts }: DraftHistory) =>
  Object.fromEntries([...drafts.values()].map(({ name, edit }) => [name, edit.kind === 'set' ? edit.text : edit.kind]));

describe('drafts', () => {
  it('are one per cell, and keep the state before the first one', () => {
    const first = stageDraft(NO_DRAFTS, draft('PORT', '1'));
    const second = stageDraft(
      first,
      draft('PORT', '2', { base: { revision: 9, valueId: 'v', ledgerId: 'l', text: 'x' } }),
    );

    expect(texts(second)).toEqual({ PORT: '2' });
    expect([...second.drafts.values()][0]?.base).toMatchObject({ revision: 7, text: 'before' });
  });

  it('are discarded and restored together', () => {
    const two = stageDraft(stageDraft(NO_DRAFTS, draft('A', '1')), draft('B', '2'));
    const none = discardDrafts(two, two.drafts.keys());

    expect(texts(none)).toEqual({});
    expect(texts(undoLastStep(none))).toEqual({ A: '1', B: '2' });
  });

  it('that are set and discarded together are one step', () => {
    const single = stageDraft(NO_DRAFTS, draft('A', '1'));
    const next = stageDrafts(single, [draft('B', '2'), draft('C', '3')], single.drafts.keys());

    expect(texts(next)).toEqual({ B: '2', C: '3' });
    expect(texts(undoLastStep(next))).toEqual({ A: '1' });
    expect(texts(redoStep(undoLastStep(next)))).toEqual({ B: '2', C: '3' });
  });

  it('that were applied are not restored by undo', () => {
    const two = stageDraft(stageDraft(NO_DRAFTS, draft('A', '1')), draft('B', '2'));
    const sent = new Map([...two.drafts].filter(([, { name }]) => name === 'A'));
    const rest = removeApplied(two, sent);

    expect(texts(rest)).toEqual({ B: '2' });
    expect(undoLastStep(rest)).toBe(rest);
  });

  it('that were typed while earlier ones were being applied are kept', () => {
    const before = stageDraft(stageDraft(NO_DRAFTS, draft('A', '1')), draft('B', '2'));
    const after = stageDraft(before, draft('A', 'typed since'));

    expect(texts(removeApplied(after, before.drafts))).toEqual({ A: 'typed since' });
  });

  it('can be restored after the last one was discarded, and their number is reported', () => {
    const two = stageDraft(stageDraft(NO_DRAFTS, draft('A', '1')), draft('B', '2'));
    const none = discardDrafts(two, two.drafts.keys());

    expect([two, none, undoLastStep(none), NO_DRAFTS].map(lastDiscardCount)).toEqual([0, 2, 0, 0]);
  });

  it('are merged with stored drafts, and the text of a secret stays in the tab that typed it last', () => {
    const secret = draft('TOKEN', 'canary', { isSecret: true });
    const here = stageDraft(NO_DRAFTS, secret);
    const stored = { ...secret, edit: { kind: 'retype' as const } };
    const mergedTexts = (draftOfTab: Draft | null) =>
      texts(mergeStored(here, new Map([[draftKey(secret), draftOfTab]])));

    expect(mergedTexts(stored)).toEqual({ TOKEN: 'canary' });
    expect(mergedTexts({ ...stored, typing: secret.typing + 1 })).toEqual({ TOKEN: 'retype' });
    expect(mergedTexts(null)).toEqual({});
    expect(texts(mergeStored(here, new Map([['other', draft('PORT', '1')]])))).toEqual({ TOKEN: 'canary', PORT: '1' });
  });

  it('of another tab are not undone in this one', () => {
    const mine = stageDraft(NO_DRAFTS, draft('A', '1'));
    const theirs = draft('A', '2');

    expect(texts(undoLastStep(mergeStored(mine, new Map([[draftKey(theirs), theirs]]))))).toEqual({ A: '2' });
  });

  it('move to another cell if they are unchanged, and never onto another draft', () => {
    const inherited = draft('A', '1', { parameterId: 'theirs', isForeign: true });
    const ownDraft = draft('A', 'typed later');
    const key = draftKey(inherited);
    const moves = new Map([[key, { from: inherited, to: { ...ownDraft, edit: inherited.edit } }]]);
    const alone = stageDraft(NO_DRAFTS, inherited);

    expect([...moveDrafts(alone, moves).drafts.keys()]).toEqual([draftKey(ownDraft)]);
    expect(texts(moveDrafts(stageDraft(alone, ownDraft), moves))).toEqual({ A: 'typed later' });
    const stagedLater = stageDraft(alone, { ...inherited, typing: ++typings });
    expect(moveDrafts(stagedLater, moves)).toBe(stagedLater);
  });

  const step = fc.oneof(
    fc.record({ name: fc.constantFrom('A', 'B', 'C'), text: fc.string({ maxLength: 2 }) }),
    fc.constantFrom('discard' as const),
  );
  const after = (state: DraftHistory, action: typeof step extends fc.Arbitrary<infer Step> ? Step : never) =>
    typeof action === 'string'
      ? discardDrafts(state, state.drafts.keys())
      : stageDraft(state, draft(action.name, action.text));

  it('can be undone step by step, and redone', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
        const states = [NO_DRAFTS];
        for (const action of steps) states.push(after(states.at(-1) ?? NO_DRAFTS, action));
        const last = states.at(-1) ?? NO_DRAFTS;

        let back = last;
        for (const _ of last.past) back = undoLastStep(back);
        expect(texts(back)).toEqual({});
        let forth = back;
        for (const _ of last.past) forth = redoStep(forth);
        expect(texts(forth)).toEqual(texts(last));
      }),
    );
  });
});

describe('a change without an effect', () => {
  const set = (text: string, dynamic = false): DraftEdit => ({ kind: 'set', text, dynamic });
  it.each`
    what                                   | change               | secret   | present                              | expected
    ${'the text that is set'}              | ${set('a')}          | ${false} | ${{ text: 'a', dynamic: false }}     | ${true}
    ${'another text'}                      | ${set('b')}          | ${false} | ${{ text: 'a', dynamic: false }}     | ${false}
    ${'the same text, but evaluated'}      | ${set('a', true)}    | ${false} | ${{ text: 'a', dynamic: false }}     | ${false}
    ${'the text that is inherited'}        | ${set('a')}          | ${false} | ${null}                              | ${false}
    ${'null where null is set'}            | ${{ kind: 'null' }}  | ${false} | ${{ text: null, dynamic: false }}    | ${true}
    ${'inheriting where nothing is set'}   | ${{ kind: 'unset' }} | ${false} | ${null}                              | ${true}
    ${'inheriting where something is set'} | ${{ kind: 'unset' }} | ${false} | ${{ text: 'a', dynamic: false }}     | ${false}
    ${'a secret, which is never compared'} | ${set('*****')}      | ${true}  | ${{ text: '*****', dynamic: false }} | ${false}
  `('$what: $expected', ({ change, secret, present, expected }) => {
    expect(hasNoEffect(change, secret, present)).toBe(expected);
  });
});
