import { areSidesSame, describeSide, toComparedSides } from './compare-sides.ts';

describe('two sides of a comparison', () => {
  it.each`
    search                                      | same     | words
    ${{}}                                       | ${true}  | ${'now and now'}
    ${{ left: 'staging' }}                      | ${true}  | ${'staging and staging'}
    ${{ left: 'staging', right: 'staging' }}    | ${true}  | ${'staging and staging'}
    ${{ left: 'staging', right: 'production' }} | ${false} | ${'staging and production'}
    ${{ left: 'staging', from: 'r12' }}         | ${false} | ${'staging at revision 12 and staging now'}
    ${{ from: 'r1', to: 'tag:staging/v1' }}     | ${false} | ${'at revision 1 and at tag v1 of staging'}
  `('$words', ({ search, same, words }) => {
    const sides = toComparedSides(search, undefined);

    expect(areSidesSame(sides)).toBe(same);
    expect(`${describeSide(sides.left, sides.right)} and ${describeSide(sides.right, sides.left)}`).toBe(words);
  });

  it('have the point in time of the page unless they name another', () => {
    const sides = toComparedSides({ left: 'staging', from: 'r5' }, 'r9');

    expect([sides.left.pointInTime, sides.right.pointInTime]).toEqual(['r5', 'r9']);
  });
});
