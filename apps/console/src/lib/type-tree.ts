import {
  type BaseType,
  baseOf,
  byId,
  lineage,
  type OwnedRule,
  type Rule,
  rulesOfChain,
  type TypeNode,
} from '@strata/domain';

/** A rule that is stored, in the version that was read. */
export interface StoredRule extends Rule {
  readonly id: string;
  readonly ledgerId: string;
}

export interface StoredType extends TypeNode {
  readonly description: string;
  readonly ledgerId: string;
  /** Its own, by kind. */
  readonly rules: readonly StoredRule[];
}

/** A type in its tree. */
export interface TypeInTree {
  readonly type: StoredType;
  readonly base: BaseType;
  /** How many types are above it. */
  readonly depth: number;
}

/** Each type below the one that it refines, side by side by name. */
export function typeTree(types: readonly StoredType[]): readonly TypeInTree[] {
  const known = byId(types);
  const below = Map.groupBy(types, ({ parentId }) => parentId);
  const rows: TypeInTree[] = [];
  const add = (parentId: string | null, depth: number) => {
    const next = [...(below.get(parentId) ?? [])].sort((a, b) => a.name.localeCompare(b.name));
    for (const type of next) {
      rows.push({ type, base: baseOf(known, type.id), depth });
      add(type.id, depth + 1);
    }
  };
  add(null, 0);
  return rows;
}

/** The rules that a type has from the types above it. */
export function inheritedRules(types: readonly StoredType[], { parentId }: StoredType): readonly OwnedRule[] {
  return parentId === null ? [] : rulesOfChain(byId(types), parentId);
}

/** Types that a type may be moved below: all but itself and those below it. */
export function possibleParents(rows: readonly TypeInTree[], id: string): readonly TypeInTree[] {
  const known = byId(rows.map(({ type }) => type));
  return rows.filter(({ type }) => !lineage(known, type.id).includes(id));
}
