import { type FieldNode, type GraphQLResolveInfo, Kind, type SelectionSetNode } from 'graphql';

/** graphql-js passes the same list of nodes for every row of a list, so each selection is evaluated only once. */
const cached = new WeakMap<readonly FieldNode[], ReadonlySet<string>>();

/** The part of a resolver's information that says what is selected below its field. */
export type Selection = Pick<GraphQLResolveInfo, 'fieldNodes' | 'fragments'>;

/** Returns the names of the selected fields of an object, including those with a directive that may omit them. */
export function selectedFields({ fieldNodes, fragments }: Selection): ReadonlySet<string> {
  const before = cached.get(fieldNodes);
  if (before) return before;
  const names = new Set(fieldsIn(fieldNodes, fragments).map(({ name }) => name.value));
  cached.set(fieldNodes, names);
  return names;
}

/** Returns all selections of the nested field with this path, including those with a directive that may omit them. */
export function listSelections({ fieldNodes, fragments }: Selection, path: readonly string[]): readonly FieldNode[] {
  let nodes: readonly FieldNode[] = fieldNodes;
  for (const step of path) nodes = fieldsIn(nodes, fragments).filter(({ name }) => name.value === step);
  return nodes;
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
