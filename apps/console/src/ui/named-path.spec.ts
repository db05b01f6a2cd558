import fc from 'fast-check';
import { namedPath } from './named-path.ts';

const {
  params: { parse, stringify },
} = namedPath<'name'>();
const anyName = fc.oneof(fc.string({ minLength: 1 }), fc.string({ unit: fc.constantFrom('~', '.'), minLength: 1 }));

describe('names in a URL', () => {
  it('are decoded unchanged, and none is a relative path segment', () => {
    fc.assert(
      fc.property(anyName, (name) => {
        const written = stringify({ name });
        expect(['.', '..']).not.toContain(written.name);
        expect(parse(written)).toEqual({ name });
      }),
    );
  });

  it('are encoded only where necessary, and dots always', () => {
    const { params } = namedPath<'name' | 'parameter'>();
    expect(params.stringify({ name: 'web.v2', parameter: '...' })).toEqual({ name: 'web.v2', parameter: '...' });
    expect(params.stringify({ name: '..', parameter: '~.' })).toEqual({ name: '~..', parameter: '~~.' });
  });
});
