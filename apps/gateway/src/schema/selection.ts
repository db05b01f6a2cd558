import { type FieldNode, type GraphQLResolveInfo, Kind, type SelectionSetNode } from 'graphql';

/** graphql-js passes the same list of nodes for every row of a list, so each selection is evaluated only once. */
const known = new WeakMap<readonly FieldNode[], ReadonlySet<string>>();

/** Returns the names of the selected fields of an object, including those with a directive that may omit them. */
export function selectedFields({ fieldNodes, fragments }: GraphQLResolveInfo): ReadonlySet<string> {
  const before = known.get(fieldNodes);
  if (before) return before;
  const names = new Set(fieldsIn(fieldNodes, fragments).map(({ name }) => name.value));
  known.set(fieldNodes, names);
  return names;
}

/** Returns whether a document selects the nested field with this path. */
export function selects({ fieldNodes, fragments }: GraphQLResolveInfo, path: readonly string[]): boolean {
  let nodes: readonly FieldNode[] = fieldNodes;
  for (const step of path) nodes = fieldsIn(nodes, fragments).filter(({ name }) => name.value === step);
  return nodes.length > 0;
}

function fieldsIn(nodes: readonly FieldNode[], fragments: GraphQLResolveInfo['fragments']): readonly FieldNode[] {
  const fields: FieldNode[] = [];
  // Validation has ensured that no fragment spreads itself.
  const collect = (set: SelectionSetNode | undefined): void => {
    for (const selection of set?.selections ?? []) {
      if (selection.kind === Kind.FIELD) fields.push(selection);
      else if (selection.kind === Kind.INLINE_FRAGMENT) collect(selection.selectionSet);
      else collect(fragments[selection.name.value]?.selectionSet);
    }
  };
  for (const { selectionSet } of nodes) collect(selectionSet);
  return fields;
}
