import { createSourceEventStream, type ExecutionArgs, type ExecutionResult, execute } from 'graphql';

/** A subscription of one socket. */
export interface SocketSubscription extends ExecutionArgs {
  /** The id that the client chose. Every message of the subscription has it. */
  readonly id: string;
  /** Identifies what the result depends on besides the change. Identical subscriptions have the same key. */
  readonly key: string;
  /** Resolves once the socket has accepted the message or is closed. */
  readonly write: (message: Buffer) => Promise<void>;
}

/** The result of a change for identical subscriptions. It rarely has errors, which each socket reports itself. */
interface SharedFrame {
  readonly result: ExecutionResult;
  readonly payload: string;
  /** The latest message. Clients of the same program often choose the same id. */
  message: { readonly id: string; readonly bytes: Buffer } | null;
}

/** A feed passes the same object to all its subscriptions, and a feed belongs to one credential. */
const frames = new WeakMap<object, Map<string, Promise<SharedFrame>>>();

/**
 * Replaces `subscribe` of the library, which executes the selection and encodes JSON for each subscriber of each
 * change. This version does both once for all identical subscriptions and sends the same bytes to each. The generator
 * yields only the results that cannot be shared.
 */
export async function subscribeShared(
  subscription: SocketSubscription,
): Promise<AsyncGenerator<ExecutionResult, void, void> | ExecutionResult> {
  const source = await createSourceEventStream(subscription);
  if (!(Symbol.asyncIterator in source)) return source;
  return sendingAll(source as AsyncGenerator<object, void, void>, subscription);
}

function sendingAll(
  changes: AsyncGenerator<object, void, void>,
  subscription: SocketSubscription,
): AsyncGenerator<ExecutionResult, void, void> {
  return {
    async next() {
      for (;;) {
        const step = await changes.next();
        if (step.done) return step;
        const frame = await sharedFrame(step.value, subscription);
        if (frame.result.errors) return { done: false, value: frame.result };
        await subscription.write(encodeMessage(frame, subscription.id));
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

function sharedFrame(change: object, subscription: SocketSubscription): Promise<SharedFrame> {
  const framesByKey = frames.get(change) ?? new Map<string, Promise<SharedFrame>>();
  frames.set(change, framesByKey);
  const frame = framesByKey.get(subscription.key) ?? executed(change, subscription);
  framesByKey.set(subscription.key, frame);
  return frame;
}

async function executed(change: object, subscription: SocketSubscription): Promise<SharedFrame> {
  const result = await execute({ ...subscription, rootValue: change });
  return { result, payload: JSON.stringify(result), message: null };
}

/** Encoded once, so that the websocket library does not encode it again for each subscription. */
function encodeMessage(frame: SharedFrame, id: string): Buffer {
  if (frame.message?.id === id) return frame.message.bytes;
  const bytes = Buffer.from(`{"id":${JSON.stringify(id)},"type":"next","payload":${frame.payload}}`);
  frame.message = { id, bytes };
  return bytes;
}
