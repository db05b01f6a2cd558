import { type BaseType, isBaseType } from './base-type.ts';
import { Failure } from './failure.ts';
import type { OwnedRule, Rule } from './rule.ts';
import { lineage, type TreeNode } from './tree.ts';
import type { ValueType } from './value-type.ts';

/** A type with its own rules; the built-in types are the roots of the forest. */
export interface TypeNode extends TreeNode {
  readonly name: string;
  readonly rules: readonly Rule[];
}

/** Built-in types are the roots. 403, because existing clients repeat a 409 for minutes. */
export function assertNotBuiltIn({ parentId, name }: Pick<TypeNode, 'parentId' | 'name'>): void {
  if (parentId !== null) return;
  throw new Failure(
    'forbidden',
    'type_is_built_in',
    `The type ${name} is built in: it cannot be changed or deleted, and takes no rules. Make a type below it.`,
  );
}

/** The built-in type that a type comes down to. Throws when a root is none. */
export function baseOf(types: ReadonlyMap<string, TypeNode>, id: string): BaseType {
  const root = types.get(lineage(types, id).at(-1) ?? id);
  if (!root || !isBaseType(root.name)) throw new Error(`Type ${id} comes down to no built-in type.`);
  return root.name;
}

/** The rules of a type itself, then of its parent, and so on to the root. All of them apply (behaviour.md §8.2). */
export function rulesOfChain(types: ReadonlyMap<string, TypeNode>, id: string): readonly OwnedRule[] {
  return lineage(types, id).flatMap((ancestor) => {
    const { name, rules } = types.get(ancestor) as TypeNode;
    return rules.map((rule) => ({ ...rule, owner: `type ${name}` }));
  });
}

/** What the values of a parameter of this type are measured by: its own rules, and those of the chain. */
export function valueTypeOf(
  types: ReadonlyMap<string, TypeNode>,
  id: string,
  parameter?: { readonly name: string; readonly rules: readonly Rule[] },
): ValueType {
  const own = parameter?.rules.map((rule) => ({ ...rule, owner: `parameter ${parameter.name}` })) ?? [];
  return {
    name: types.get(id)?.name ?? '',
    base: baseOf(types, id),
    rules: [...own, ...rulesOfChain(types, id)],
  };
}
