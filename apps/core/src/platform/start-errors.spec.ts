import { startErrorMessage } from './start-errors.ts';

const coded = (code: string) => Object.assign(new Error('connect postgres://strata:hunter2@db'), { code });

describe('a start that fails', () => {
  it.each(['22023', '42P01'])('tells to migrate when nobody has (%s)', (code) => {
    expect(startErrorMessage(coded(code))).toContain('main.js migrate');
  });

  it.each(['28P01', '3D000', 'ECONNREFUSED', 'ENOTFOUND'])('names the setting and no password (%s)', (code) => {
    expect(startErrorMessage(coded(code))).toContain('DATABASE_URL');
    expect(startErrorMessage(coded(code))).not.toContain('hunter2');
    expect(startErrorMessage({ driverError: { code } })).toBe(startErrorMessage(coded(code)));
  });

  it('says so when the connection was cut without a code', () => {
    expect(startErrorMessage(new Error('Connection terminated unexpectedly'))).toContain('was cut');
  });

  it.each([new URIError('URI malformed'), coded('ERR_INVALID_URL')])('tells how to write a URL (%#)', (error) => {
    expect(startErrorMessage(error)).toContain('escaped');
  });

  it.each([new Error('a bug'), coded('XX000'), null, 'text'])('keeps its stack when it is a bug (%#)', (error) => {
    expect(startErrorMessage(error)).toBeNull();
  });
});
