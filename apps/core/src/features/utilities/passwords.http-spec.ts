import { type RunningCore, sharedCore } from '@strata/testkit';

let core: RunningCore;
beforeAll(async () => {
  core = await sharedCore();
});

const PATH = 'utils/generate_password/';
interface Password {
  readonly value: string;
}

describe('a generated password', () => {
  it('contains lower case, upper case and digits by default, and is never cached', async () => {
    const viewer = (await core.organization()).as('VIEWER');

    const { status, body, headers } = await viewer.post<Password>(`${PATH}?length=12`);

    expect(status).toBe(201);
    expect(body.value).toMatch(/^(?=.*[a-z])(?=.*[A-Z])(?=.*[0-9])[A-Za-z0-9]{12}$/);
    expect(headers['cache-control']).toBe('no-store');
    expect((await viewer.post<Password>(`${PATH}?length=12`)).body.value).not.toBe(body.value);
  });

  it.each`
    query                                                                                                   | pattern
    ${'length=8'}                                                                                           | ${/^[A-Za-z0-9]{8}$/}
    ${'length=4095'}                                                                                        | ${/^[A-Za-z0-9]{4095}$/}
    ${'length=20&require_symbols=True&require_spaces=1'}                                                    | ${/^(?=.*[^A-Za-z0-9 ])(?=.* ).{20}$/}
    ${'length=9&require_lowercase=false&require_uppercase=0&require_hardware_generation=true'}              | ${/^[0-9]{9}$/}
    ${'length=8&require_lowercase=false&require_uppercase=false&require_numbers=false&require_spaces=true'} | ${/^ {8}$/}
  `('satisfies $query', async ({ query, pattern }) => {
    const { owner } = await core.organization();

    const { body } = await owner.post<Password>(`${PATH}?${query}`);

    expect(body.value).toMatch(pattern);
  });

  it.each`
    query                                                                               | code                      | key
    ${'length=7'}                                                                       | ${'password_too_short'}   | ${'length'}
    ${'length=-1'}                                                                      | ${'password_too_short'}   | ${'length'}
    ${'length=4096'}                                                                    | ${'password_too_long'}    | ${'length'}
    ${'length=eight'}                                                                   | ${'invalid'}              | ${'length'}
    ${''}                                                                               | ${'required'}             | ${'length'}
    ${'length=8&require_lowercase=false&require_uppercase=false&require_numbers=false'} | ${'no_kind_of_character'} | ${'non_field_errors'}
  `('is rejected for "$query" with $code on $key', async ({ query, code, key }) => {
    const { owner } = await core.organization();

    const response = await owner.post(`${PATH}?${query}`);

    expect(response).toMatchObject({ status: 400, body: { [key]: [expect.any(String)] } });
    expect(Object.keys(response.body as object)).toEqual([key]);
    expect(response.headers['x-error-code']).toBe(code);
  });
});

describe('the description of the API', () => {
  it.each`
    query             | accept                                | type
    ${''}             | ${'*/*'}                              | ${'application/vnd.oai.openapi'}
    ${'?format=yaml'} | ${'application/json'}                 | ${'application/vnd.oai.openapi'}
    ${'?format=json'} | ${'*/*'}                              | ${'application/vnd.oai.openapi+json'}
    ${''}             | ${'application/vnd.oai.openapi+json'} | ${'application/vnd.oai.openapi+json'}
    ${'?lang=de'}     | ${'application/json'}                 | ${'application/json'}
  `(
    'is returned as $type for "$query" and Accept: $accept, with the same bytes each time',
    async ({ query, accept, type }) => {
      const request = () => fetch(`${core.origin}/api/schema/${query}`, { headers: { accept } });

      const [first, second] = [await request(), await request()];

      expect(first.status).toBe(200);
      expect(first.headers.get('content-type')).toBe(type);
      expect(await second.text()).toBe(await first.text());
    },
  );
});
