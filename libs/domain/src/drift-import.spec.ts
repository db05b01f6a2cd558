import { type DriftTarget, findImportObstacle } from './drift-import.ts';

const value = { hash: 'written', isExternal: false, isDynamic: false, isRotated: false };
const target: DriftTarget = { isOwnParameter: true, isSecret: true, value };
const text = { hash: 'theirs', writtenHash: 'written', isEncrypted: true };

describe('findImportObstacle', () => {
  it.each([
    ['lets the text replace the one that the push wrote', target, text, null],
    ['lets an import be repeated', { ...target, value: { ...value, hash: 'theirs' } }, text, null],
    ['protects a parameter of another project', { ...target, isOwnParameter: false }, text, 'other_project'],
    ['protects the value of another environment', { ...target, value: null }, text, 'inherited'],
    ['protects an external value', { ...target, value: { ...value, isExternal: true } }, text, 'external'],
    ['protects a dynamic value', { ...target, value: { ...value, isDynamic: true } }, text, 'dynamic'],
    ['protects a rotated value', { ...target, value: { ...value, isRotated: true } }, text, 'rotated'],
    ['protects a change in Strata', { ...target, value: { ...value, hash: 'newer' } }, text, 'changed_in_strata'],
    ['protects an explicit null', { ...target, value: { ...value, hash: null } }, text, 'changed_in_strata'],
    ['keeps an encrypted text out of a plain parameter', { ...target, isSecret: false }, text, 'encrypted_elsewhere'],
    [
      'lets a plain parameter have a text of a store that encrypts all of them',
      { ...target, isSecret: false },
      { ...text, isEncrypted: null },
      null,
    ],
  ] as const)('%s', (_, facts, drifted, obstacle) => {
    expect(findImportObstacle(facts, drifted)).toBe(obstacle);
  });
});
