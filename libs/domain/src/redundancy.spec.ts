import { isEquivalent } from './redundancy.ts';

const OWNERS = [
  { id: 'shop', secret: false, expires: null },
  { id: 'base', secret: false, expires: null },
  { id: 'sealed', secret: true, expires: null },
  { id: 'leased', secret: false, expires: 'P30D' },
];

describe('saysTheSame', () => {
  const stored = (parameterId: string, text: string | null, interpolated = false) => ({
    parameterId,
    text,
    interpolated,
  });
  it.each`
    what                                        | value                        | behind                        | expected
    ${'with the same text'}                     | ${stored('shop', 'a')}       | ${stored('shop', 'a')}        | ${true}
    ${'with the same text of another project'}  | ${stored('shop', 'a')}       | ${stored('base', 'a')}        | ${true}
    ${'with another text'}                      | ${stored('shop', 'a')}       | ${stored('shop', 'b')}        | ${false}
    ${'of two nulls'}                           | ${stored('shop', null)}      | ${stored('base', null)}       | ${true}
    ${'of null and the empty text'}             | ${stored('shop', null)}      | ${stored('shop', '')}         | ${false}
    ${'of secrets, whatever they say'}          | ${stored('sealed', null)}    | ${stored('sealed', null)}     | ${false}
    ${'of a secret and an ordinary one'}        | ${stored('shop', 'a')}       | ${stored('sealed', 'a')}      | ${false}
    ${'of a parameter that expires'}            | ${stored('leased', 'a')}     | ${stored('leased', 'a')}      | ${false}
    ${'with the same dynamic text'}             | ${stored('shop', 'a', true)} | ${stored('shop', 'a', true)}  | ${true}
    ${'with a dynamic text of another project'} | ${stored('shop', 'a', true)} | ${stored('base', 'a', true)}  | ${false}
    ${'of a dynamic text and a literal one'}    | ${stored('shop', 'a', true)} | ${stored('shop', 'a', false)} | ${false}
    ${'of a parameter that has not that name'}  | ${stored('shop', 'a')}       | ${stored('elsewhere', 'a')}   | ${false}
  `('$what: $expected', ({ value, behind, expected }) => {
    expect(isEquivalent(value, behind, OWNERS)).toBe(expected);
  });
});
