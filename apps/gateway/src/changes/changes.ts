import { ChangeAction, type EventPage, FeedEventTypeName } from '@strata/contract';
import { Failure, type FeedEvent, type FeedEventType } from '@strata/domain';
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
import { badInput } from '../errors.ts';
import type { Assembly } from '../schema/assembly.ts';
import { changeNames, changeObjectType } from '../schema/change-object.ts';
import { oneOf } from '../schema/member.ts';
import { DateTime } from '../schema/scalars.ts';
import { field, type SchemaBuild, type SchemaFields } from '../schema/schema-build.ts';
import type { SchemaPart } from '../schema/schema-part.ts';
import type { ChangesQuery } from './subscription-manager.ts';

export const CHANGES: SchemaPart = { extend: addChanges };

const CHANGES_MAX = 200;

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
      description: 'The present position of the feed: what to subscribe after to miss nothing from now on.',
      resolve: async (_source, _args, { core }: GatewayContext) => {
        const { body } = await core.get<EventPage>('events/', { after: 'now' });
        return body.cursor;
      },
    }),
    changesAfter: field<unknown, ChangeFilterArgs & { readonly first: number }>({
      type: new GraphQLNonNull(changePageType(build, change)),
      description: 'Changes of the past that are still kept.',
      args: {
        after: { type: GraphQLString, description: 'A cursor; from the oldest one kept when left out.' },
        first: {
          type: new GraphQLNonNull(GraphQLInt),
          defaultValue: 50,
          description: `How many at most, 1 to ${CHANGES_MAX}.`,
        },
        ...filters,
      },
      reaches: ['events_list'],
      resolve: async (_source, args, { core }: GatewayContext) => {
        const { first, after, types, projectId: project, environmentId: environment } = args;
        if (first < 1 || first > CHANGES_MAX) throw badInput(`\`first\` must be between 1 and ${CHANGES_MAX}.`);
        const { body } = await core.get<EventPage>('events/', { after, limit: first, types, project, environment });
        return { changes: body.results, cursor: body.cursor, more: body.more };
      },
    }),
  });
  const after = { type: GraphQLString, description: 'Continue behind this cursor; from now on when left out.' };
  build.add('Subscription', {
    // The core decides which changes this credential may hear of; the gateway only carries them.
    changes: field<FeedEvent, ChangeFilterArgs>({
      type: new GraphQLNonNull(change),
      description: 'Every change from now on, or after a cursor: in order, none lost, none twice.',
      args: { after, ...filters },
      reaches: ['events_stream'],
      resolve: (event) => event,
      subscribe: (_source, args, context: GatewayContext) =>
        endingSocket(context.subscriptions.changes(feedQuery(args, context)), context.closeSocket),
    }),
    changeFeed: field<FollowMessage, ChangeFilterArgs>({
      type: new GraphQLNonNull(feedMessageType(build, change)),
      description:
        'The same as `changes`, with bookmarks: the first one once everything before it was told and what follows will be ' +
        'told at once, and more of them after interruptions and while nothing happens that was asked for.',
      args: { after, ...filters },
      resolve: (message) => message,
      subscribe: (_source, args, context: GatewayContext) =>
        endingSocket(context.subscriptions.feed(feedQuery(args, context)), context.closeSocket),
    }),
  });
}

function feedQuery(args: ChangeFilterArgs, { authorization, closeSocket }: GatewayContext): ChangesQuery {
  const { after = null, types = null, projectId = null, environmentId = null } = args;
  if (after === '') throw badInput('`after` is empty. Leave it out to hear of changes from now on.');
  return {
    authorization,
    after,
    types,
    projectId,
    environmentId,
    // The error message may not reach a client whose socket is full, so the socket is also closed a moment later.
    onSlow: (cursor) => void setTimeout(() => closeSocket?.(1013, `SLOW_CONSUMER after ${cursor}`), 1_000).unref(),
  };
}

