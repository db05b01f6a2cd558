import { Failure, type FailureKind } from '@strata/domain';
import type { GatewayContext } from '../context.ts';

type SocketOf = Pick<GatewayContext, 'closeSocket'>;

/** A rejected credential ends every subscription that it opened, so that clients reconnect with a new one. */
export function endSocketOnFailure<Message>(
  messages: AsyncGenerator<Message, void, undefined>,
  { closeSocket }: SocketOf,
  endingKinds: readonly FailureKind[],
): AsyncGenerator<Message, void, undefined> {
  const next = messages.next.bind(messages);
  return Object.assign(messages, {
    next: async () => {
      try {
        return await next();
      } catch (error) {
        if (error instanceof Failure && endingKinds.includes(error.kind)) {
          closeSocket?.(4403, 'Forbidden: credential refused');
        }
        throw error;
      }
    },
  });
}

/** The error message may not reach a client whose socket is full, so the socket is also closed a moment later. */
export function closeSlowSocket({ closeSocket }: SocketOf, cursor: string): void {
  setTimeout(() => closeSocket?.(1013, `SLOW_CONSUMER after ${cursor}`), 1_000).unref();
}
