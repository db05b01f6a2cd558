import { startTrouble } from './start-trouble.ts';

const coded = (code: string) => Object.assign(new Error('connect postgres://strata:hunter2@db'), { code });

describe('a start that fails', () => {
  it.each(['22023', '42P01'])('tells to migrate when nobody has (%s)', (code) => {
    expect(startTrouble(coded(code))).toContain('main.js migrate');
  });

  it.each(['28P01', '3D000', 'ECONNREFUSED', 'ENOTFOUND'])('names the setting and no password (%s)', (code) => {
    expect(startTrouble(coded(code))).toContain('DATABASE_URL');
    expect(startTrouble(coded(code))).not.toContain('hunter2');
    expect(startTrouble({ driverError: { code } })).toBe(startTrouble(coded(code)));
  });

  it('says so when the connection was cut without a code', () => {
    expect(startTrouble(new Error('Connection terminated unexpectedly'))).toContain('was cut');
  });

  it.each([new URIError('URI malformed'), coded('ERR_INVALID_URL')])('tells how to write a URL (%#)', (error) => {
    expect(startTrouble(error)).toContain('escaped');
  });

  it.each([new Error('a bug'), coded('XX000'), null, 'text'])('keeps its stack when it is a bug (%#)', (error) => {
    expect(startTrouble(error)).toBeNull();
  });
});
