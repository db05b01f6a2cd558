import type { Draft } from './draft.ts';
import { canKeepDraft, compareDraft, rebaseDraft, type StoredCell } from './draft-status.ts';

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
const currentCell = (base: Partial<StoredCell['base']>, more: Partial<StoredCell> = {}): StoredCell => ({
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
    expect(compareDraft(DRAFT, currentCell({ ledgerId: 'l1', text: 'before' }))).toEqual({ kind: 'good' });
    expect(compareDraft(DRAFT, undefined)).toEqual({ kind: 'good' });
    expect(compareDraft(DRAFT, currentCell({ revision: 6 }))).toEqual({ kind: 'good' });
  });

  it('conflicts with another text, also with an equal dynamic text', () => {
    expect(compareDraft(DRAFT, currentCell({}))).toMatchObject({ kind: 'conflict', conflict: { kind: 'changed' } });
    expect(compareDraft(DRAFT, currentCell({ text: 'before', dynamic: true }))).toMatchObject({ kind: 'conflict' });
    expect(compareDraft(DRAFT, currentCell(inherited, { isOwn: false }))).toMatchObject({ kind: 'conflict' });
  });

  it('moves to a version with the same text', () => {
    const now = currentCell({ text: 'before' });
    expect(compareDraft(DRAFT, now)).toEqual({ kind: 'moved', draft: { ...DRAFT, base: now.base } });
  });

  it('of a secret conflicts with each new version, because texts are not compared', () => {
    const { text: _, ...base } = DRAFT.base;
    const now = currentCell({ text: undefined }, { isSecret: true });
    expect(compareDraft({ ...DRAFT, isSecret: true, base }, now)).toMatchObject({ kind: 'conflict' });
  });

  it('is removed when the stored value equals it', () => {
    expect(compareDraft(DRAFT, currentCell({ text: 'mine' }))).toEqual({ kind: 'moved', draft: null });
    const unset: Draft = { ...DRAFT, edit: { kind: 'unset' } };
    expect(compareDraft(unset, currentCell(inherited, { isOwn: false }))).toEqual({ kind: 'moved', draft: null });
  });

  it('of an empty cell conflicts with a first value, but not with an inherited one', () => {
    const first: Draft = { ...DRAFT, base: { ...DRAFT.base, ...inherited } };
    expect(compareDraft(first, currentCell({}))).toMatchObject({ kind: 'conflict', conflict: { kind: 'changed' } });
    expect(compareDraft(first, currentCell({ ...inherited, text: 'another' }, { isOwn: false }))).toEqual({
      kind: 'good',
    });
  });

  it('moves to a new override of the inherited parameter', () => {
    const foreign: Draft = { ...DRAFT, isForeign: true, base: { ...DRAFT.base, ...inherited } };
    const override = currentCell(inherited, { parameterId: 'own', isOwn: false });
    expect(compareDraft(foreign, override)).toMatchObject({
      kind: 'moved',
      draft: { parameterId: 'own', isForeign: false },
    });
    expect(compareDraft(foreign, currentCell({}, { parameterId: 'own' }))).toMatchObject({ kind: 'conflict' });
  });

  it('conflicts with a renamed and with a deleted parameter', () => {
    const now = currentCell({ ledgerId: 'l1', text: 'before' }, { name: 'HTTP_PORT' });
    expect(compareDraft(DRAFT, now)).toMatchObject({ conflict: { kind: 'renamed' } });
    expect(compareDraft(DRAFT, null)).toMatchObject({ conflict: { kind: 'gone' } });
    expect(rebaseDraft(DRAFT, now).name).toBe('HTTP_PORT');
  });
});

describe('a drafted secret whose parameter was replaced by one that is not secret', () => {
  const SECRET: Draft = { ...DRAFT, isSecret: true, isForeign: true, base: { ...DRAFT.base, ...inherited } };
  const now = currentCell(inherited, { parameterId: 'own', isOwn: false });

  it.each([{ kind: 'set', text: 'mine', dynamic: false } as const, { kind: 'retype' } as const])(
    'is a conflict and cannot be kept: $kind',
    (edit) => {
      const conflict = { kind: 'exposed', currentCell: now } as const;
      expect(compareDraft({ ...SECRET, edit }, now)).toEqual({ kind: 'conflict', conflict });
      for (const kind of ['changed', 'renamed', 'taken', 'exposed'] as const) {
        expect(canKeepDraft({ ...SECRET, edit }, { kind, currentCell: now })).toBe(false);
      }
    },
  );

  it('can be kept as a removal or null, which contain no secret', () => {
    for (const kind of ['unset', 'null'] as const) {
      expect(canKeepDraft({ ...SECRET, edit: { kind } }, { kind: 'changed', currentCell: now })).toBe(true);
    }
  });
});

describe('a draft of a new parameter', () => {
  const NEW: Draft = { ...DRAFT, isNew: true, parameterId: 'new:PORT', base: { ...DRAFT.base, ledgerId: null } };

  it('conflicts with a parameter of the project that has its name, and not with an inherited one', () => {
    const taken = currentCell({ ledgerId: null });
    expect(compareDraft(NEW, null)).toEqual({ kind: 'good' });
    expect(compareDraft(NEW, currentCell({}, { isForeign: true }))).toEqual({ kind: 'good' });
    expect(compareDraft(NEW, taken)).toEqual({ kind: 'conflict', conflict: { kind: 'taken', currentCell: taken } });
    expect(rebaseDraft(NEW, taken)).toMatchObject({ parameterId: 'p', isNew: undefined });
  });

  it('can be kept as a value of that parameter, unless a secret would become visible', () => {
    const taken = (more: Partial<StoredCell> = {}) => ({ kind: 'taken', currentCell: currentCell({}, more) }) as const;
    expect(canKeepDraft(NEW, taken())).toBe(true);
    expect(canKeepDraft({ ...NEW, isSecret: true }, taken())).toBe(false);
    expect(canKeepDraft({ ...NEW, isSecret: true }, taken({ isSecret: true }))).toBe(true);
    expect(canKeepDraft({ ...NEW, edit: { kind: 'create' } }, taken())).toBe(false);
  });

  it('of a secret that must be typed again moves to the parameter that its other values have created', () => {
    const rest: Draft = { ...NEW, isSecret: true, edit: { kind: 'retype' } };
    const status = compareDraft(rest, currentCell({ ledgerId: null }, { isSecret: true }));
    expect(status).toMatchObject({ kind: 'moved', draft: { parameterId: 'p', isNew: undefined } });
  });
});
