import { setTimeout as sleep } from 'node:timers/promises';
import { CorePool, RestClient } from '@strata/rest-client';
import { createClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import { type Config, connect } from '../../libs/sdk/src/index.ts';
import type { Installation } from '../acceptance/journey.ts';

/** The pause before a client connects again, in milliseconds. */
const PAUSE_MS = 100;

/** The events that a client received, in the order of arrival. */
export interface Received {
  readonly client: string;
  readonly revisions: readonly number[];
  /** How often the connection ended. */
  readonly interruptions: number;
}

/** A client that receives all changes of values until it is stopped. */
export interface Follower {
  readonly received: Received;
  stop(): Promise<void>;
}

/** Follows the event stream of the core, with the client that gateways use. */
export function followEvents({ core, apiKey }: Installation, after: string): Follower {
  const receivedEvents = { client: 'event stream', revisions: [] as number[], interruptions: 0 };
  const stopSignal = new AbortController();
  const pool = new CorePool(core);
  const { events } = new RestClient({ pool, authorization: `Api-Key ${apiKey}` });
  const backoff = () => {
    receivedEvents.interruptions += 1;
    return PAUSE_MS;
  };
  const run = async () => {
    const messages = events.follow({ after, types: ['value_updated'], signal: stopSignal.signal, backoff });
    for await (const message of messages)
      if (message.kind === 'change') receivedEvents.revisions.push(message.event.revision);
  };
  return stoppable(receivedEvents, stopSignal, run());
}

interface FeedMessage {
  readonly changeFeed: { readonly cursor: string; readonly change: { readonly revision: number } | null };
}

/** Follows the changes through the gateway with graphql-ws, and connects again with the last cursor. */
export function subscribe({ gateway, apiKey }: Installation, after: string): Follower {
  const receivedEvents = { client: 'graphql-ws', revisions: [] as number[], interruptions: 0 };
  const stopSignal = new AbortController();
  let cursor = after;
  const query =
    'subscription ($after: String) { changeFeed(after: $after, types: [value_updated]) { cursor change { revision } } }';
  const connectOnce = async () => {
    const client = createClient({
      url: `${gateway.replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      connectionParams: { Authorization: `Api-Key ${apiKey}` },
      retryAttempts: 0,
    });
    stopSignal.signal.addEventListener('abort', () => void client.dispose(), { once: true });
    const variables = { after: cursor };
    for await (const { data } of client.iterate<FeedMessage>({ query, variables })) {
      if (!data) continue;
      cursor = data.changeFeed.cursor;
      if (data.changeFeed.change) receivedEvents.revisions.push(data.changeFeed.change.revision);
    }
  };
  const run = async () => {
    while (!stopSignal.signal.aborted) {
      await connectOnce().catch(() => undefined);
      if (stopSignal.signal.aborted) return;
      receivedEvents.interruptions += 1;
      await sleep(PAUSE_MS);
    }
  };
  return stoppable(receivedEvents, stopSignal, run());
}

/** Connects a program with the SDK. */
export const connectProgram = ({ core, apiKey }: Installation, project: string): Promise<Config> =>
  connect({ url: core, credential: { apiKey }, project, environment: 'default', onError: () => undefined });

function stoppable(receivedEvents: Received, stopSignal: AbortController, runningFollow: Promise<void>): Follower {
  // The stream also ends if its history was replaced. Drills compare the events.
  const endPromise = runningFollow.catch(() => undefined);
  return {
    received: receivedEvents,
    stop: async () => {
      stopSignal.abort();
      await endPromise;
    },
  };
}
