import * as fc from 'fast-check';
import { connectionFrom, MAX_PAGE, windowOf } from './connection.ts';

const present = (row: number) => row;
const list = Array.from({ length: 523 }, (_, at) => at);
const pageOfCore = (page: number, size: number) => ({
  count: list.length,
  results: list.slice((page - 1) * size, page * size),
});

function read(first: number, after: string | null) {
  const window = windowOf({ first, after });
  return connectionFrom(window, pageOfCore(window.page, window.page_size), 7, present);
}

describe('connections over numbered pages', () => {
  it('gives every row exactly once, whatever the page sizes', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: MAX_PAGE }), { minLength: 1 }), (sizes) => {
        const seen: number[] = [];
        let after: string | null = null;
        for (let turn = 0; ; turn += 1) {
          const page = read(sizes[turn % sizes.length] ?? 1, after);
          seen.push(...page.edges.map(({ node }) => node));
          after = page.pageInfo.endCursor;
          if (!page.pageInfo.hasNextPage) break;
        }
        expect(seen).toEqual(list);
      }),
      { numRuns: 50 },
    );
  });

  it('finds one page of the core for any offset', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1_000_000 }), fc.integer({ min: 1, max: MAX_PAGE }), (offset, first) => {
        const after = Buffer.from(`row:${offset}`).toString('base64url');
        const window = windowOf({ first, after });

        expect((window.page - 1) * window.page_size + window.skip).toBe(offset);
        expect(window.skip + first).toBeLessThanOrEqual(window.page_size);
      }),
    );
  });

  it('says where a page lies', () => {
    const first = read(200, null);
    const last = read(200, read(200, first.pageInfo.endCursor).pageInfo.endCursor);

    expect(first.pageInfo).toMatchObject({ hasPreviousPage: false, hasNextPage: true });
    expect(last.pageInfo).toMatchObject({ hasPreviousPage: true, hasNextPage: false });
    expect(last).toMatchObject({ totalCount: 523, revision: 7 });
  });

  it.each([0, -1, MAX_PAGE + 1])('refuses a page of %d rows', (first) => {
    expect(() => windowOf({ first })).toThrow('`first` must be between');
  });

  it.each(['', 'x', 'cm93Oi0x', 'cm93OjFlOQ'])(
    'refuses the made-up cursor %j, or starts at the top without one',
    (after) => {
      if (after === '') expect(windowOf({ first: 5, after }).offset).toBe(0);
      else expect(() => windowOf({ first: 5, after })).toThrow('not a cursor');
    },
  );
});
