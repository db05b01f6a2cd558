import * as fc from 'fast-check';
import {
  changesNothing,
  type Draft,
  type DraftsWithPast,
  type DraftWish,
  discarded,
  draftKey,
  joined,
  NO_DRAFTS,
  redone,
  settled,
  staged,
  undone,
} from './draft.ts';

const draft = (name: string, text: string, more: Partial<Draft> = {}): Draft => ({
  projectId: 'web',
  projectName: 'web',
  environmentId: 'production',
  environmentName: 'production',
  parameterId: name,
  name,
  isSecret: false,
  isForeign: false,
  wish: { kind: 'set', text, dynamic: false },
  base: { revision: 7, valueId: null, ledgerId: null, text: 'before' },
  ...more,
});
const texts = ({ drafts }: DraftsWithPast) =>
  Object.fromEntries([...drafts.values()].map(({ name, wish }) => [name, wish.kind === 'set' ? wish.text : wish.kind]));

describe('drafts', () => {
  it('are one for each cell, and remember what the cell was before the first one', () => {
    const first = staged(NO_DRAFTS, draft('PORT', '1'));
    const second = staged(first, draft('PORT', '2', { base: { revision: 9, valueId: 'v', ledgerId: 'l', text: 'x' } }));

    expect(texts(second)).toEqual({ PORT: '2' });
    expect([...second.drafts.values()][0]?.base).toMatchObject({ revision: 7, text: 'before' });
  });

  it('are discarded together, and come back together', () => {
    const two = staged(staged(NO_DRAFTS, draft('A', '1')), draft('B', '2'));
    const none = discarded(two, two.drafts.keys());

    expect(texts(none)).toEqual({});
    expect(texts(undone(none))).toEqual({ A: '1', B: '2' });
  });

  it('that were applied do not come back by undoing', () => {
    const two = staged(staged(NO_DRAFTS, draft('A', '1')), draft('B', '2'));
    const one = settled(two, [draftKey(draft('A', ''))]);

    expect(texts(one)).toEqual({ B: '2' });
    expect(undone(one)).toBe(one);
  });

  it('of another tab replace those of this one, but not the text of a secret that only this tab has', () => {
    const secret = draft('TOKEN', 'canary', { isSecret: true });
    const here = staged(NO_DRAFTS, secret);
    const told = new Map([
      [draftKey(secret), { ...secret, wish: { kind: 'retype' as const } }],
      ['other', draft('PORT', '1')],
    ]);

    expect(texts(joined(here, told))).toEqual({ TOKEN: 'canary', PORT: '1' });
    expect(texts(joined(here, new Map()))).toEqual({});
  });

  const step = fc.oneof(
    fc.record({ name: fc.constantFrom('A', 'B', 'C'), text: fc.string({ maxLength: 2 }) }),
    fc.constantFrom('discard' as const),
  );
  const after = (state: DraftsWithPast, one: typeof step extends fc.Arbitrary<infer Step> ? Step : never) =>
    typeof one === 'string' ? discarded(state, state.drafts.keys()) : staged(state, draft(one.name, one.text));

  it('can be undone step by step to nothing, and done again to what they were', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
        const states = [NO_DRAFTS];
        for (const one of steps) states.push(after(states.at(-1) ?? NO_DRAFTS, one));
        const last = states.at(-1) ?? NO_DRAFTS;

        let back = last;
        for (const _ of last.past) back = undone(back);
        expect(texts(back)).toEqual({});
        let forth = back;
        for (const _ of last.past) forth = redone(forth);
        expect(texts(forth)).toEqual(texts(last));
      }),
    );
  });
});

describe('a wish changes nothing', () => {
  const set = (text: string, dynamic = false): DraftWish => ({ kind: 'set', text, dynamic });
  it.each`
    what                                   | wish                 | secret   | present                              | verdict
    ${'the text that is set'}              | ${set('a')}          | ${false} | ${{ text: 'a', dynamic: false }}     | ${true}
    ${'another text'}                      | ${set('b')}          | ${false} | ${{ text: 'a', dynamic: false }}     | ${false}
    ${'the same text, but evaluated'}      | ${set('a', true)}    | ${false} | ${{ text: 'a', dynamic: false }}     | ${false}
    ${'the text that is inherited'}        | ${set('a')}          | ${false} | ${null}                              | ${false}
    ${'null where null is set'}            | ${{ kind: 'null' }}  | ${false} | ${{ text: null, dynamic: false }}    | ${true}
    ${'inheriting where nothing is set'}   | ${{ kind: 'unset' }} | ${false} | ${null}                              | ${true}
    ${'inheriting where something is set'} | ${{ kind: 'unset' }} | ${false} | ${{ text: 'a', dynamic: false }}     | ${false}
    ${'a secret, which is never compared'} | ${set('*****')}      | ${true}  | ${{ text: '*****', dynamic: false }} | ${false}
  `('$what: $verdict', ({ wish, secret, present, verdict }) => {
    expect(changesNothing(wish, secret, present)).toBe(verdict);
  });
});
