import fc from 'fast-check';
import { PAGE_SIZE_MAX, pageWindow, parsePage, parseQueryBoolean } from './page-request.ts';

describe('parseQueryBoolean', () => {
  it.each`
    text           | flag
    ${'true'}      | ${true}
    ${'True'}      | ${true}
    ${'1'}         | ${true}
    ${'false'}     | ${false}
    ${'False'}     | ${false}
    ${'0'}         | ${false}
    ${'TRUE'}      | ${null}
    ${'yes'}       | ${null}
    ${'2'}         | ${null}
    ${' true'}     | ${null}
    ${''}          | ${null}
    ${'__proto__'} | ${null}
  `('parses "$text" as $flag', ({ text, flag }) => {
    expect(parseQueryBoolean(text)).toBe(flag);
  });
});

describe('parsePage', () => {
  it.each`
    pageSize           | size
    ${undefined}       | ${500}
    ${''}              | ${500}
    ${'0'}             | ${500}
    ${'-1'}            | ${500}
    ${'abc'}           | ${500}
    ${'1.5'}           | ${500}
    ${'1e3'}           | ${500}
    ${'1'}             | ${1}
    ${'2300'}          | ${2300}
    ${'2500'}          | ${2500}
    ${'2501'}          | ${2500}
    ${'1000000000'}    | ${2500}
    ${'9'.repeat(400)} | ${2500}
  `('parses the size $pageSize as $size', ({ pageSize, size }) => {
    expect(parsePage(undefined, pageSize)).toEqual({ page: 1, pageSize: size });
  });

  it.each`
    page            | number
    ${undefined}    | ${1}
    ${''}           | ${1}
    ${'1'}          | ${1}
    ${'99'}         | ${99}
    ${'1000000000'} | ${1_000_000_000}
  `('parses the page $page as $number', ({ page, number }) => {
    expect(parsePage(page, undefined)).toEqual({ page: number, pageSize: 500 });
  });

  it.each(['0', '-1', 'abc', '1.5', '1e9', ' 1', '+1', '99999999999', '9'.repeat(400), 'last'])(
    'rejects the page %s',
    (page) => expect(parsePage(page, undefined)).toBe('not_found'),
  );
});

describe('pageWindow', () => {
  it.each`
    page             | pageSize         | count | expected
    ${1}             | ${500}           | ${0}  | ${{ offset: 0, limit: 500, hasNext: false, hasPrevious: false }}
    ${1}             | ${10}            | ${10} | ${{ offset: 0, limit: 10, hasNext: false, hasPrevious: false }}
    ${1}             | ${10}            | ${11} | ${{ offset: 0, limit: 10, hasNext: true, hasPrevious: false }}
    ${2}             | ${10}            | ${11} | ${{ offset: 10, limit: 10, hasNext: false, hasPrevious: true }}
    ${2}             | ${10}            | ${10} | ${'not_found'}
    ${2}             | ${500}           | ${0}  | ${'not_found'}
    ${1_000_000_000} | ${PAGE_SIZE_MAX} | ${11} | ${'not_found'}
  `('page $page of size $pageSize of $count rows is $expected', ({ page, pageSize, count, expected }) => {
    expect(pageWindow({ page, pageSize }, count)).toEqual(expected);
  });

  it('shows every row exactly once to a client that follows next', () => {
    fc.assert(
      fc.property(fc.nat({ max: 200 }), fc.integer({ min: 1, max: 50 }), (count, pageSize) => {
        const rows = Array.from({ length: count }, (_, i) => i);
        const seen: number[] = [];
        for (let page = 1; page <= count + 1; page++) {
          const window = pageWindow({ page, pageSize }, count);
          if (window === 'not_found') throw new Error(`Page ${page} was promised.`);
          seen.push(...rows.slice(window.offset, window.offset + window.limit));
          if (!window.hasNext) break;
        }
        expect(seen).toEqual(rows);
      }),
    );
  });
});
