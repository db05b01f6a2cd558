import { ChangeAction, type EventPage, FeedEventTypeName } from '@strata/contract';
import type { FailureKind, FeedEvent, FeedEventType } from '@strata/domain';
import type { FollowMessage } from '@strata/rest-client';
import {
  GraphQLBoolean,
  GraphQLID,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  type GraphQLNullableType,
  GraphQLObjectType,
  type GraphQLOutputType,
  GraphQLString,
} from 'graphql';
import type { GatewayContext } from '../context.ts';
import { badInputError } from '../errors.ts';
import type { Assembly } from '../schema/assembly.ts';
import { changeNames, changeObjectType } from '../schema/change-object.ts';
import { enumKind } from '../schema/member.ts';
import { DateTime } from '../schema/scalars.ts';
import { field, type SchemaBuild, type SchemaFields } from '../schema/schema-build.ts';
import type { SchemaPart } from '../schema/schema-part.ts';
import { closeSlowSocket, endSocketOnFailure } from './ending-socket.ts';
import type { ChangesQuery } from './subscription-manager.ts';

export const CHANGES_PART: SchemaPart = { extend: addChanges };

const CHANGES_MAX = 200;
/** The feed has no permission of its own, so `forbidden` means that the credential is not accepted. */
const CREDENTIAL_ERRORS: readonly FailureKind[] = ['bad_credential', 'unauthenticated', 'forbidden'];

interface ChangeFilterArgs {
  readonly after?: string | null;
  readonly types?: readonly FeedEventType[] | null;
  readonly projectId?: string | null;
  readonly environmentId?: string | null;
}

const must = (type: GraphQLNullableType & GraphQLOutputType, description: string) =>
  field({ type: new GraphQLNonNull(type), description });

function addChanges({ build }: Assembly): void {
  const change = changeType(build);
  const filters = filterArgs(build);
  build.add('Query', {
    changesCursor: field({
      type: new GraphQLNonNull(GraphQLString),
      description: 'The current cursor of the feed. Subscribe after it to receive all later changes.',
      resolve: async (_source, _args, { core }: GatewayContext) => {
        const { body } = await core.get<EventPage>('events/', { after: 'now' });
        return body.cursor;
      },
    }),
    changesAfter: field<unknown, ChangeFilterArgs & { readonly first: number }>({
      type: new GraphQLNonNull(changePageType(build, change)),
      description: 'Past changes that are still stored.',
      args: {
        after: { type: GraphQLString, description: 'Cursor to continue after. Default: the oldest stored change.' },
        first: {
          type: new GraphQLNonNull(GraphQLInt),
          defaultValue: 50,
          description: `Maximum number of changes, 1 to ${CHANGES_MAX}.`,
        },
        ...filters,
      },
      reaches: ['events_list'],
      resolve: async (_source, args, { core }: GatewayContext) => {
        const { first, after, types, projectId: project, environmentId: environment } = args;
        if (first < 1 || first > CHANGES_MAX) throw badInputError(`\`first\` must be between 1 and ${CHANGES_MAX}.`);
        const { body } = await core.get<EventPage>('events/', { after, limit: first, types, project, environment });
        return { changes: body.results, cursor: body.cursor, more: body.more };
      },
    }),
  });
  const after = { type: GraphQLString, description: 'Cursor to continue after. Default: only new changes.' };
  build.add('Subscription', {
    // The core decides which changes the credential can access. The gateway only forwards them.
    changes: field<FeedEvent, ChangeFilterArgs>({
      type: new GraphQLNonNull(change),
      description: 'Streams new changes, or all changes after a cursor, in order and each exactly once.',
      args: { after, ...filters },
      reaches: ['events_stream'],
      resolve: (event) => event,
      subscribe: (_source, args, context: GatewayContext) =>
        endSocketOnFailure(context.subscriptions.changes(feedQuery(args, context)), context, CREDENTIAL_ERRORS),
    }),
    changeFeed: field<FollowMessage, ChangeFilterArgs>({
      type: new GraphQLNonNull(feedMessageType(build, change)),
      description:
        'Streams the same changes as `changes`, with bookmarks. The first bookmark follows the stored changes. Further ' +
        'bookmarks follow interruptions, and idle periods without a requested change.',
      args: { after, ...filters },
      resolve: (message) => message,
      subscribe: (_source, args, context: GatewayContext) =>
        endSocketOnFailure(context.subscriptions.feed(feedQuery(args, context)), context, CREDENTIAL_ERRORS),
    }),
  });
}

