import { parse } from 'graphql';
import { Documents, hashText } from './documents.ts';

const OWN = '{ viewer { role } }';
const OTHER = '{ projects { totalCount } }';
const byHash = (hash: unknown, version: unknown = 1) => ({ persistedQuery: { version, sha256Hash: hash } });
const open = new Documents(new Map([[hashText(OWN), OWN]]), true);
const shut = new Documents(new Map([[hashText(OWN), OWN]]), false);

const catchCode = (ask: () => unknown): unknown => {
  try {
    return ask();
  } catch (error) {
    return (error as { extensions: { code: string } }).extensions.code;
  }
};

describe('the document of a request', () => {
  it.each`
    request                                                         | whenOpen                       | whenShut
    ${{ extensions: byHash(hashText(OWN)) }}                        | ${OWN}                         | ${OWN}
    ${{ query: '', extensions: byHash(hashText(OWN)) }}             | ${OWN}                         | ${OWN}
    ${{ query: OWN }}                                               | ${OWN}                         | ${OWN}
    ${{ query: OTHER }}                                             | ${OTHER}                       | ${'UNTRUSTED_DOCUMENT'}
    ${{ query: OTHER, extensions: byHash(hashText(OTHER)) }}        | ${OTHER}                       | ${'UNTRUSTED_DOCUMENT'}
    ${{ query: OTHER, extensions: byHash(hashText(OWN)) }}          | ${'BAD_REQUEST'}               | ${'BAD_REQUEST'}
    ${{ extensions: byHash(hashText(OTHER)) }}                      | ${'PERSISTED_QUERY_NOT_FOUND'} | ${'PERSISTED_QUERY_NOT_FOUND'}
    ${{ extensions: byHash('constructor') }}                        | ${'PERSISTED_QUERY_NOT_FOUND'} | ${'PERSISTED_QUERY_NOT_FOUND'}
    ${{ extensions: byHash(hashText(OWN), 2) }}                     | ${'BAD_REQUEST'}               | ${'BAD_REQUEST'}
    ${{ extensions: byHash(7) }}                                    | ${'BAD_REQUEST'}               | ${'BAD_REQUEST'}
    ${{ extensions: { persistedQuery: 'text' } }}                   | ${'BAD_REQUEST'}               | ${'BAD_REQUEST'}
    ${{ query: OWN, extensions: { persistedQuery: null, a: 'b' } }} | ${OWN}                         | ${OWN}
    ${{}}                                                           | ${undefined}                   | ${undefined}
  `(
    'resolves $request to $whenOpen, and to $whenShut if only trusted documents are accepted',
    ({ request, whenOpen, whenShut }) => {
      expect([catchCode(() => open.resolveText(request)), catchCode(() => shut.resolveText(request))]).toEqual([
        whenOpen,
        whenShut,
      ]);
    },
  );
});

describe('parsed documents', () => {
  it('stay cached if they are trusted; others are evicted when they are no longer used', () => {
    const documents = new Documents(new Map([[hashText(OWN), OWN]]), true);
    const trusted = parse(OWN);
    documents.keep(hashText(OWN), trusted);
    documents.keep('in use', parse(OTHER));
    documents.keep('unused', parse(OTHER));
    for (let n = 0; n < 1_000; n += 1) {
      documents.keep(`other ${n}`, parse(OTHER));
      documents.parsed('in use');
    }

    expect(documents.parsed(hashText(OWN))).toBe(trusted);
    expect(documents.parsed('in use')).toBeDefined();
    expect(documents.parsed('unused')).toBeUndefined();
    expect(documents.parsed('other 0')).toBeUndefined();
    expect(documents.parsed('other 999')).toBeDefined();
  });
});
