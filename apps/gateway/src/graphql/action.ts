import type { Type } from '@nestjs/common';
import {
  Args,
  Context,
  Field,
  Int,
  Mutation,
  ObjectType,
  Parent,
  Query,
  ResolveField,
  Resolver,
} from '@nestjs/graphql';
import type { Operation } from '@strata/contract';
import { Failure } from '@strata/domain';
import type { GatewayContext } from '../context.ts';
import { orNull } from '../core.ts';
import { attempt, resultOf } from '../problems.ts';
import { type Argument, argsOf } from './args.ts';
import { OWN_REQUEST } from './cost.ts';
import { type Input, inputOf, type Sayings } from './inputs.ts';
import { idsAbove, knownTo, momentOf } from './list.ts';
import { bodySchema, filled, operation, pathOf, placeholdersOf } from './operations.ts';
import { type Saved, savedOf } from './saved.ts';
import { hasShape, type Presented, shapeOf } from './shape.ts';
import { capital } from './slots.ts';

type Given = Readonly<Record<string, unknown>>;

@ObjectType({ description: 'It is done, and there is nothing more to say of it.' })
export class Done {
  @Field(() => Int, { nullable: true, description: 'Revision of the organization after this write.' })
  revision!: number | null;
}

const DONE: Saved = {
  name: 'Done',
  field: '',
  success: Done,
  result: resultOf('DoneResult', Done, 'What became of a deed that answers with nothing.'),
};

interface Action {
  /** Id of the contract's operation. */
  readonly operation: string;
  readonly name: string;
  readonly about: string;
  /** What the members of its input mean; needed when it has a body. */
  readonly inputs?: Sayings;
  /** Query parameters that the field decides by itself. */
  readonly without?: readonly string[];
  /** It is about credentials, so a wrong one is one of its answers. */
  readonly judgesCredentials?: boolean;
}

/** A deed that is no usual create, update or delete, as a mutation. Its arguments and its answer come from the contract. */
export function action({ operation: id, name, about, inputs = {}, without, judgesCredentials }: Action): Type<object> {
  const of = operation(id);
  const path = pathOf(of);
  const input = inputFor(of, name, about, inputs);
  const args = argsOf(of.query, { ids: placeholdersOf(path), without, more: inputArg(of, input) });
  const { response: described } = of;
  const response =
    described && 'unwrap' in described && typeof described.unwrap === 'function' ? described.unwrap() : described;
  const answer = hasShape(response) ? shapeOf(response) : null;
  const saved = answer ? savedOf(answer) : DONE;
  const method = of.method === 'delete' ? 'DELETE' : 'POST';

  @Resolver()
  class Actions {
    @Mutation(() => saved.result as never, { name, description: about })
    act(@Args({ type: () => args.type }) given: Given, @Context() { core }: GatewayContext) {
      const done = async () => {
        const body = input && given.input ? input.body(given.input) : undefined;
        const query = args.query(given);
        const { body: row, revision } = await core.send(method, filled(path, given), body, { query });
        // REST says null where there was nothing to do it with; here every success shows its object
        if (answer && row === null) throw Failure.notFound(answer.name);
        return { ...(answer && { [saved.field]: answer.present(row) }), revision };
      };
      return attempt(saved.name, done, { judgesCredentials });
    }
  }
  return Actions;
}

interface Read {
  readonly operation: string;
  readonly name: string;
  /** The type whose field it is; absent: a field of Query. */
  readonly under?: { readonly type: Type<object> };
  readonly about: string;
  /** What the members of its input mean; needed when it has a body. */
  readonly inputs?: Sayings;
  readonly without?: readonly string[];
}

/** One answer of the core that is no row of a list. */
export function read({ operation: id, name, under, about, inputs = {}, without }: Read): Type<object> {
  const of = operation(id);
  const path = pathOf(of);
  const input = inputFor(of, name, about, inputs);
  const args = argsOf(of.query, { ids: under ? [] : placeholdersOf(path), without, more: inputArg(of, input) });
  const answer = shapeOf(of.response as never);
  const options = { description: about, nullable: true };
  const root = under
    ? ResolveField(name, () => answer.type, { ...options, complexity: OWN_REQUEST })
    : Query(() => answer.type, { name, ...options });

  @(under ? Resolver(() => under.type) : Resolver())
  class Reads {
    @root
    async read(
      @Parent() above: Presented<{ url: string }> | undefined,
      @Args({ type: () => args.type }) given: Given,
      @Context() { core, loaders }: GatewayContext,
    ) {
      const moment = await momentOf(loaders, args.moment(given), above?.view);
      const query = { ...args.query(given), ...knownTo(of, moment) };
      const at = filled(path, under && above ? idsAbove(path, above.row.url) : given);
      const asked = input ? core.send('POST', at, input.body(given.input as object), { query }) : core.get(at, query);
      const found = await orNull(asked);
      return found && answer.present(found.body, { moment });
    }
  }
  return Reads;
}

function inputFor(of: Operation, name: string, about: string, inputs: Sayings): Input | null {
  const schema = bodySchema(of);
  return schema && inputOf(`${capital(name)}Input`, `What \`${name}\` takes. ${about}`, schema, inputs);
}

function inputArg({ bodyOptional = false }: Operation, input: Input | null): Argument[] {
  return input ? [{ name: 'input', type: () => input.type, about: 'What it takes.', nullable: bodyOptional }] : [];
}
