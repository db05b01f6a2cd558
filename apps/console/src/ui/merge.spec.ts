import { changedIn, refuseUnseen } from './merge.ts';

const begun = { name: 'ops', channel: '#ops', pattern: '' };

describe('what is typed into a form that others may change meanwhile', () => {
  it('is a change only where it is another text', () => {
    expect(changedIn({ begun, typed: { ...begun, name: 'operators' } })).toEqual(['name']);
  });

  it.each([
    ['nothing was changed here', begun, { ...begun, name: 'theirs' }],
    ['others changed another field', { ...begun, name: 'mine' }, { ...begun, channel: '#theirs' }],
    ['others changed it to the same', { ...begun, name: 'same' }, { ...begun, name: 'same' }],
  ])('is stored where %s', (_, typed, present) => {
    const seen: object[] = [];
    refuseUnseen({ begun, typed, present }, (now) => seen.push(now));

    expect(seen).toEqual([]);
  });

  it('is refused at the field that others changed otherwise, once', () => {
    const [typed, present] = [
      { ...begun, name: 'mine' },
      { ...begun, name: 'theirs', channel: '#theirs' },
    ];
    let known = begun;
    const store = () =>
      refuseUnseen({ begun: known, typed, present }, (now) => {
        known = now;
      });

    expect(store).toThrow(
      expect.objectContaining({ places: [{ field: 'name', message: expect.stringContaining('it is “theirs” now') }] }),
    );
    expect(known).toEqual({ ...begun, name: 'theirs' });
    expect(store).not.toThrow();
  });
});
