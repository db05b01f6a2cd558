import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  type GraphQLSchema,
  getNamedType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  visit,
} from 'graphql';
import { documentError } from './errors.ts';
import { DEFAULT_PAGE, MAX_PAGE } from './schema/page.ts';

/** The limits of one operation. Each protects the core and the gateway's memory. */
export const LIMITS = {
  /** The maximum depth of selections. The deepest useful query of this schema has nine levels. */
  depth: 10,
  /** The maximum number of fields in the worst-case response, multiplied by page sizes. */
  cost: 10_000,
  /** Aliases repeat work for the same field. */
  aliases: 15,
  /** Directives cost parsing time although they return nothing. */
  directives: 50,
  /** The length of the document, checked before anything else. */
  tokens: 1_000,
  /** The bytes of one HTTP request. Equal to the limit of the REST API, because an import is one text. */
  body: 1024 * 1024,
} as const;

/** The assumed number of rows of a list without a page size, such as the children of an environment. */
const UNPAGED_LIST = 5;

export interface OperationSize {
  readonly depth: number;
  readonly cost: number;
}

type Variables = Readonly<Record<string, unknown>>;
type FieldsOwner = { getFields(): Record<string, GraphQLField<unknown, unknown>> };

/**
 * Measures depth and worst-case cost of one operation. It runs after validation, so fragments end and fields exist. It
 * needs the variables, because `first: $n` would otherwise hide the size of a page. Introspection is not counted:
 * graphql-js limits it.
 */
export function measureOperation(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Variables,
): OperationSize {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const node of document.definitions) {
    if (node.kind === Kind.FRAGMENT_DEFINITION) fragments.set(node.name.value, node);
  }
  // A fragment costs the same wherever it is used. Without this cache, fragments that include each other twice would
  // make the measurement exponential.
  const sizeByFragment = new Map<string, OperationSize>();

  const ofSelections = (set: SelectionSetNode, owner: FieldsOwner | null): OperationSize =>
    set.selections.reduce<OperationSize>(
      (total, node) => {
        const nodeSize =
          node.kind === Kind.FIELD
            ? ofField(node, owner)
            : node.kind === Kind.INLINE_FRAGMENT
              ? ofSelections(node.selectionSet, findOwner(schema, node.typeCondition?.name.value) ?? owner)
              : ofFragment(node.name.value);
        return { depth: Math.max(total.depth, nodeSize.depth), cost: total.cost + nodeSize.cost };
      },
      { depth: 0, cost: 0 },
    );

  const ofFragment = (name: string): OperationSize => {
    const before = sizeByFragment.get(name);
    if (before) return before;
    const fragment = fragments.get(name);
    const now = fragment
      ? ofSelections(fragment.selectionSet, findOwner(schema, fragment.typeCondition.name.value))
      : { depth: 0, cost: 0 };
    sizeByFragment.set(name, now);
    return now;
  };

  const ofField = (node: FieldNode, owner: FieldsOwner | null): OperationSize => {
    if (node.name.value.startsWith('__')) return { depth: 0, cost: 0 };
    if (!node.selectionSet) return { depth: 1, cost: 1 };
    const field = owner?.getFields()[node.name.value];
    const inner = ofSelections(node.selectionSet, field ? findOwner(schema, getNamedType(field.type).name) : null);
    return { depth: inner.depth + 1, cost: ownCost(field) + rows(node, field, owner, variables) * inner.cost };
  };

  const root = schema.getRootType(operation.operation);
  return ofSelections(operation.selectionSet, root ?? null);
}

function ownCost(field: GraphQLField<unknown, unknown> | undefined): number {
  const { cost } = (field?.extensions ?? {}) as { readonly cost?: number };
  return cost ?? 1;
}

/** Returns how many times the selection below a field may be evaluated. */
function rows(
  node: FieldNode,
  field: GraphQLField<unknown, unknown> | undefined,
  owner: FieldsOwner | null,
  variables: Variables,
): number {
  if (!field) return 1;
  if (field.args.some((arg) => arg.name === 'first')) return pageSize(node, variables);
  const type = isNonNullType(field.type) ? field.type.ofType : field.type;
  return isListType(type) && !areRowsOfPage(field, owner) ? UNPAGED_LIST : 1;
}

/** The edges of a connection and the results of a page already include the page size. */
function areRowsOfPage({ name }: GraphQLField<unknown, unknown>, owner: FieldsOwner | null): boolean {
  const { cursor, count } = owner?.getFields() ?? {};
  return name === 'edges' || (name === 'results' && (cursor ?? count) !== undefined);
}

function pageSize(node: FieldNode, variables: Variables): number {
  const value = node.arguments?.find((arg) => arg.name.value === 'first')?.value;
  if (!value || value.kind === Kind.NULL) return DEFAULT_PAGE;
  const requestedSize =
    value.kind === Kind.INT ? Number(value.value) : value.kind === Kind.VARIABLE ? variables[value.name.value] : null;
  // A variable with a default value counts as the largest page.
  return typeof requestedSize === 'number' ? Math.min(Math.max(requestedSize, 1), MAX_PAGE) : MAX_PAGE;
}

function findOwner(schema: GraphQLSchema, name: string | undefined): FieldsOwner | null {
  const type = name === undefined ? null : schema.getType(name);
  return isObjectType(type) || isInterfaceType(type) ? (type as FieldsOwner) : null;
}

/** Throws COMPLEXITY_EXCEEDED, with the amount, if an operation exceeds a limit. */
export function assertWithinLimits(document: DocumentNode, { depth, cost }: OperationSize): void {
  const { aliases, directives } = counts(document);
  const problem =
    over(aliases, LIMITS.aliases, 'aliases') ??
    over(directives, LIMITS.directives, 'directives') ??
    over(depth, LIMITS.depth, 'levels') ??
    over(cost, LIMITS.cost, 'fields, rows multiplied in');
  if (problem === null) return;
  throw documentError(problem, 'COMPLEXITY_EXCEEDED');
}

function over(requestedSize: number, limit: number, noun: string): string | null {
  return requestedSize > limit ? `This document asks for ${requestedSize} ${noun}; the limit is ${limit}.` : null;
}

interface Counts {
  readonly aliases: number;
  readonly directives: number;
}

/** Parsed documents are reused, so each is counted once. */
const counted = new WeakMap<DocumentNode, Counts>();

function counts(document: DocumentNode): Counts {
  const cachedSize = counted.get(document);
  if (cachedSize) return cachedSize;
  let aliases = 0;
  let directives = 0;
  visit(document, {
    Field(node) {
      if (node.alias) aliases += 1;
    },
    Directive() {
      directives += 1;
    },
  });
  const result = { aliases, directives };
  counted.set(document, result);
  return result;
}
