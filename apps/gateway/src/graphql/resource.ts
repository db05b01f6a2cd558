import type { Type } from '@nestjs/common';
import { Args, Context, ID, Mutation, Query, Resolver } from '@nestjs/graphql';
import type { Operation } from '@strata/contract';
import type { GatewayContext } from '../context.ts';
import { type Query as Asked, orNull } from '../core.ts';
import type { Loaders } from '../loaders.ts';
import { attempt } from '../problems.ts';
import { type ExpectedVersion, writeVersion } from '../version.ts';
import { type Argument, argsClass, argsOf, idArgs } from './args.ts';
import { DeleteResult } from './deleted.ts';
import { inputOf, type Sayings } from './inputs.ts';
import { knownTo, listField } from './list.ts';
import { bodySchema, filled, operation, pathOf, perhapsOperation, placeholdersOf } from './operations.ts';
import { savedOf, spaced } from './saved.ts';
import { hasShape, type Presented, type Shape, shapeOf } from './shape.ts';
import { withArticle } from './with-article.ts';

type Given = Readonly<Record<string, unknown>>;
type Expecting = ExpectedVersion;

export interface Declaration<Row> {
  /** How the contract's operation ids of it begin. */
  readonly operations: string;
  readonly of: Shape<Row>;
  /** Names of the fields with one and with many of them; those of the type when left out. */
  readonly one?: string;
  readonly many?: string;
  /** The type whose field the connection is; absent: a field of Query. */
  readonly under?: { readonly type: Type<object> };
  /** What the list shows and in which order. */
  readonly about: string;
  /** What members of the inputs mean where it is not what the fields of the type mean. */
  readonly inputs?: Sayings;
  /** Query parameters that the fields decide by themselves. */
  readonly without?: readonly string[];
  /** Query parameters of every load by id, such as those that keep secrets masked. */
  readonly loadWith?: Asked;
  /** Written by hand elsewhere. */
  readonly except?: readonly ('list' | 'one' | 'create' | 'update' | 'delete')[];
}

/** A noun of the contract in GraphQL. */
export interface Resource<Row = unknown> {
  readonly of: Shape<Row>;
  /** Path of the list, with placeholders. */
  readonly list: string;
  readonly resolvers: readonly Type<object>[];
  /** The object with these ids, those of its parents first. */
  load(loaders: Loaders, ids: readonly string[], moment?: Asked): Promise<Presented<Row> | null>;
}

const resources = new Map<string, Resource>();

/** Where rows of a type are listed, for links and `node`. */
export function resourceOf(type: string): Resource | undefined {
  return resources.get(type);
}

/**
 * Gives a noun its usual fields: a connection, one by id, and a mutation each for create, update and delete, as far as
 * the contract has the operations. Names, arguments and types come from the contract.
 */
export function resource<Row>(declared: Declaration<Row>): Resource<Row> {
  const { operations, of, except = [] } = declared;
  const list = operation(`${operations}_list`);
  const noun: Noun<Row> = { declared, of, path: pathOf(list) };
  const resolvers = [
    ...(except.includes('list') ? [] : [listField({ operation: list.id, ...declared })]),
    ...(except.includes('one') ? [] : [oneField(noun)]),
    ...(except.includes('create') ? [] : createField(noun)),
    ...(except.includes('update') ? [] : updateField(noun)),
    ...(except.includes('delete') ? [] : deleteField(noun)),
  ];
  const load = async (loaders: Loaders, ids: readonly string[], asked: Asked = {}) => {
    const moment = await loaders.pinned(asked);
    const at = Object.fromEntries(placeholdersOf(noun.path).map((name, index) => [name, ids[index]]));
    const query = { ...declared.loadWith, ...knownTo(list, moment) };
    const row = await loaders.row.load({ list: filled(noun.path, at), id: ids.at(-1) ?? '', query });
    return row === null ? null : of.present(row as Row, { moment });
  };
  const made = { of, list: noun.path, resolvers, load };
  resources.set(of.name, made as Resource);
  return made;
}

interface Noun<Row> {
  readonly declared: Declaration<Row>;
  readonly of: Shape<Row>;
  readonly path: string;
}

const lower = (name: string) => name.slice(0, 1).toLowerCase() + name.slice(1);