function feedQuery(args: ChangeFilterArgs, context: GatewayContext): ChangesQuery {
  const { after = null, types = null, projectId = null, environmentId = null } = args;
  if (after === '') throw badInputError('`after` is empty. Omit it to receive only new changes.');
  return {
    authorization: context.authorization,
    after,
    types,
    projectId,
    environmentId,
    onSlow: (cursor) => closeSlowSocket(context, cursor),
  };
}

function filterArgs(build: SchemaBuild) {
  const types = new GraphQLList(new GraphQLNonNull(build.scalar(enumKind(FeedEventTypeName))));
  return {
    types: {
      type: types,
      description:
        'Only these event types. Default: the twelve types of environments, projects, parameters and values.',
    },
    projectId: { type: GraphQLID, description: 'Only changes in this project.' },
    environmentId: { type: GraphQLID, description: 'Only changes in this environment.' },
  };
}

function changeType(build: SchemaBuild): GraphQLObjectType {
  const objectType = (name: string, description: string, fields: SchemaFields) =>
    build.once(name, () => new GraphQLObjectType({ name, description, fields }));
  const subject = objectType('ChangeSubject', 'An object of a change, with its name at that time.', changeNames);
  const object = changeObjectType(build);
  const perhaps = (description: string) => field({ type: subject, description });
  return objectType('Change', 'One change: action, object, author and time, without values.', {
    cursor: must(GraphQLString, 'Opaque cursor. Pass it as `after` to continue after this change.'),
    type: must(build.scalar(enumKind(FeedEventTypeName)), 'The event type.'),
    action: must(build.scalar(enumKind(ChangeAction)), 'The action.'),
    revision: must(GraphQLInt, 'Revision of the organization that the change created.'),
    at: must(DateTime, 'The time of the change.'),
    actor: must(object, 'The user or service account that made the change.'),
    object: must(object, 'The object that was changed.'),
    project: perhaps('The project that the object belongs to.'),
    environment: perhaps('The environment that the object belongs to.'),
    parameter: perhaps('The parameter that the object belongs to.'),
    changeset: field<FeedEvent>({
      type: new GraphQLNonNull(GraphQLInt),
      description: 'Revision of the changeset that contains the change.',
      // Lists of a core of the previous version do not contain the changeset.
      resolve: ({ changeset, revision }) => changeset ?? revision,
    }),
    message: field({ type: GraphQLString, description: 'Message of that changeset; null if it has none.' }),
  });
}

function feedMessageType(build: SchemaBuild, change: GraphQLObjectType): GraphQLObjectType {
  const readMember = (member: keyof Pick<FeedEvent, 'cursor' | 'revision'>) => (message: FollowMessage) =>
    message.kind === 'change' ? message.event[member] : message[member];
  const fields: SchemaFields = {
    cursor: field<FollowMessage>({
      type: new GraphQLNonNull(GraphQLString),
      description: 'Opaque cursor. Pass it as `after` to continue after this message.',
      resolve: readMember('cursor'),
    }),
    revision: field<FollowMessage>({
      type: new GraphQLNonNull(GraphQLInt),
      description: 'Revision of the organization that the feed has reached.',
      resolve: readMember('revision'),
    }),
    change: field<FollowMessage>({
      type: change,
      description: 'The change; null in a bookmark.',
      resolve: (message) => (message.kind === 'change' ? message.event : null),
    }),
  };
  const description = 'A change, or a bookmark after which all earlier changes have been delivered.';
  return build.once('FeedMessage', () => new GraphQLObjectType({ name: 'FeedMessage', description, fields }));
}

function changePageType(build: SchemaBuild, change: GraphQLObjectType): GraphQLObjectType {
  const fields = {
    changes: must(new GraphQLList(new GraphQLNonNull(change)), 'The changes, oldest first.'),
    cursor: must(GraphQLString, 'Cursor for the next request or for a subscription, to pass as `after`.'),
    more: must(GraphQLBoolean, 'Whether more changes are available already.'),
  };
  const description = 'Past changes and the cursor to continue after.';
  return build.once('ChangePage', () => new GraphQLObjectType({ name: 'ChangePage', description, fields }));
}
