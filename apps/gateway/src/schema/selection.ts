import { type FieldNode, type GraphQLResolveInfo, Kind, type SelectionSetNode } from 'graphql';

/** graphql-js hands the same list of nodes to every row of a list, so a selection is read once per document. */
const known = new WeakMap<readonly FieldNode[], ReadonlySet<string>>();

/** Names of the fields that a document selects of an object, those that a directive may leave out included. */
export function selectedFields({ fieldNodes, fragments }: GraphQLResolveInfo): ReadonlySet<string> {
  const before = known.get(fieldNodes);
  if (before) return before;
  const names = new Set<string>();
  // validation has made sure that no fragment spreads itself
  const collect = (set: SelectionSetNode | undefined): void => {
    for (const selection of set?.selections ?? []) {
      if (selection.kind === Kind.FIELD) names.add(selection.name.value);
      else if (selection.kind === Kind.INLINE_FRAGMENT) collect(selection.selectionSet);
      else collect(fragments[selection.name.value]?.selectionSet);
    }
  };
  for (const { selectionSet } of fieldNodes) collect(selectionSet);
  known.set(fieldNodes, names);
  return names;
}
