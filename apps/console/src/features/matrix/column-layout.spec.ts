import { expandColumn, moveBy, moveTo, parseWidths, resize, showOnly, togglePin } from './column-layout.ts';

const ALL = ['default', 'production', 'staging'].map((name) => ({ name }));

test.each`
  names                                   | envs
  ${['default', 'production', 'staging']} | ${undefined}
  ${['staging', 'default', 'production']} | ${['staging', 'default', 'production']}
  ${['staging']}                          | ${['staging']}
`('showing $names has the parameter $envs', ({ names, envs }) => {
  expect(showOnly(names, ALL)).toEqual({ envs });
});

test.each`
  name   | by    | moved
  ${'b'} | ${-1} | ${['b', 'a', 'c']}
  ${'b'} | ${1}  | ${['a', 'c', 'b']}
  ${'a'} | ${-1} | ${['a', 'b', 'c']}
  ${'c'} | ${1}  | ${['a', 'b', 'c']}
`('moving $name by $by gives $moved', ({ name, by, moved }) => {
  expect(moveBy(name, by, ['a', 'b', 'c'])).toEqual(moved);
});

it('a column is moved to the position of another one, in both directions', () => {
  expect(moveTo('a', 'c', ['a', 'b', 'c'])).toEqual(['b', 'c', 'a']);
  expect(moveTo('c', 'a', ['a', 'b', 'c'])).toEqual(['c', 'a', 'b']);
  expect(moveTo('x', 'a', ['a', 'b', 'c'])).toEqual(['a', 'b', 'c']);
});

it('expanding a column inserts the missing columns behind it', () => {
  expect(expandColumn('b', ['x', 'c', 'y'], ['a', 'b', 'c'])).toEqual(['a', 'b', 'x', 'y', 'c']);
});

it('widths are limited, and invalid ones are ignored', () => {
  const { width } = resize('a:b', 240.4, ['c:80']);
  expect(width).toEqual(['c:80', 'a:b:240']);
  expect([...parseWidths([...(width ?? []), 'x', ':90', 'y:1', 'z:9999'])]).toEqual([
    ['c', 80],
    ['a:b', 240],
  ]);
  expect(resize('c', 1, width).width).toEqual(['c:40', 'a:b:240']);
});

it('a column is pinned and unpinned', () => {
  expect(togglePin('a')).toEqual({ pin: ['a'] });
  expect(togglePin('b', ['a'])).toEqual({ pin: ['a', 'b'] });
  expect(togglePin('a', ['a'])).toEqual({ pin: undefined });
});
