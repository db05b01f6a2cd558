import { parseCredential, parseReplaceable } from './credential-text.ts';

const MEMBERS = { name: ['username'], secret: ['password'] };

describe('the credential in a text', () => {
  it.each([
    ['a percent sign that encodes nothing', 'postgresql://a:100%@h/d'],
    ['an empty password in a URL', 'postgresql://a:@h/d'],
    ['an empty password in an object', '{"username": "a", "password": ""}'],
  ])('is none for %s', (_, text) => {
    expect(parseCredential(text, MEMBERS)).toBeNull();
  });

  it.each([
    ['another member', JSON.stringify({ username: 'a', password: 'p w"1', url: 'postgresql://b:p%20w%221@h/d' })],
    ['a member with quotes', JSON.stringify({ username: 'a', password: 'p w"1', note: 'is p w"1' })],
    ['the query of the URL', 'postgresql://a:p%20w@h/d?password=p%20w'],
  ])('cannot be replaced if %s also contains the password', (_, text) => {
    expect(() => parseReplaceable(text, MEMBERS)).toThrow(expect.objectContaining({ code: 'secret_remains' }));
  });

  it.each([
    ['postgresql://a:old@h/d?x=1', 'postgresql://b:new@h/d?x=1'],
    ['{"username":"a","password":"old","x":1}', '{"username":"b","password":"new","x":1}'],
  ])('is replaced in %s', (text, replaced) => {
    expect(parseReplaceable(text, MEMBERS).replace('b', 'new')).toBe(replaced);
  });
});
