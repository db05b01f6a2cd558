import fc from 'fast-check';
import { type EffectiveCell, effectiveDifference } from './effective-difference.ts';

const cell = (name: string, text: string | null, more: Partial<EffectiveCell> = {}): EffectiveCell => ({
  project: { id: 'p', name: 'web' },
  environment: { id: 'e', name: 'production' },
  name,
  text,
  secret: false,
  problem: null,
  madeOf: '1',
  ...more,
});

it.each`
  before                                     | after                                                      | differs
  ${[]}                                      | ${[cell('A', '1')]}                                        | ${['A']}
  ${[cell('A', '1')]}                        | ${[]}                                                      | ${['A']}
  ${[cell('A', '1')]}                        | ${[cell('A', '2')]}                                        | ${['A']}
  ${[cell('A', '1')]}                        | ${[cell('A', null)]}                                       | ${['A']}
  ${[cell('A', '1')]}                        | ${[cell('A', '1', { madeOf: '2' })]}                       | ${[]}
  ${[cell('A', '1', { secret: true })]}      | ${[cell('A', '1', { secret: true })]}                      | ${[]}
  ${[cell('A', '1', { secret: true })]}      | ${[cell('A', '1', { secret: true, madeOf: '2' })]}         | ${['A']}
  ${[cell('A', '1')]}                        | ${[cell('A', '1', { secret: true })]}                      | ${['A']}
  ${[cell('A', '1', { secret: true })]}      | ${[cell('A', '2', { secret: true })]}                      | ${[]}
  ${[cell('A', '1')]}                        | ${[cell('A', null, { problem: 'fails' })]}                 | ${['A']}
  ${[cell('A', null, { problem: 'fails' })]} | ${[cell('A', null, { problem: 'fails', madeOf: '2' })]}    | ${['A']}
  ${[cell('A', '1')]}                        | ${[cell('A', '1', { project: { id: 'p', name: 'new' } })]} | ${[]}
  ${[cell('A', '1')]}                        | ${[cell('A', '1', { isForbidden: true })]}                 | ${['A']}
`('$before, then $after: $differs differ', ({ before, after, differs }) => {
  expect(effectiveDifference(before, after).map(({ name }) => name)).toEqual(differs);
});

it('swaps before and after if its arguments are swapped', () => {
  const cells = fc.uniqueArray(
    fc.record({
      name: fc.constantFrom('A', 'B', 'C', 'D'),
      text: fc.constantFrom('1', '2', null),
      secret: fc.boolean(),
    }),
    { selector: ({ name }) => name },
  );
  const toCells = (inputs: readonly { name: string; text: string | null; secret: boolean }[]) =>
    inputs.map(({ name, text, secret }) => cell(name, text, { secret }));
  fc.assert(
    fc.property(cells, cells, (left, right) => {
      const sorted = (changes: ReturnType<typeof effectiveDifference>) =>
        changes.map(({ name, before, after }) => [name, before?.text, after?.text]).sort();
      const forth = sorted(effectiveDifference(toCells(left), toCells(right)));
      const back = sorted(effectiveDifference(toCells(right), toCells(left)));
      expect(back.map(([name, before, after]) => [name, after, before])).toEqual(forth);
      expect(effectiveDifference(toCells(left), toCells(left))).toEqual([]);
    }),
  );
});
