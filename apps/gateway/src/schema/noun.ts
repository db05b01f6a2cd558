import { versionOf } from '@strata/domain';
import { GraphQLID, GraphQLNonNull } from 'graphql';
import { z } from 'zod';
import type { GatewayContext } from '../context.ts';
import { nullIfNotFound, type Query } from '../core.ts';
import { writeVersion } from '../version.ts';
import type { Assembly } from './assembly.ts';
import { inputType } from './input-type.ts';
import { addList, type ListDeclaration, pickSupportedPointInTime } from './list-field.ts';
import { splitWords, uncapitalize, withArticle } from './names.ts';
import type { ObjectShape, ObjectSource } from './object-type.ts';
import { bodySchema, fillPath, findOperation, listPlaceholders, operation, readablePath } from './operations.ts';
import { runWrite } from './problem.ts';
import { idArgs, queryArgs } from './query-args.ts';
import { type FieldArgs, field } from './schema-build.ts';
import { deleteResult, writeResultTypes } from './write-result-types.ts';

/**
 * Declares the standard fields of a noun: a connection, a field for one object by id, and mutations for create, update
 * and delete, as far as the contract defines these operations. Names, arguments and types come from the contract.
 */
export interface NounDeclaration extends Omit<ListDeclaration, 'operation'> {
  /** The prefix of the contract's operation ids. */
  readonly operations: string;
  /** The name of the field for a single object; by default the name of the type. */
  readonly singularField?: string;
  /** Body members that the mutations set themselves. */
  readonly withoutInputs?: readonly string[];
  /** The query parameters of the creation, as further arguments. */
  readonly createQuery?: z.ZodObject;
  /** Query parameters of every load by id, such as those that mask secrets. */
  readonly loadWith?: Query;
  /** Whether a name is accepted in place of an id. */
  readonly hasName?: boolean;
  /** Operations with hand-written fields. */
  readonly except?: readonly ('list' | 'one' | 'create' | 'update' | 'delete')[];
}

interface Noun {
  readonly declared: NounDeclaration;
  readonly shape: ObjectShape;
  /** The path of the list, with placeholders. */
  readonly path: string;
}

export function addNoun(assembly: Assembly, declaration: NounDeclaration): void {
  const { operations, except = [] } = declaration;
  const list = operation(`${operations}_list`);
  const noun: Noun = { declared: declaration, shape: assembly.shapeNamed(declaration.of), path: readablePath(list) };
  if (!except.includes('list')) addList(assembly, { ...declaration, operation: list.id });
  if (!except.includes('one')) addOne(assembly, noun);
  if (!except.includes('create')) addCreate(assembly, noun);
  if (!except.includes('update')) addUpdate(assembly, noun);
  if (!except.includes('delete')) addDelete(assembly, noun);
  addVersion(assembly, noun);
  assembly.settle(declaration.of, {
    list: noun.path,
    load: async (loaders, ids, coreQuery = {}) => {
      const pointInTime = await loaders.pinned(coreQuery);
      const at = Object.fromEntries(listPlaceholders(noun.path).map((name, index) => [name, ids[index]]));
      const query = { ...declaration.loadWith, ...pickSupportedPointInTime(list, pointInTime) };
      const row = await loaders.row.load({ list: fillPath(noun.path, at), id: ids.at(-1) ?? '', query });
      return row === null ? null : noun.shape.toSource(row, { pointInTime });
    },
  });
}

function addOne({ build }: Assembly, { declared, shape, path }: Noun): void {
  const { operations, singularField = uncapitalize(shape.name), loadWith, hasName = false } = declared;
  const retrieve = operation(`${operations}_retrieve`);
  const args = queryArgs(build, retrieve.query, { without: declared.without });
  const ids = idArgs(build, [...listPlaceholders(path), 'id']);
  const id = {
    type: new GraphQLNonNull(GraphQLID),
    description: hasName ? 'Id or name of the object.' : 'Id of the object.',
  };
  build.add('Query', {
    [singularField]: field({
      type: shape.type,
      description: `Returns one ${splitWords(shape.name)}; null if it does not exist or the caller cannot access it.`,
      args: { ...ids, id, ...args.config },
      reaches: retrieve.reaches,
      resolve: async (_source, variables, { core, loaders }: GatewayContext) => {
        const query = args.query(variables);
        const list = fillPath(path, variables);
        const objectId = hasName
          ? await loaders.idOf(list, String(variables.id), args.pointInTime(variables))
          : String(variables.id);
        if (objectId === null) return null;
        if (isPlain(query)) {
          const row = await loaders.row.load({ list, id: objectId, query: loadWith });
          return row && shape.toSource(row);
        }
        const response = await nullIfNotFound(core.get(`${list}${encodeURIComponent(objectId)}/`, query));
        return response && shape.toSource(response.body, { pointInTime: args.pointInTime(variables) });
      },
    }),
  });
}

/** Returns whether a query requests nothing beyond a load by id. */
function isPlain(query: Query): boolean {
  return Object.entries(query).every(([key, value]) => (value ?? null) === null || (key === 'mask_secrets' && value));
}

