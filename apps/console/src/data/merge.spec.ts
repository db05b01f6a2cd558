import { WriteError } from '../lib/request-error.ts';
import { type LoadedVersion, saveChangedFields } from './merge.ts';

type Name = 'name' | 'channel' | 'pattern';
type Fields = Readonly<Record<Name, string>>;

const FIELDS: Fields = { name: 'ops', channel: '#ops', pattern: '' };
const SEEN: LoadedVersion<Name> = { ledgerId: 'v1', fields: FIELDS };

/** Simulates an object that other users change, and a form that edits it. */
function overtaken(input: Fields, theirs: Partial<Fields>) {
  let currentVersion: LoadedVersion<Name> = { ledgerId: 'v2', fields: { ...FIELDS, ...theirs } };
  let seen = SEEN;
  const save = (typedNow = input) =>
    saveChangedFields(seen, {
      typed: typedNow,
      read: async () => currentVersion,
      write: async (changedFields, ledgerId) => {
        if (ledgerId !== currentVersion.ledgerId)
          throw new WriteError('precondition_failed', 'It has changed.', [], true);
        const mine = Object.fromEntries(changedFields.map((name) => [name, typedNow[name]]));
        currentVersion = { ledgerId: 'v3', fields: { ...currentVersion.fields, ...mine } };
      },
      onSeen: (now) => {
        seen = now;
      },
    });
  return { save, stored: () => currentVersion };
}

describe('a form whose object may change meanwhile', () => {
  it('stores the changed fields on top of the version that the user has seen', async () => {
    const written: unknown[] = [];
    const saved = await saveChangedFields<Name>(SEEN, {
      typed: { ...FIELDS, name: 'operators' },
      read: async () => null,
      write: async (...call) => {
        written.push(call);
      },
      onSeen: () => undefined,
    });

    expect(saved).toBe(true);
    expect(written).toEqual([[['name'], 'v1']]);
  });

  it('sends nothing without a changed field, so that it reverts no changes of others', async () => {
    const { save, stored } = overtaken(FIELDS, { name: 'theirs' });

    expect(await save()).toBe(false);
    expect(stored()).toMatchObject({ ledgerId: 'v2', fields: { name: 'theirs' } });
  });

  it.each([
    [
      'another field changed',
      { ...FIELDS, name: 'mine' },
      { channel: '#theirs' },
      { name: 'mine', channel: '#theirs' },
    ],
    [
      'the same field changed to the same text',
      { ...FIELDS, name: 'same' },
      { name: 'same' },
      { name: 'same', channel: '#ops' },
    ],
  ])('merges its changes with those of another user: %s', async (_, input, theirs, together) => {
    const { save, stored } = overtaken(input, theirs);

    expect(await save()).toBe(true);
    expect(stored()).toMatchObject({ fields: together });
  });

  it('fails once at the field that another user has changed', async () => {
    const { save, stored } = overtaken({ ...FIELDS, name: 'mine' }, { name: 'theirs', channel: '#theirs' });

    await expect(save()).rejects.toMatchObject({
      fieldErrors: [{ field: 'name', message: expect.stringContaining('it is “theirs” now') }],
    });
    expect(stored()).toMatchObject({ ledgerId: 'v2', fields: { name: 'theirs' } });
    expect(await save()).toBe(true);
    expect(stored()).toMatchObject({ fields: { name: 'mine', channel: '#theirs' } });
  });

  it('also fails at a second field that changed after the first error', async () => {
    const { save, stored } = overtaken({ ...FIELDS, name: 'mine' }, { name: 'theirs', channel: '#theirs' });
    await expect(save()).rejects.toMatchObject({ fieldErrors: [{ field: 'name' }] });

    await expect(save({ ...FIELDS, name: 'mine', channel: '#mine' })).rejects.toMatchObject({
      fieldErrors: [{ field: 'channel', message: expect.stringContaining('it is “#theirs” now') }],
    });
    expect(stored()).toMatchObject({ ledgerId: 'v2', fields: { name: 'theirs', channel: '#theirs' } });
  });

  it('fails as a whole if the object was deleted or cannot be read', async () => {
    const outdatedError = new WriteError('precondition_failed', 'It has changed.', [], true);
    const save = (read: () => Promise<LoadedVersion<Name> | null>) =>
      saveChangedFields<Name>(SEEN, {
        typed: { ...FIELDS, name: 'mine' },
        read,
        write: () => Promise.reject(outdatedError),
        onSeen: () => undefined,
      });

    await expect(save(async () => null)).rejects.toBe(outdatedError);
    await expect(save(async () => SEEN)).rejects.toBe(outdatedError);
  });
});
