import { startErrorMessage } from './start-errors.ts';

const coded = (code: string) => Object.assign(new Error('connect postgres://strata:hunter2@db'), { code });

describe('startErrorMessage', () => {
  it.each(['22023', '42P01'])('says to run the migrations if they have not run (%s)', (code) => {
    expect(startErrorMessage(coded(code))).toContain('strata migrate');
  });

  it.each(['28P01', '3D000', 'ECONNREFUSED', 'ENOTFOUND'])('names the setting and no password (%s)', (code) => {
    expect(startErrorMessage(coded(code))).toContain('DATABASE_URL');
    expect(startErrorMessage(coded(code))).not.toContain('hunter2');
    expect(startErrorMessage({ driverError: { code } })).toBe(startErrorMessage(coded(code)));
  });

  it('explains a connection that was closed without an error code', () => {
    expect(startErrorMessage(new Error('Connection terminated unexpectedly'))).toContain('was closed');
  });

  it.each([new URIError('URI malformed'), coded('ERR_INVALID_URL')])('explains the format of a URL (%#)', (error) => {
    expect(startErrorMessage(error)).toContain('Escape');
  });

  it.each([new Error('a bug'), coded('XX000'), null, 'text'])(
    'returns null for a bug, so that its stack is logged (%#)',
    (error) => {
      expect(startErrorMessage(error)).toBeNull();
    },
  );
});
