import { type FieldNode, type GraphQLResolveInfo, Kind, type SelectionSetNode } from 'graphql';

/** graphql-js hands the same list of nodes to every row of a list, so a selection is read once per document. */
const known = new WeakMap<readonly FieldNode[], ReadonlySet<string>>();

/** Names of the fields that a document selects of an object, those that a directive may leave out included. */
export function selectedFields({ fieldNodes, fragments }: GraphQLResolveInfo): ReadonlySet<string> {
  const before = known.get(fieldNodes);
  if (before) return before;
  const names = new Set(fieldsIn(fieldNodes, fragments).map(({ name }) => name.value));
  known.set(fieldNodes, names);
  return names;
}

/** Whether a document selects a field further down, by the names on the way to it. */
export function selects({ fieldNodes, fragments }: GraphQLResolveInfo, path: readonly string[]): boolean {
  let nodes: readonly FieldNode[] = fieldNodes;
  for (const step of path) nodes = fieldsIn(nodes, fragments).filter(({ name }) => name.value === step);
  return nodes.length > 0;
}

/** The fields that are selected of some others. */
function fieldsIn(nodes: readonly FieldNode[], fragments: GraphQLResolveInfo['fragments']): readonly FieldNode[] {
  const fields: FieldNode[] = [];
  // validation has made sure that no fragment spreads itself
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
