import { Args, Context, Field, ID, Int, ObjectType, Query, Resolver, Subscription } from '@nestjs/graphql';
import type { EventPage } from '@strata/contract';
import { type Event, type EventType as EventTypeName, Failure } from '@strata/domain';
import type { GatewayContext } from '../context.ts';
import { badInput } from '../errors.ts';
import { ChangeAction, EventType } from '../graphql/enums.ts';
import { DateTime } from '../graphql/scalars.ts';

@ObjectType({ description: 'An object and the name it had when the change was made.' })
export class ChangeSubject {
  @Field(() => ID, { description: 'Its id.' })
  id!: string;

  @Field(() => String, { description: 'Its name at that time.' })
  name!: string;
}

@ObjectType({ description: 'An object, its kind, and the name it had when the change was made.' })
export class ChangeObject extends ChangeSubject {
  @Field(() => String, { description: 'Its kind, such as Parameter.' })
  type!: string;
}

@ObjectType({ description: 'One change: what, where, who and when; never a value.' })
export class Change {
  @Field(() => String, { description: 'Opaque position; hand it back as `after` to continue behind this change.' })
  cursor!: string;

  @Field(() => EventType, { description: 'What kind of change.' })
  type!: EventTypeName;

  @Field(() => ChangeAction, { description: 'What was done.' })
  action!: keyof typeof ChangeAction;

  @Field(() => Int, { description: 'Revision of the organization that the change made.' })
  revision!: number;

  @Field(() => DateTime, { description: 'When.' })
  at!: string;

  @Field(() => ChangeObject, { description: 'Who.' })
  actor!: ChangeObject;

  @Field(() => ChangeObject, { description: 'The object that was changed.' })
  object!: ChangeObject;

  @Field(() => ChangeSubject, { nullable: true, description: 'The project it belongs to.' })
  project!: ChangeSubject | null;

  @Field(() => ChangeSubject, { nullable: true, description: 'The environment it is about.' })
  environment!: ChangeSubject | null;

  @Field(() => ChangeSubject, { nullable: true, description: 'The parameter it is about.' })
  parameter!: ChangeSubject | null;
}

@ObjectType({ description: 'Changes that have happened, and where to go on.' })
export class ChangePage {
  @Field(() => [Change], { description: 'The changes, oldest first.' })
  changes!: readonly Event[];

  @Field(() => String, { description: 'Ask after this next, or subscribe after it.' })
  cursor!: string;

  @Field(() => Boolean, { description: 'Whether further changes have happened already.' })
  more!: boolean;
}

const CHANGES_MAX = 200;

@Resolver(() => Change)
export class ChangesResolver {
  @Query(() => String, {
    description: 'The present position of the feed: what to subscribe after to miss nothing from now on.',
  })
  async changesCursor(@Context() { core }: GatewayContext): Promise<string> {
    const { body } = await core.get<EventPage>('events/', { after: 'now' });
    return body.cursor;
  }

  @Query(() => ChangePage, { description: 'Changes of the past that are still kept.' })
  async changesAfter(
    @Args('after', {
      type: () => String,
      nullable: true,
      description: 'A cursor; from the oldest one kept when left out.',
    })
    after: string | null,
    @Args('first', { type: () => Int, defaultValue: 50, description: `How many at most, 1 to ${CHANGES_MAX}.` })
    first: number,
    @Args('types', { type: () => [EventType], nullable: true, description: 'Only these kinds of change.' })
    types: EventTypeName[] | null,
    @Args('projectId', { type: () => ID, nullable: true, description: 'Only changes in this project.' })
    project: string | null,
    @Args('environmentId', { type: () => ID, nullable: true, description: 'Only changes about this environment.' })
    environment: string | null,
    @Context() { core }: GatewayContext,
  ) {
    if (first < 1 || first > CHANGES_MAX) throw badInput(`\`first\` must be between 1 and ${CHANGES_MAX}.`);
    const { body } = await core.get<EventPage>('events/', { after, limit: first, types, project, environment });
    return { changes: body.results, cursor: body.cursor, more: body.more };
  }

  /** The core decides which changes this credential may hear of; the gateway only carries them. */
  @Subscription(() => Change, {
    resolve: (change: Event) => change,
    description: 'Every change from now on, or after a cursor: in order, none lost, none twice.',
  })
  changes(
    @Args('after', {
      type: () => String,
      nullable: true,
      description: 'Continue behind this cursor; from now on when left out.',
    })
    after: string | null,
    @Args('types', { type: () => [EventType], nullable: true, description: 'Only these kinds of change.' })
    types: EventTypeName[] | null,
    @Args('projectId', { type: () => ID, nullable: true, description: 'Only changes in this project.' })
    projectId: string | null,
    @Args('environmentId', { type: () => ID, nullable: true, description: 'Only changes about this environment.' })
    environmentId: string | null,
    @Context() { hub, authorization, closeSocket }: GatewayContext,
  ): AsyncGenerator<Event, void, undefined> {
    if (after === '') throw badInput('`after` is empty. Leave it out to hear of changes from now on.');
    const changes = hub.changes({
      authorization,
      after,
      types,
      projectId,
      environmentId,
      // The error message may never pass a socket that is full, so the socket is closed a little later as well.
      onSlow: (cursor) => void setTimeout(() => closeSocket?.(1013, `SLOW_CONSUMER after ${cursor}`), 1_000).unref(),
    });
    return endingSocket(changes, closeSocket);
  }
}

/** A credential that is no longer good ends everything that it opened, so that clients come back with a fresh one. */
function endingSocket(
  changes: AsyncGenerator<Event, void, undefined>,
  closeSocket: GatewayContext['closeSocket'],
): AsyncGenerator<Event, void, undefined> {
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