function filterArgs(build: SchemaBuild) {
  const types = new GraphQLList(new GraphQLNonNull(build.scalar(oneOf(FeedEventTypeName))));
  return {
    types: {
      type: types,
      description:
        'Only these kinds of change; the twelve of environments, projects, parameters and values when left out.',
    },
    projectId: { type: GraphQLID, description: 'Only changes in this project.' },
    environmentId: { type: GraphQLID, description: 'Only changes about this environment.' },
  };
}

function changeType(build: SchemaBuild): GraphQLObjectType {
  const objectOf = (name: string, description: string, fields: SchemaFields) =>
    build.once(name, () => new GraphQLObjectType({ name, description, fields }));
  const subject = objectOf('ChangeSubject', 'An object and the name it had when the change was made.', changeNames);
  const object = changeObjectType(build);
  const perhaps = (description: string) => field({ type: subject, description });
  return objectOf('Change', 'One change: what, where, who and when; never a value.', {
    cursor: must(GraphQLString, 'Opaque position; hand it back as `after` to continue behind this change.'),
    type: must(build.scalar(oneOf(FeedEventTypeName)), 'What kind of change.'),
    action: must(build.scalar(oneOf(ChangeAction)), 'What was done.'),
    revision: must(GraphQLInt, 'Revision of the organization that the change made.'),
    at: must(DateTime, 'When.'),
    actor: must(object, 'Who.'),
    object: must(object, 'The object that was changed.'),
    project: perhaps('The project it belongs to.'),
    environment: perhaps('The environment it is about.'),
    parameter: perhaps('The parameter it is about.'),
    changeset: field<FeedEvent>({
      type: new GraphQLNonNull(GraphQLInt),
      description: 'The changeset that it was part of, by its revision.',
      // Lists of a core of the previous version do not contain the changeset.
      resolve: ({ changeset, revision }) => changeset ?? revision,
    }),
    message: field({ type: GraphQLString, description: 'Why that was made, as far as somebody said.' }),
  });
}

function feedMessageType(build: SchemaBuild, change: GraphQLObjectType): GraphQLObjectType {
  const place = (of: keyof Pick<FeedEvent, 'cursor' | 'revision'>) => (message: FollowMessage) =>
    message.kind === 'change' ? message.event[of] : message[of];
  const fields: SchemaFields = {
    cursor: field<FollowMessage>({
      type: new GraphQLNonNull(GraphQLString),
      description: 'Opaque position; hand it back as `after` to continue behind this message.',
      resolve: place('cursor'),
    }),
    revision: field<FollowMessage>({
      type: new GraphQLNonNull(GraphQLInt),
      description: 'Revision of the organization that the feed has come to.',
      resolve: place('revision'),
    }),
    change: field<FollowMessage>({
      type: change,
      description: 'What happened; null in a bookmark.',
      resolve: (message) => (message.kind === 'change' ? message.event : null),
    }),
  };
  const description = 'A change, or a bookmark: everything up to here was told.';
  return build.once('FeedMessage', () => new GraphQLObjectType({ name: 'FeedMessage', description, fields }));
}

function changePageType(build: SchemaBuild, change: GraphQLObjectType): GraphQLObjectType {
  const fields = {
    changes: must(new GraphQLList(new GraphQLNonNull(change)), 'The changes, oldest first.'),
    cursor: must(GraphQLString, 'Ask after this next, or subscribe after it.'),
    more: must(GraphQLBoolean, 'Whether further changes have happened already.'),
  };
  const description = 'Changes that have happened, and where to go on.';
  return build.once('ChangePage', () => new GraphQLObjectType({ name: 'ChangePage', description, fields }));
}

/** A rejected credential ends every subscription that it opened, so that clients reconnect with a new one. */
function endingSocket<Message>(
  changes: AsyncGenerator<Message, void, undefined>,
  closeSocket: GatewayContext['closeSocket'],
): AsyncGenerator<Message, void, undefined> {
  const next = changes.next.bind(changes);
  return Object.assign(changes, {
    next: async () => {
      try {
        return await next();
      } catch (error) {
        if (error instanceof Failure && REFUSED.has(error.kind)) closeSocket?.(4403, 'Forbidden: credential refused');
        throw error;
      }
    },
  });
}

const REFUSED = new Set(['bad_credential', 'unauthenticated', 'forbidden']);
