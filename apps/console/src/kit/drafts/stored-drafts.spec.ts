import type { Draft } from '../../lib/draft.ts';
import { draftIn, storedText } from './stored-drafts.ts';

const draft = (name: string, more: Partial<Draft> = {}): Draft => ({
  projectId: 'web',
  projectName: 'web',
  environmentId: 'production',
  environmentName: 'production',
  parameterId: name,
  name,
  isSecret: false,
  isForeign: false,
  typing: 1,
  wish: { kind: 'set', text: 'good day', dynamic: false },
  base: { revision: 7, valueId: null, ledgerId: null, text: 'hello' },
  ...more,
});

describe('the browser stores', () => {
  it.each([draft('A'), draft('B', { wish: { kind: 'unset' } }), draft('C', { wish: { kind: 'null' } })])(
    'a draft unchanged: $name',
    (given) => {
      expect(draftIn(storedText(given))).toEqual(given);
    },
  );

  it('a draft of a secret without its new and old text', () => {
    const secret = draft('TOKEN', {
      isSecret: true,
      wish: { kind: 'set', text: 'canary-new', dynamic: false },
      base: { revision: 7, valueId: null, ledgerId: null, text: 'canary-old' },
    });

    expect(storedText(secret)).not.toContain('canary');
    expect(draftIn(storedText(secret))).toMatchObject({ typing: 1, wish: { kind: 'retype' } });
  });

  it.each([null, '', 'no JSON', 'null', '[]', '{"version":2}', '{"version":2,"name":"A"}'])(
    'nothing invalid from %s',
    (stored) => {
      expect(draftIn(stored)).toBeNull();
    },
  );

  it('no draft of another version of the console', () => {
    expect(draftIn(JSON.stringify({ version: 1, ...draft('A') }))).toBeNull();
  });
});
