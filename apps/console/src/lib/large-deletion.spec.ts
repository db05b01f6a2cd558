import { type DeletedObject, isLargeDeletion, LARGE_EFFECT } from './large-deletion.ts';

describe('a deletion', () => {
  it.each<[boolean, DeletedObject['kind'], number, number]>([
    [false, 'project', 1, 0],
    [true, 'project', 2, 0],
    [false, 'environment', 1, 0],
    [true, 'environment', 1, 1],
    [true, 'environment', 3, 0],
    [false, 'parameter', 4, LARGE_EFFECT - 1],
    [true, 'parameter', 4, LARGE_EFFECT],
    [false, 'tag', 1, 0],
  ])(
    'is large (%s): %s with %i changed objects and %i effective values',
    (isLarge, kind, changes, effectiveChanges) => {
      expect(isLargeDeletion({ kind, name: 'web' }, { changes, effectiveChanges })).toBe(isLarge);
    },
  );
});