function addCreate(assembly: Assembly, { declared, shape, path }: Noun): void {
  const { build } = assembly;
  const create = findOperation(`${declared.operations}_create`);
  const schema = bodySchema(create);
  if (!create || !schema) return;
  const noun = withArticle(splitWords(shape.name));
  const input = inputType(build, {
    name: `Create${shape.name}Input`,
    description: `The input to create ${noun}.`,
    schema,
    ids: listPlaceholders(path),
    without: declared.withoutInputs,
  });
  const responseShape = assembly.findShape(create.response) ?? shape;
  const furtherArgs = queryArgs(build, declared.createQuery);
  const resultTypes = writeResultTypes(build, responseShape);
  build.add('Mutation', {
    [`create${shape.name}`]: field<unknown, FieldArgs & { readonly input: FieldArgs }>({
      type: new GraphQLNonNull(resultTypes.result),
      description: `Creates ${noun}.`,
      args: {
        input: { type: new GraphQLNonNull(input.type), description: `The new ${splitWords(shape.name)}.` },
        ...furtherArgs.config,
      },
      reaches: create.reaches,
      resolve: (_source, { input: args, ...variables }, { core }: GatewayContext) =>
        runWrite(resultTypes.name, async () => {
          const query = { ...masking(declared), ...furtherArgs.query(variables) };
          const { body, revision } = await core.send('POST', fillPath(path, args), input.body(args), { query });
          return { [resultTypes.field]: responseShape.toSource(body), revision };
        }),
    }),
  });
}

export const EXPECTED_VERSION = {
  type: GraphQLID,
  description:
    'Reject the write unless the object still has this `ledgerId`, so that you do not overwrite concurrent changes.',
};

/** Returns whether a write can depend on the version that was read, so that concurrent changes are detected. */
function isVersioned({ declared: { operations }, shape: { schema } }: Noun): boolean {
  const isConditional = findOperation(`${operations}_partial_update`)?.conditional ?? false;
  return isConditional && ('ledger_id' in schema.shape || 'modified_at' in schema.shape);
}

type VersionedRow = Parameters<typeof versionOf>[0];

/** Adds a version to objects without a history, which have no `ledger_id` in REST. */
function addVersion({ build }: Assembly, noun: Noun): void {
  const { shape } = noun;
  const { ledger_id: ledgerId, modified_at: modifiedAt } = shape.schema.shape;
  if (ledgerId || !isVersioned(noun)) return;
  // Some responses of the core contain `modified_at` only if the query selects it.
  const isAlwaysThere = !(modifiedAt instanceof z.ZodOptional);
  build.add(shape.name, {
    ledgerId: field<ObjectSource<VersionedRow>>({
      type: isAlwaysThere ? new GraphQLNonNull(GraphQLID) : GraphQLID,
      description: `Version of the object. It changes with every modification.${isAlwaysThere ? '' : ' Null except in a list with `versions`.'}`,
      resolve: ({ row }) => versionOf(row),
    }),
  });
}

function addUpdate({ build }: Assembly, noun: Noun): void {
  const { declared, shape, path } = noun;
  const update = findOperation(`${declared.operations}_partial_update`);
  const replace = findOperation(`${declared.operations}_update`);
  const schema = bodySchema(update);
  if (!update || !schema) return;
  const nounWithArticle = withArticle(splitWords(shape.name));
  const input = inputType(build, {
    name: `Update${shape.name}Input`,
    description: `The input to change ${nounWithArticle}. Omitted fields keep their values.`,
    schema,
    without: declared.withoutInputs,
  });
  const resultTypes = writeResultTypes(build, shape);
  build.add('Mutation', {
    [`update${shape.name}`]: field<unknown, FieldArgs & WriteArgs>({
      type: new GraphQLNonNull(resultTypes.result),
      description: `Updates ${nounWithArticle}.`,
      args: {
        ...idArgs(build, [...listPlaceholders(path), 'id']),
        input: { type: new GraphQLNonNull(input.type), description: 'The fields to change.' },
        ...(isVersioned(noun) && { expectedLedgerId: EXPECTED_VERSION }),
      },
      reaches: [...update.reaches, ...(replace?.reaches ?? [])],
      resolve: (_source, args, { core }: GatewayContext) =>
        runWrite(resultTypes.name, async () => {
          const changes = input.body(args.input);
          const at = fillPath(`${path}{id}/`, args);
          const query = masking(declared);
          const { body, revision } = await writeVersion(core, 'PATCH', at, changes, args.expectedLedgerId, query);
          return { [resultTypes.field]: shape.toSource(body), revision };
        }),
    }),
  });
}

/**
 * Writes return secrets in plain text like reads unless masking is requested; the gateway reveals them only on request.
 */
function masking({ operations }: NounDeclaration): Query {
  const retrieve = findOperation(`${operations}_retrieve`);
  return retrieve?.query?.shape.mask_secrets === undefined ? {} : { mask_secrets: true };
}

interface WriteArgs {
  readonly input: FieldArgs;
  readonly expectedLedgerId?: string | null;
}

function addDelete({ build }: Assembly, noun: Noun): void {
  const { declared, shape, path } = noun;
  const removal = findOperation(`${declared.operations}_destroy`);
  if (!removal) return;
  const args = queryArgs(build, removal.query);
  build.add('Mutation', {
    [`delete${shape.name}`]: field<unknown, FieldArgs & WriteArgs>({
      type: new GraphQLNonNull(deleteResult(build)),
      description: `Deletes ${withArticle(splitWords(shape.name))}.`,
      args: {
        ...idArgs(build, [...listPlaceholders(path), 'id']),
        ...args.config,
        ...(isVersioned(noun) && { expectedLedgerId: EXPECTED_VERSION }),
      },
      reaches: removal.reaches,
      resolve: (_source, variables, { core }: GatewayContext) =>
        runWrite('Deleted', async () => {
          const at = fillPath(`${path}{id}/`, variables);
          const query = args.query(variables);
          const { revision } = await writeVersion(core, 'DELETE', at, undefined, variables.expectedLedgerId, query);
          return { id: variables.id, revision };
        }),
    }),
  });
}
