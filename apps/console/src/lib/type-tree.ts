import {
  type BaseType,
  findBaseType,
  indexById,
  listLineage,
  type OwnedRule,
  type Rule,
  rulesOfChain,
  type TypeNode,
} from '@strata/domain';

/** A stored rule with its version. */
export interface StoredRule extends Rule {
  readonly id: string;
  readonly ledgerId: string;
}

export interface StoredType extends TypeNode {
  readonly description: string;
  readonly ledgerId: string;
  /** The rules that the type itself defines, sorted by kind. */
  readonly rules: readonly StoredRule[];
}

/** A type and its position in the tree. */
export interface TypeInTree {
  readonly type: StoredType;
  readonly base: BaseType;
  /** The number of its ancestors. */
  readonly depth: number;
}

/** Sorts types as a tree, siblings by name. */
export function typeTree(types: readonly StoredType[]): readonly TypeInTree[] {
  const typesById = indexById(types);
  const childrenById = Map.groupBy(types, ({ parentId }) => parentId);
  const rows: TypeInTree[] = [];
  const add = (parentId: string | null, depth: number) => {
    const next = [...(childrenById.get(parentId) ?? [])].sort((a, b) => a.name.localeCompare(b.name));
    for (const type of next) {
      rows.push({ type, base: findBaseType(typesById, type.id), depth });
      add(type.id, depth + 1);
    }
  };
  add(null, 0);
  return rows;
}

/** Returns the inherited rules of a type. */
export function listInheritedRules(types: readonly StoredType[], { parentId }: StoredType): readonly OwnedRule[] {
  return parentId === null ? [] : rulesOfChain(indexById(types), parentId);
}

/** Returns the types that can become the parent of a type: all except itself and its descendants. */
export function listPossibleParents(rows: readonly TypeInTree[], id: string): readonly TypeInTree[] {
  const typesById = indexById(rows.map(({ type }) => type));
  return rows.filter(({ type }) => !listLineage(typesById, type.id).includes(id));
}
