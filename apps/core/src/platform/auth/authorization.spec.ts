import { malformedAuthorizations } from '../../testing/malformed-authorization.ts';
import { parseAuthorization } from './authorization.ts';

const KEY = `abcd1234.${'s'.repeat(43)}`;
const TOKEN = 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJ4In0.c2lnbmF0dXJl';
const MALFORMED = Object.entries(malformedAuthorizations(KEY, TOKEN));

const parse = (...values: string[]) => parseAuthorization(values.flatMap((value) => ['Authorization', value]));

describe('parseAuthorization', () => {
  it.each(['Api-Key', 'API-Key', 'api-key'])('parses an API key after %s', (scheme) => {
    expect(parse(`${scheme} ${KEY}`)).toEqual({
      kind: 'credential',
      credential: { scheme: 'api-key', prefix: 'abcd1234', key: KEY },
    });
  });

  it.each(['Bearer', 'bearer', 'BEARER'])('parses a token after %s', (scheme) => {
    expect(parse(`${scheme} ${TOKEN}`)).toEqual({ kind: 'credential', credential: { scheme: 'bearer', token: TOKEN } });
  });

  it('finds the header in any letter case among others', () => {
    const headers = ['Host', 'authorization', 'aUTHORIZATION', `Api-Key ${KEY}`, 'X-Authorization', 'Bearer x'];
    expect(parseAuthorization(headers)).toMatchObject({ kind: 'credential' });
  });

  it('distinguishes a missing header from an invalid one', () => {
    expect(parseAuthorization(['Host', 'x'])).toEqual({ kind: 'none' });
  });

  it('is tested with at least forty malformed headers', () => {
    expect(MALFORMED.length).toBeGreaterThanOrEqual(40);
  });

  it.each(MALFORMED)('rejects %s', (_, values) => {
    expect(parse(...values)).toEqual({ kind: 'malformed' });
  });
});
