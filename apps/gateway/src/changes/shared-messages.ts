import { createSourceEventStream, type ExecutionArgs, type ExecutionResult, execute } from 'graphql';

/** A subscription of one socket. */
export interface SocketSubscription extends ExecutionArgs {
  /** Chosen by the client; every message of the subscription bears it. */
  readonly id: string;
  /** What the result depends on beside the change: the same text for subscriptions that ask for the same. */
  readonly asked: string;
  /** Resolves when the line has taken the message, or is gone. */
  readonly write: (message: Buffer) => Promise<void>;
}

/** What a change looks like to those who ask for the same. Seldom has errors, which each socket is told in its own way. */
interface Telling {
  readonly result: ExecutionResult;
  readonly payload: string;
  /** The latest message: clients of one make choose the same id. */
  message: { readonly id: string; readonly bytes: Buffer } | null;
}

/** A feed hands the same object to all its listeners, and a feed belongs to one credential. */
const tellings = new WeakMap<object, Map<string, Promise<Telling>>>();

/**
 * Instead of `subscribe` of the library, which executes the selection, and writes JSON for each listener of each
 * change. Here that happens once for all who ask for the same, and the same bytes go to all of them. What comes out
 * of the generator is therefore only what cannot be shared.
 */
export async function subscribeShared(
  subscription: SocketSubscription,
): Promise<AsyncGenerator<ExecutionResult, void, void> | ExecutionResult> {
  const source = await createSourceEventStream(subscription);
  if (!(Symbol.asyncIterator in source)) return source;
  return tellingAll(source as AsyncGenerator<object, void, void>, subscription);
}

function tellingAll(
  changes: AsyncGenerator<object, void, void>,
  subscription: SocketSubscription,
): AsyncGenerator<ExecutionResult, void, void> {
  return {
    async next() {
      for (;;) {
        const step = await changes.next();
        if (step.done) return step;
        const telling = await tellingOf(step.value, subscription);
        if (telling.result.errors) return { done: false, value: telling.result };
        await subscription.write(messageOf(telling, subscription.id));
      }
    },
    async return() {
      await changes.return();
      return { done: true, value: undefined };
    },
    async throw(error: unknown) {
      await changes.throw(error);
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
    async [Symbol.asyncDispose]() {
      await changes.return();
    },
  };
}

function tellingOf(change: object, subscription: SocketSubscription): Promise<Telling> {
  const known = tellings.get(change) ?? new Map<string, Promise<Telling>>();
  tellings.set(change, known);
  const telling = known.get(subscription.asked) ?? tell(change, subscription);
  known.set(subscription.asked, telling);
  return telling;
}

async function tell(change: object, subscription: SocketSubscription): Promise<Telling> {
  const result = await execute({ ...subscription, rootValue: change });
  return { result, payload: JSON.stringify(result), message: null };
}

/** As bytes, so that the library of the sockets has nothing to encode again for each listener. */
function messageOf(telling: Telling, id: string): Buffer {
  if (telling.message?.id === id) return telling.message.bytes;
  const bytes = Buffer.from(`{"id":${JSON.stringify(id)},"type":"next","payload":${telling.payload}}`);
  telling.message = { id, bytes };
  return bytes;
}
