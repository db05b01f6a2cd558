import { EFFECTIVE_MESSAGES, type EffectiveMessage, type EffectiveSnapshot } from '@strata/contract';
import type { EventSourceMessage } from 'eventsource-parser';
import { type CursorStream, type FollowOptions, followStream } from './follow.ts';
import { findRoute } from './operations.ts';
import type { Transport } from './transport.ts';

/** A snapshot contains all values of a project. */
const MESSAGE_LENGTH_MAX = 64 * 1_048_576;

/** The configuration that a stream follows. */
export interface FollowedValues {
  readonly projectId: string;
  /** Name or id. */
  readonly environment: string;
  /** Only these parameters; by default all. */
  readonly names?: readonly string[];
  /** Whether secrets are delivered in clear. */
  readonly reveal?: boolean;
}

export type EffectiveUpdate = Exclude<EffectiveMessage, { kind: 'close' }>;

/** The effective values of a configuration, as the core streams them to this credential. */
export class EffectiveStreams {
  constructor(private readonly transport: Transport) {}

  /** Follows a configuration across interruptions. Without a cursor, it starts with a snapshot. */
  follow(values: FollowedValues, options: FollowOptions = {}): AsyncGenerator<EffectiveUpdate, void, undefined> {
    return followStream(this.transport, effectiveStream(values), options);
  }
}

function effectiveStream({ projectId, environment, names, reveal }: FollowedValues): CursorStream<EffectiveUpdate> {
  return {
    path: findRoute('projects_effective_stream', { id: projectId }).path,
    query: { environment, name__in: names, reveal },
    messageMax: MESSAGE_LENGTH_MAX,
    parse: effectiveMessage,
    readCursor: ({ cursor }) => cursor,
  };
}

function effectiveMessage({ event = '', data }: EventSourceMessage): EffectiveMessage | null {
  if (!Object.hasOwn(EFFECTIVE_MESSAGES, event)) return null;
  const kind = event as EffectiveMessage['kind'];
  const sentMessage: unknown = JSON.parse(data);
  const message = { kind, ...EFFECTIVE_MESSAGES[kind].parse(sentMessage) } as EffectiveMessage;
  // A parameter can have the name `__proto__`, which zod leaves out of records.
  return message.kind === 'snapshot' ? { ...message, values: (sentMessage as EffectiveSnapshot).values } : message;
}