function oneField<Row>({ declared, of, path }: Noun<Row>): Type<object> {
  const { operations, one = lower(of.name), without, loadWith } = declared;
  const { query: itemQuery } = operation(`${operations}_retrieve`);
  const args = argsOf(itemQuery, { ids: [...placeholdersOf(path), 'id'], without });
  const description = `One ${spaced(of.name)}; null when there is none for the caller.`;

  @Resolver()
  class Ones {
    @Query(() => of.type, { name: one, description, nullable: true })
    async one(@Args({ type: () => args.type }) given: Given, @Context() { core, loaders }: GatewayContext) {
      const query = args.query(given);
      const list = filled(path, given);
      const id = String(given.id);
      if (
        Object.entries(query).every(([key, value]) => (value ?? null) === null || (key === 'mask_secrets' && value))
      ) {
        const row = await loaders.row.load({ list, id, query: loadWith });
        return row && of.present(row as Row);
      }
      const answer = await orNull(core.get<Row>(`${list}${encodeURIComponent(id)}/`, query));
      return answer && of.present(answer.body, { moment: args.moment(given) });
    }
  }
  return Ones;
}

function createField<Row>({ declared, of, path }: Noun<Row>): Type<object>[] {
  const create = perhapsOperation(`${declared.operations}_create`);
  const schema = bodySchema(create);
  if (!create || !schema) return [];
  const ids = placeholdersOf(path);
  const noun = withArticle(spaced(of.name));
  const sayings = { ...of.sayings, ...declared.inputs };
  const input = inputOf(`Create${of.name}Input`, `What ${noun} is made of.`, schema, sayings, ids);
  const answer = hasShape(create.response) ? shapeOf(create.response) : (of as Shape);
  const saved = savedOf(answer);

  @Resolver()
  class Creates {
    @Mutation(() => saved.result as never, { name: `create${of.name}`, description: `Makes ${noun}.` })
    create(
      @Args('input', { type: () => input.type, description: `The new ${spaced(of.name)}.` }) given: Given,
      @Context() { core }: GatewayContext,
    ) {
      return attempt(saved.name, async () => {
        const { body, revision } = await core.send('POST', filled(path, given), input.body(given));
        return { [saved.field]: answer.present(body), revision };
      });
    }
  }
  return [Creates];
}

const EXPECTED: Argument = {
  name: 'expectedLedgerId',
  type: () => ID,
  about: 'Refuse the write unless this is still the `ledgerId` of the object: nothing is overwritten unseen.',
  nullable: true,
};

/** Whether a write can depend on the version that was read. */
function isVersioned<Row>({ schema }: Shape<Row>, { conditional = false }: Operation): boolean {
  return conditional && 'ledger_id' in schema.shape;
}

function updateField<Row>({ declared, of, path }: Noun<Row>): Type<object>[] {
  const update = perhapsOperation(`${declared.operations}_partial_update`);
  const schema = bodySchema(update);
  if (!update || !schema) return [];
  const noun = withArticle(spaced(of.name));
  const sayings = { ...of.sayings, ...declared.inputs };
  const input = inputOf(`Update${of.name}Input`, `Changes of ${noun}; what is left out stays.`, schema, sayings);
  const type = argsClass([
    ...idArgs([...placeholdersOf(path), 'id']),
    { name: 'input', type: () => input.type, about: 'What shall change.' },
    ...(isVersioned(of, update) ? [EXPECTED] : []),
  ]);
  const saved = savedOf(of);

  @Resolver()
  class Updates {
    @Mutation(() => saved.result as never, { name: `update${of.name}`, description: `Changes ${noun}.` })
    update(@Args({ type: () => type }) given: Given & Expecting, @Context() { core }: GatewayContext) {
      return attempt(saved.name, async () => {
        const changes = input.body(given.input as object);
        const at = filled(`${path}{id}/`, given);
        const { body, revision } = await writeVersion<Row>(core, 'PATCH', at, changes, given.expectedLedgerId);
        return { [saved.field]: of.present(body), revision };
      });
    }
  }
  return [Updates];
}

function deleteField<Row>({ declared, of, path }: Noun<Row>): Type<object>[] {
  const removal = perhapsOperation(`${declared.operations}_destroy`);
  if (!removal) return [];
  const args = argsOf(removal.query);
  const type = argsClass(
    [...idArgs([...placeholdersOf(path), 'id']), ...(isVersioned(of, removal) ? [EXPECTED] : [])],
    args.type,
  );
  const description = `${removal.summary}.`;

  @Resolver()
  class Deletes {
    @Mutation(() => DeleteResult, { name: `delete${of.name}`, description })
    delete(@Args({ type: () => type }) given: Given & Expecting, @Context() { core }: GatewayContext) {
      return attempt('Deleted', async () => {
        const at = filled(`${path}{id}/`, given);
        const query = args.query(given);
        const { revision } = await writeVersion(core, 'DELETE', at, undefined, given.expectedLedgerId, query);
        return { id: given.id, revision };
      });
    }
  }
  return [Deletes];
}
