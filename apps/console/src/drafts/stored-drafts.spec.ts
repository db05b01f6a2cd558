import { type Draft, draftKey } from './draft.ts';
import { draftsIn, storedText } from './stored-drafts.ts';

const draft = (name: string, more: Partial<Draft> = {}): [string, Draft] => {
  const made: Draft = {
    projectId: 'web',
    projectName: 'web',
    environmentId: 'production',
    environmentName: 'production',
    parameterId: name,
    name,
    isSecret: false,
    isForeign: false,
    wish: { kind: 'set', text: 'good day', dynamic: false },
    base: { revision: 7, valueId: null, ledgerId: null, text: 'hello' },
    ...more,
  };
  return [draftKey(made), made];
};

describe('the browser keeps', () => {
  it('drafts as they are', () => {
    const drafts = new Map([
      draft('A'),
      draft('B', { wish: { kind: 'unset' } }),
      draft('C', { wish: { kind: 'null' } }),
    ]);
    expect(draftsIn(storedText(drafts))).toEqual(drafts);
  });

  it('that a secret was typed, and neither the new text nor the old one', () => {
    const secret = draft('TOKEN', { isSecret: true, wish: { kind: 'set', text: 'canary-new', dynamic: false } });
    const stored = storedText(
      new Map([secret, draft('OLD', { isSecret: true, base: { ...secret[1].base, text: 'canary-old' } })]),
    );

    expect(stored).not.toContain('canary');
    expect([...draftsIn(stored).values()][0]?.wish).toEqual({ kind: 'retype' });
  });

  it.each([
    null,
    '',
    'no JSON',
    'null',
    '[]',
    '{"version":1}',
    '{"version":2,"drafts":[]}',
    '{"version":1,"drafts":[null,1,{"name":"A"}]}',
  ])('nothing that makes sense in %s', (stored) => {
    expect(draftsIn(stored).size).toBe(0);
  });
});
