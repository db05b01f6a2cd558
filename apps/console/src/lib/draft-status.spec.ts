import type { Draft } from './draft.ts';
import { draftStatusOf, type PresentCell, rebasedOn } from './draft-status.ts';

const DRAFT: Draft = {
  projectId: 'web',
  projectName: 'web',
  environmentId: 'production',
  environmentName: 'production',
  parameterId: 'p',
  name: 'PORT',
  isSecret: false,
  isForeign: false,
  typing: 1,
  wish: { kind: 'set', text: 'mine', dynamic: false },
  base: { revision: 7, valueId: 'v', ledgerId: 'l1', text: 'before', dynamic: false },
};
const present = (base: Partial<PresentCell['base']>, more: Partial<PresentCell> = {}): PresentCell => ({
  parameterId: 'p',
  name: 'PORT',
  isSecret: false,
  isForeign: false,
  isOwn: true,
  base: { revision: 9, valueId: 'v', ledgerId: 'l2', text: 'theirs', dynamic: false, ...base },
  ...more,
});
const inherited = { valueId: null, ledgerId: null, text: 'above' };

describe('a draft', () => {
  it('stands while the version that it was made on is there, or nobody has looked since', () => {
    expect(draftStatusOf(DRAFT, present({ ledgerId: 'l1', text: 'before' }))).toEqual({ kind: 'good' });
    expect(draftStatusOf(DRAFT, undefined)).toEqual({ kind: 'good' });
    expect(draftStatusOf(DRAFT, present({ revision: 6 }))).toEqual({ kind: 'good' });
  });

  it('is in conflict with another text, also with a dynamic one that looks the same', () => {
    expect(draftStatusOf(DRAFT, present({}))).toMatchObject({ kind: 'conflict', conflict: { kind: 'changed' } });
    expect(draftStatusOf(DRAFT, present({ text: 'before', dynamic: true }))).toMatchObject({ kind: 'conflict' });
    expect(draftStatusOf(DRAFT, present(inherited, { isOwn: false }))).toMatchObject({ kind: 'conflict' });
  });

  it('goes on from a version that says the same', () => {
    const now = present({ text: 'before' });
    expect(draftStatusOf(DRAFT, now)).toEqual({ kind: 'moved', draft: { ...DRAFT, base: now.base } });
  });

  it('of a secret is in conflict with each new version, since texts are not compared', () => {
    const { text: _, ...base } = DRAFT.base;
    const now = present({ text: undefined }, { isSecret: true });
    expect(draftStatusOf({ ...DRAFT, isSecret: true, base }, now)).toMatchObject({ kind: 'conflict' });
  });

  it('that has come true is forgotten', () => {
    expect(draftStatusOf(DRAFT, present({ text: 'mine' }))).toEqual({ kind: 'moved', draft: null });
    const unset: Draft = { ...DRAFT, wish: { kind: 'unset' } };
    expect(draftStatusOf(unset, present(inherited, { isOwn: false }))).toEqual({ kind: 'moved', draft: null });
  });

  it('where nothing was set is in conflict with a first value, and not with what is inherited', () => {
    const first: Draft = { ...DRAFT, base: { ...DRAFT.base, ...inherited } };
    expect(draftStatusOf(first, present({}))).toMatchObject({ kind: 'conflict', conflict: { kind: 'changed' } });
    expect(draftStatusOf(first, present({ ...inherited, text: 'another' }, { isOwn: false }))).toEqual({
      kind: 'good',
    });
  });

  it('goes to the parameter that somebody made in place of an inherited one', () => {
    const foreign: Draft = { ...DRAFT, isForeign: true, base: { ...DRAFT.base, ...inherited } };
    const own = present(inherited, { parameterId: 'own', isOwn: false });
    expect(draftStatusOf(foreign, own)).toMatchObject({
      kind: 'moved',
      draft: { parameterId: 'own', isForeign: false },
    });
    expect(draftStatusOf(foreign, present({}, { parameterId: 'own' }))).toMatchObject({ kind: 'conflict' });
  });

  it('is in conflict with another name, and with nothing at all', () => {
    const now = present({ ledgerId: 'l1', text: 'before' }, { name: 'HTTP_PORT' });
    expect(draftStatusOf(DRAFT, now)).toMatchObject({ conflict: { kind: 'renamed' } });
    expect(draftStatusOf(DRAFT, null)).toMatchObject({ conflict: { kind: 'gone' } });
    expect(rebasedOn(DRAFT, now).name).toBe('HTTP_PORT');
  });
});
