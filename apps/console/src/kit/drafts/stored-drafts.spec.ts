import type { Draft } from '../../lib/draft.ts';
import { parseDraft, storedText } from './stored-drafts.ts';

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
  edit: { kind: 'set', text: 'good day', dynamic: false },
  base: { revision: 7, valueId: null, ledgerId: null, text: 'hello' },
  ...more,
});

describe('the browser stores', () => {
  it.each([
    draft('A'),
    draft('B', { edit: { kind: 'unset' } }),
    draft('C', { edit: { kind: 'null' } }),
    draft('D', { edit: { kind: 'create' }, isNew: true, type: 'integer' }),
  ])('a draft unchanged: $name', (unchanged) => {
    expect(parseDraft(storedText(unchanged))).toEqual(unchanged);
  });

  it('a draft of a secret without its new and old text', () => {
    const secret = draft('TOKEN', {
      isSecret: true,
      edit: { kind: 'set', text: 'canary-new', dynamic: false },
      base: { revision: 7, valueId: null, ledgerId: null, text: 'canary-old' },
    });

    expect(storedText(secret)).not.toContain('canary');
    expect(parseDraft(storedText(secret))).toMatchObject({ typing: 1, edit: { kind: 'retype' } });
  });

  it.each([null, '', 'no JSON', 'null', '[]', '{"version":2}', '{"version":3}', '{"version":3,"name":"A"}'])(
    'nothing invalid from %s',
    (stored) => {
      expect(parseDraft(stored)).toBeNull();
    },
  );

  it('a draft of version 2, whose edit has another name', () => {
    const { edit, ...rest } = draft('A');

    expect(parseDraft(JSON.stringify({ version: 2, ...rest, wish: edit }))).toEqual(draft('A'));
  });

  it('a draft of version 3', () => {
    expect(parseDraft(JSON.stringify({ version: 3, ...draft('A') }))).toEqual(draft('A'));
  });

  it('no draft of another version of the console', () => {
    expect(parseDraft(JSON.stringify({ version: 1, ...draft('A') }))).toBeNull();
  });
});
