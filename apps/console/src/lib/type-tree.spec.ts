import { listInheritedRules, listPossibleParents, type StoredType, typeTree } from './type-tree.ts';

const type = (name: string, parentId: string | null, constraint?: string): StoredType => ({
  id: name,
  name,
  parentId,
  description: '',
  ledgerId: `${name} 1`,
  rules: constraint === undefined ? [] : [{ id: `${name} max`, ledgerId: '1', kind: 'max', constraint }],
});
const PORT = type('port', 'integer', '65535');
const HIGH = type('high port', 'port', '9000');
const TYPES = [HIGH, type('string', null), PORT, type('integer', null)];

describe('the tree of types', () => {
  it('has each type below its parent, with its base type', () => {
    expect(typeTree(TYPES).map(({ type: { name }, base, depth }) => [name, base, depth])).toEqual([
      ['integer', 'integer', 0],
      ['port', 'integer', 1],
      ['high port', 'integer', 2],
      ['string', 'string', 0],
    ]);
  });

  it('returns inherited rules with their types, nearest first', () => {
    expect(listInheritedRules(TYPES, HIGH)).toMatchObject([{ kind: 'max', constraint: '65535', owner: 'type port' }]);
    expect(listInheritedRules(TYPES, PORT)).toEqual([]);
  });

  it('never offers a type or its descendants as its parent', () => {
    expect(listPossibleParents(typeTree(TYPES), 'port').map(({ type: { name } }) => name)).toEqual([
      'integer',
      'string',
    ]);
  });
});
