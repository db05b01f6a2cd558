import { assertNotBuiltIn, buildValueType, findBaseType, rulesOfChain, type TypeNode } from './type-chain.ts';

const types: ReadonlyMap<string, TypeNode> = new Map(
  [
    { id: 'i', name: 'integer', parentId: null, rules: [] },
    { id: 'p', name: 'port_t', parentId: 'i', rules: [{ kind: 'max', constraint: '100' } as const] },
    { id: 'w', name: 'web_t', parentId: 'p', rules: [{ kind: 'max', constraint: '80' } as const] },
    { id: 'x', name: 'stray', parentId: null, rules: [] },
  ].map((type) => [type.id, type]),
);

describe('a chain of types', () => {
  it('has a built-in type as its base', () => {
    expect([findBaseType(types, 'w'), findBaseType(types, 'i')]).toEqual(['integer', 'integer']);
    expect(() => findBaseType(types, 'x')).toThrow('no built-in type');
  });

  it('returns all rules, nearest first, each with its owner', () => {
    expect(rulesOfChain(types, 'w')).toEqual([
      { kind: 'max', constraint: '80', owner: 'type web_t' },
      { kind: 'max', constraint: '100', owner: 'type port_t' },
    ]);
  });

  it("includes the parameter's own rules and uses the declared name", () => {
    const measured = buildValueType(types, 'w', { name: 'b', rules: [{ kind: 'min', constraint: '1' }] });
    expect(measured).toMatchObject({ name: 'web_t', base: 'integer' });
    expect(measured.rules.map(({ owner }) => owner)).toEqual(['parameter b', 'type web_t', 'type port_t']);
  });

  it('starts with a built-in type, which cannot be changed', () => {
    const typeIsBuiltIn = expect.objectContaining({ kind: 'forbidden', code: 'type_is_built_in' });
    expect(() => assertNotBuiltIn({ name: 'integer', parentId: null })).toThrow(typeIsBuiltIn);
    expect(() => assertNotBuiltIn({ name: 'port_t', parentId: 'i' })).not.toThrow();
  });
});
