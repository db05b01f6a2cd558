import { EnvironmentListQuery } from '@strata/contract';
import { encodeListCursor } from '@strata/domain';
import * as fc from 'fast-check';
import { MAX_PAGE, pageRequest } from './page.ts';

const rows = Array.from({ length: 523 }, (_, index) => ({ id: String(index).padStart(4, '0') }));
const PATH = 'things/';
const LINK = 'http://core.example/api/v1/things/';

/** Returns a page like the core: by page number, or after a row whose position may be unknown. */
function answered(query: Readonly<Record<string, unknown>>) {
  const size = Number(query.page_size);
  if (query.after === undefined) {
    const start = (Number(query.page) - 1) * size;
    return { count: rows.length, next: null, results: rows.slice(start, start + size) };
  }
  const start = query.after === 'start' ? 0 : Number(String(query.after).replace('place-', ''));
  const end = start + size;
  const next = end < rows.length ? `${LINK}?after=place-${end}` : null;
  return { count: rows.length, next, results: rows.slice(start, end) };
}

/** The lists by the three ways in which they are paged. */
const LISTS = {
  'in another order': { operation: { query: EnvironmentListQuery }, path: PATH, ordering: '-id' },
  'whose rows do not contain their sort keys': {
    operation: { query: EnvironmentListQuery },
    path: PATH,
    ordering: null,
  },
} as const;

describe.each(Object.entries(LISTS))('a list %s', (_name, list) => {
  const read = (first: number, after: string | null) => {
    const request = pageRequest(list, { first, after });
    return request.read(answered(request.query));
  };

  it('returns every row exactly once for any page size', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: MAX_PAGE }), { minLength: 1 }), (sizes) => {
        const ids: string[] = [];
        let after: string | null = null;
        for (let round = 0; ; round += 1) {
          const page = read(sizes[round % sizes.length] ?? 1, after);
          ids.push(...page.rows.map(({ row }) => row.id));
          after = page.rows.at(-1)?.cursor() ?? null;
          if (!page.hasNextPage) break;
        }
        expect(ids).toEqual(rows.map(({ id }) => id));
      }),
      { numRuns: 50 },
    );
  });

  it('continues after any row of a page', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: MAX_PAGE }), fc.nat(), (first, seed) => {
        const page = read(first, null);
        const at = seed % page.rows.length;

        expect(read(1, page.rows[at]?.cursor() ?? null).rows[0]?.row).toEqual(rows[at + 1]);
      }),
      { numRuns: 50 },
    );
  });

  it('returns the position of a page', () => {
    const first = read(200, null);
    const last = read(
      200,
      read(200, first.rows.at(-1)?.cursor() ?? null)
        .rows.at(-1)
        ?.cursor() ?? null,
    );

    expect(first).toMatchObject({ hasPreviousPage: false, hasNextPage: true });
    expect(last).toMatchObject({ hasPreviousPage: true, hasNextPage: false, count: 523 });
  });

  it('accepts a page size of 0, which still returns the number of rows', () => {
    expect(read(0, null)).toEqual({ rows: [], count: 523, hasNextPage: true, hasPreviousPage: false });
  });

  it.each([-1, MAX_PAGE + 1])('rejects a page of %d rows', (first) => {
    expect(() => pageRequest(list, { first })).toThrow('`first` must be between');
  });

  it.each(['x', 'cm93Oi0x', encodeListCursor('others/', ['start', '1']), encodeListCursor(PATH, ['a', 'b', 'c'])])(
    'rejects the cursor %j of another list',
    (after) => {
      expect(() => pageRequest(list, { first: 5, after })).toThrow('not a cursor of this list');
    },
  );

  it('starts at the beginning without a cursor', () => {
    expect(read(1, '').rows[0]?.row).toEqual(rows[0]);
  });
});

describe('a list whose rows contain their sort key', () => {
  const list = { operation: { query: EnvironmentListQuery, sortedBy: ['id'] }, path: PATH, ordering: null };

  it('sends the position of each row to the core', () => {
    const request = pageRequest(list, { first: 2 });
    const [, second] = request.read(answered(request.query)).rows;
    const after = second?.cursor() ?? '';

    expect(after).toBe(encodeListCursor(PATH, ['0001']));
    expect(pageRequest(list, { first: 2, after }).query).toEqual({ after, page_size: 2 });
    expect(request.query).toEqual({ after: 'start', page_size: 2 });
  });

  it.each(['x', encodeListCursor('others/', ['0001'])])('rejects the cursor %j of another list', (after) => {
    expect(() => pageRequest(list, { first: 5, after })).toThrow('not a cursor of this list');
  });
});
