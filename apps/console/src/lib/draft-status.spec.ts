import type { Draft } from './draft.ts';
import { draftStatusOf, type PresentCell, rebaseDraft } from './draft-status.ts';

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
  edit: { kind: 'set', text: 'mine', dynamic: false },
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
  it('is unchanged while its version is current or the current state is not loaded', () => {
    expect(draftStatusOf(DRAFT, present({ ledgerId: 'l1', text: 'before' }))).toEqual({ kind: 'good' });
    expect(draftStatusOf(DRAFT, undefined)).toEqual({ kind: 'good' });
    expect(draftStatusOf(DRAFT, present({ revision: 6 }))).toEqual({ kind: 'good' });
  });

  it('conflicts with another text, also with an equal dynamic text', () => {
    expect(draftStatusOf(DRAFT, present({}))).toMatchObject({ kind: 'conflict', conflict: { kind: 'changed' } });
    expect(draftStatusOf(DRAFT, present({ text: 'before', dynamic: true }))).toMatchObject({ kind: 'conflict' });
    expect(draftStatusOf(DRAFT, present(inherited, { isOwn: false }))).toMatchObject({ kind: 'conflict' });
  });

  it('moves to a version with the same text', () => {
    const now = present({ text: 'before' });
    expect(draftStatusOf(DRAFT, now)).toEqual({ kind: 'moved', draft: { ...DRAFT, base: now.base } });
  });

  it('of a secret conflicts with each new version, because texts are not compared', () => {
    const { text: _, ...base } = DRAFT.base;
    const now = present({ text: undefined }, { isSecret: true });
    expect(draftStatusOf({ ...DRAFT, isSecret: true, base }, now)).toMatchObject({ kind: 'conflict' });
  });

  it('is removed when the stored value equals it', () => {
    expect(draftStatusOf(DRAFT, present({ text: 'mine' }))).toEqual({ kind: 'moved', draft: null });
    const unset: Draft = { ...DRAFT, edit: { kind: 'unset' } };
    expect(draftStatusOf(unset, present(inherited, { isOwn: false }))).toEqual({ kind: 'moved', draft: null });
  });

  it('of an empty cell conflicts with a first value, but not with an inherited one', () => {
    const first: Draft = { ...DRAFT, base: { ...DRAFT.base, ...inherited } };
    expect(draftStatusOf(first, present({}))).toMatchObject({ kind: 'conflict', conflict: { kind: 'changed' } });
    expect(draftStatusOf(first, present({ ...inherited, text: 'another' }, { isOwn: false }))).toEqual({
      kind: 'good',
    });
  });

  it('moves to a new override of the inherited parameter', () => {
    const foreign: Draft = { ...DRAFT, isForeign: true, base: { ...DRAFT.base, ...inherited } };
    const own = present(inherited, { parameterId: 'own', isOwn: false });
    expect(draftStatusOf(foreign, own)).toMatchObject({
      kind: 'moved',
      draft: { parameterId: 'own', isForeign: false },
    });
    expect(draftStatusOf(foreign, present({}, { parameterId: 'own' }))).toMatchObject({ kind: 'conflict' });
  });

  it('conflicts with a renamed and with a deleted parameter', () => {
    const now = present({ ledgerId: 'l1', text: 'before' }, { name: 'HTTP_PORT' });
    expect(draftStatusOf(DRAFT, now)).toMatchObject({ conflict: { kind: 'renamed' } });
    expect(draftStatusOf(DRAFT, null)).toMatchObject({ conflict: { kind: 'gone' } });
    expect(rebaseDraft(DRAFT, now).name).toBe('HTTP_PORT');
  });
});
