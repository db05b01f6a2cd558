import { parseRequestTarget } from './request-target.ts';

describe('the objects that a request names', () => {
  it('are those of the path and the query', () => {
    expect(parseRequestTarget({ url: '/api/v1/projects/shop/parameters/p/values/v/', query: {} })).toMatchObject({
      project: 'shop',
      parameter: 'p',
      value: 'v',
    });
    expect(parseRequestTarget({ url: '/api/v1/environments/e/tags/', query: {} })).toMatchObject({ environment: 'e' });
  });

  it('contain no text that PostgreSQL cannot store, and no text that is too long for a name', () => {
    const query = { environment: 'a\0b', name: 'x'.repeat(1_000) };
    const target = parseRequestTarget({ url: '/api/v1/projects/a%00b/parameters/', query });

    expect(target).toMatchObject({ project: null, environment: null, name: null, parameter: null });
  });
});
