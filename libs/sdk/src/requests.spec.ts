import { Requests } from './requests.ts';
import { ForeignResponseError, StrataError } from './strata-error.ts';

const SELECTION = { url: 'http://strata', project: 'web', environment: 'default', names: null, reveal: false };

/** Returns the error of a request to which a server responds so. */
async function errorOfResponse(status: number, body: object, headers: Record<string, string> = {}) {
  const fetch = async () => new Response(JSON.stringify(body), { status, headers });
  const options = { ...SELECTION, names: [], credential: 'Api-Key key', fetch };
  const sent = new Requests(options, SELECTION).send('projects/', { signal: new AbortController().signal });
  return sent.then(
    () => undefined,
    (error: unknown) => error,
  );
}

const EVALUATION = { code: 'evaluation_failed', pointer: '', params: {}, detail: 'HOST is missing.' };

it.each`
  server                                  | status | body                                                               | headers
  ${'Strata'}                             | ${422} | ${{ ...EVALUATION, errors: [{ params: { name: 'LINK' } }] }}       | ${{ 'x-error-code': 'evaluation_failed' }}
  ${'Strata, to a page of another site,'} | ${422} | ${{ ...EVALUATION, errors: [{ params: { name: 'LINK' } }] }}       | ${{}}
  ${'an older Strata'}                    | ${422} | ${{ detail: [{ parameter_name: 'LINK', error_code: 'missing' }] }} | ${{ 'x-error-code': 'evaluation_failed' }}
  ${'an older Strata, to a page,'}        | ${422} | ${{ detail: [{ parameter_name: 'LINK', error_code: 'missing' }] }} | ${{}}
`('$server names the texts that cannot be evaluated', async ({ status, body, headers }) => {
  const error = await errorOfResponse(status, body, headers);

  expect(error).toMatchObject({ code: 'evaluation_failed', message: expect.stringContaining('LINK') });
});

it('a proxy that rejects a request does not end the connection, although its body has a code', async () => {
  const error = await errorOfResponse(403, { code: 'WAF', message: 'Blocked.' });

  expect(error).toBeInstanceOf(ForeignResponseError);
});

it.each([403, 429])('an error with status %d has the params of Strata', async (status) => {
  const body = { code: 'too_many_streams', pointer: '', params: { limit: 5 }, detail: 'Too many streams.' };

  const error = await errorOfResponse(status, body);

  expect(error).toBeInstanceOf(StrataError);
  expect(error).toMatchObject({ params: { limit: 5 } });
});
