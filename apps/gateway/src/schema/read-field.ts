import { type GraphQLFieldConfigArgumentMap, GraphQLInt, GraphQLNonNull, GraphQLString } from 'graphql';
import type { z } from 'zod';
import type { GatewayContext } from '../context.ts';
import { nullIfNotFound, type Query } from '../core.ts';
import { badInputError } from '../errors.ts';
import type { Assembly } from './assembly.ts';
import { UNBATCHED_REQUEST_COST } from './cost.ts';
import { type InputShape, inputType } from './input-type.ts';
import { parentIds, pickSupportedPointInTime, resolvePointInTime } from './list-field.ts';
import { capitalize } from './names.ts';
import type { ObjectSource } from './object-type.ts';
import { bodySchema, fillPath, listPlaceholders, operation, readablePath, type SchemaOperation } from './operations.ts';
import { DEFAULT_PAGE, MAX_PAGE } from './page.ts';
import { idArgs, queryArgs } from './query-args.ts';
import { type FieldArgs, field, type SchemaBuild } from './schema-build.ts';

/** A field for a single response of the core. */
export interface ReadFieldDefinition {
  readonly operation: string;
  readonly name: string;
  /** The type that has the field; absent for a field of Query. */
  readonly under?: string;
  readonly about: string;
}

type Above = ObjectSource<{ readonly url: string }>;

export function addRead(
  assembly: Assembly,
  { operation: id, name, under, about: fieldDescription }: ReadFieldDefinition,
): void {
  const { build } = assembly;
  const schemaOperation = operation(id);
  const path = readablePath(schemaOperation);
  const input = buildInputType(build, schemaOperation, name, fieldDescription);
  const args = queryArgs(build, schemaOperation.query, { without: ['wait'] });
  const paging = choosePaging(schemaOperation);
  const responseShape = assembly.requireShape(schemaOperation.response as z.ZodObject);
  build.add(under ?? 'Query', {
    [name]: field<Above | undefined>({
      type: responseShape.type,
      description: fieldDescription,
      args: {
        ...(under ? {} : idArgs(build, listPlaceholders(path))),
        ...buildInputArg(schemaOperation, input),
        ...args.config,
        ...paging?.args,
      },
      reaches: schemaOperation.reaches,
      ...(under && { cost: UNBATCHED_REQUEST_COST }),
      resolve: async (source, variables, { core, loaders }: GatewayContext) => {
        const parent = under ? source : undefined;
        const pointInTime = await resolvePointInTime(loaders, args.pointInTime(variables), parent?.view);
        const query = {
          ...args.query(variables),
          ...pickSupportedPointInTime(schemaOperation, pointInTime),
          ...paging?.query(variables),
        };
        const at = fillPath(path, parent ? parentIds(path, parent.row.url) : variables);
        const response = input
          ? core.send('POST', at, input.body(variables.input as FieldArgs), { query })
          : core.get(at, query);
        const result = await nullIfNotFound(response);
        return result && responseShape.toSource(result.body, { pointInTime });
      },
    }),
  });
}

/** The arguments that select a page of a response. */
interface Paging {
  readonly args: GraphQLFieldConfigArgumentMap;
  readonly query: (variables: FieldArgs) => Query;
}

const FIRST: GraphQLFieldConfigArgumentMap = {
  first: {
    type: new GraphQLNonNull(GraphQLInt),
    defaultValue: DEFAULT_PAGE,
    description: `Number of results to return, 1 to ${MAX_PAGE}.`,
  },
};

/** For a response that contains the cursor of the next page and how far it got. */
const BY_CURSOR: Paging = {
  args: {
    ...FIRST,
    after: { type: GraphQLString, description: 'Continue after the `cursor` of an earlier response.' },
  },
  query: ({ first, after }) => ({ page_size: pageSize(first), after: typeof after === 'string' ? after : undefined }),
};

/** For a response that contains the number of all results. */
const BY_NUMBER: Paging = {
  args: {
    ...FIRST,
    page: { type: new GraphQLNonNull(GraphQLInt), defaultValue: 1, description: 'Number of the page.' },
  },
  query: ({ first, page }) => ({ page_size: pageSize(first), page: Number(page) }),
};

function choosePaging({ response, query }: SchemaOperation): Paging | null {
  if (response && 'shape' in response && 'cursor' in (response.shape as object)) return BY_CURSOR;
  return query && 'page' in query.shape ? BY_NUMBER : null;
}

function pageSize(first: unknown): number {
  if (typeof first === 'number' && first >= 1 && first <= MAX_PAGE) return first;
  throw badInputError(`\`first\` must be between 1 and ${MAX_PAGE}.`);
}

/** Returns the input of an operation with a body. */
export function buildInputType(
  build: SchemaBuild,
  schemaOperation: SchemaOperation,
  name: string,
  fieldDescription: string,
): InputShape | null {
  const schema = bodySchema(schemaOperation);
  const description = `Input of \`${name}\`. ${fieldDescription}`;
  return schema && inputType(build, { name: `${capitalize(name)}Input`, description, schema });
}

export function buildInputArg(
  { bodyOptional = false }: SchemaOperation,
  input: InputShape | null,
): GraphQLFieldConfigArgumentMap {
  if (!input) return {};
  const type = bodyOptional ? input.type : new GraphQLNonNull(input.type);
  return { input: { type, description: 'The input.' } };
}
