import { type BaseType, isBaseType } from './base-type.ts';
import { Failure } from './failure.ts';
import type { OwnedRule, Rule } from './rule.ts';
import { sentence } from './sentence.ts';
import { listLineage, type TreeNode } from './tree.ts';
import type { ValueType } from './value-type.ts';

/** A type with its own rules. The built-in types are the roots of the forest. */
export interface TypeNode extends TreeNode {
  readonly name: string;
  readonly rules: readonly Rule[];
}

/** Rejects changes to built-in types. Returns 403, because existing clients retry a 409 for minutes. */
export function assertNotBuiltIn({ parentId, name }: Pick<TypeNode, 'parentId' | 'name'>): void {
  if (parentId !== null) return;
  throw new Failure({
    kind: 'forbidden',
    code: 'type_is_built_in',
    message: sentence`The type ${{ name }} is built in: it cannot be changed or deleted, and cannot have rules. Create a subtype instead.`,
  });
}

/** Returns the built-in type that a type is based on. Throws if the root is not a built-in type. */
export function findBaseType(types: ReadonlyMap<string, Omit<TypeNode, 'rules'>>, id: string): BaseType {
  const root = types.get(listLineage(types, id).at(-1) ?? id);
  if (!root || !isBaseType(root.name)) throw new Error(`Type ${id} comes down to no built-in type.`);
  return root.name;
}

/**
 * Returns the rules of a type, then those of its parent, and so on to the root. All of them apply (behaviour.md §8.2).
 */
export function rulesOfChain(types: ReadonlyMap<string, TypeNode>, id: string): readonly OwnedRule[] {
  return listLineage(types, id).flatMap((ancestor) => {
    const { name, rules } = types.get(ancestor) as TypeNode;
    return rules.map((rule) => ({ ...rule, owner: `type ${name}` }));
  });
}

/**
 * Returns the constraints on the values of a parameter of this type: the parameter's own rules and those of the type
 * chain.
 */
export function buildValueType(
  types: ReadonlyMap<string, TypeNode>,
  id: string,
  parameter?: { readonly name: string; readonly rules: readonly Rule[] },
): ValueType {
  const parameterRules = parameter?.rules.map((rule) => ({ ...rule, owner: `parameter ${parameter.name}` })) ?? [];
  return {
    name: types.get(id)?.name ?? '',
    base: findBaseType(types, id),
    rules: [...parameterRules, ...rulesOfChain(types, id)],
  };
}
