import * as contract from '@strata/contract';
import type { FailureKind } from '@strata/domain';
import type { EffectiveUpdate } from '@strata/rest-client';
import {
  GraphQLBoolean,
  GraphQLID,
  GraphQLInt,
  GraphQLInterfaceType,
  GraphQLList,
  GraphQLNonNull,
  GraphQLString,
} from 'graphql';
import { closeSlowSocket, endSocketOnFailure } from '../changes/ending-socket.ts';
import type { GatewayContext } from '../context.ts';
import { badInputError } from '../errors.ts';
import { addEntries, VALUES_AS_MAP } from '../parameters/effective.ts';
import type { Assembly } from '../schema/assembly.ts';
import { UNBATCHED_REQUEST_COST } from '../schema/cost.ts';
import { declareObject } from '../schema/object-type.ts';
import { idArgs } from '../schema/query-args.ts';
import { field, type SchemaBuild } from '../schema/schema-build.ts';
import type { SchemaPart } from '../schema/schema-part.ts';
import type { ValuesQuery } from './value-subscriptions.ts';

/** The fields of every message. */
function messageInterface(build: SchemaBuild): GraphQLInterfaceType {
  const fields = {
    cursor: { type: new GraphQLNonNull(GraphQLString), description: 'Opaque cursor. Pass it as `after` to continue.' },
    revision: { type: new GraphQLNonNull(GraphQLInt), description: 'Revision of the organization.' },
  };
  const description = 'A message of `effectiveValues`.';
  return build.once(
    'EffectiveMessage',
    () => new GraphQLInterfaceType({ name: 'EffectiveMessage', description, fields }),
  );
}

/** The type of each message by its kind. */
const TYPES = {
  snapshot: 'EffectiveSnapshot',
  delta: 'EffectiveDelta',
  problem: 'EffectiveProblem',
  bookmark: 'EffectiveBookmark',
  reset: 'EffectiveReset',
} as const satisfies Record<EffectiveUpdate['kind'], string>;

/** One document can select the digest of all messages, and that of a bookmark may be null. */
const DIGEST = { nullable: true };

const message = { implements: messageInterface };

export const EFFECTIVE_VALUES_PART: SchemaPart = {
  objects: [
    declareObject({
      ...message,
      name: TYPES.snapshot,
      of: contract.EffectiveSnapshot,
      members: { digest: DIGEST, values: VALUES_AS_MAP },
    }),
    declareObject({ ...message, name: TYPES.delta, of: contract.EffectiveDelta, members: { digest: DIGEST } }),
    declareObject({ ...message, name: TYPES.problem, of: contract.EffectiveProblem }),
    declareObject({ ...message, name: TYPES.bookmark, of: contract.EffectiveBookmark }),
    declareObject({ ...message, name: TYPES.reset, of: contract.EffectiveReset }),
    declareObject({ name: 'EffectiveValueChange', of: contract.EffectiveValueChange }),
    declareObject({ name: 'EffectiveSource', of: contract.EffectiveSource }),
    declareObject({ name: 'EffectiveSourceScope', of: contract.EffectiveSourceScope }),
  ],
  extend: addEffectiveValues,
};

interface ValuesArgs {
  readonly projectId: string;
  readonly environmentId: string;
  readonly after?: string | null;
  readonly names?: readonly string[] | null;
  readonly reveal: boolean;
}

/** `forbidden` concerns only the configuration: other subscriptions of the socket continue. */
const CREDENTIAL_ERRORS: readonly FailureKind[] = ['bad_credential', 'unauthenticated'];

function addEffectiveValues(assembly: Assembly): void {
  const { build } = assembly;
  addEntries(build, TYPES.snapshot);
  build.add('Subscription', {
    effectiveValues: field<EffectiveUpdate, ValuesArgs>({
      type: new GraphQLNonNull(messageInterface(build)),
      description:
        'Streams the configuration of a project in an environment: first a snapshot, then a delta for each revision that changes one of its values, and a bookmark after 10 seconds without another message.',
      args: {
        ...idArgs(build, ['projectId']),
        environmentId: { type: new GraphQLNonNull(GraphQLID), description: 'Id or name of the environment.' },
        after: { type: GraphQLString, description: 'Cursor to continue after. Default: start with a snapshot.' },
        names: {
          type: new GraphQLList(new GraphQLNonNull(GraphQLString)),
          description: `Only these parameters, at most ${contract.LIMITS.idsPerRequest}. Default: all.`,
        },
        reveal: {
          type: new GraphQLNonNull(GraphQLBoolean),
          defaultValue: false,
          description: 'Deliver secrets in clear. By default, they are `*****`.',
        },
      },
      cost: UNBATCHED_REQUEST_COST,
      reaches: ['projects_effective_stream'],
      resolve: (update) => assembly.shapeNamed(TYPES[update.kind]).toSource(update),
      subscribe: (_source, args, context: GatewayContext) =>
        endSocketOnFailure(context.valueSubscriptions.follow(valuesQuery(args, context)), context, CREDENTIAL_ERRORS),
    }),
  });
}

function valuesQuery(args: ValuesArgs, context: GatewayContext): ValuesQuery {
  const { projectId, environmentId, after, names, reveal } = args;
  if (after === '') throw badInputError('`after` is empty. Omit it to start with a snapshot.');
  if (names?.length === 0) throw badInputError('`names` is empty. Omit it to follow all parameters.');
  // The core receives the names as one text.
  const nameWithComma = names?.find((name) => name.includes(','));
  if (nameWithComma !== undefined)
    throw badInputError('`names` cannot contain names with a comma. Omit it to follow all parameters.');
  return {
    authorization: context.authorization,
    projectId,
    environment: environmentId,
    after: after ?? undefined,
    ...(names && { names }),
    reveal,
    onSlow: (cursor) => closeSlowSocket(context, cursor),
  };
}
