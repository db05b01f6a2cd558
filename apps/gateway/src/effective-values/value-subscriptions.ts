import { type EffectiveUpdate, type FollowedValues, type RestClient, stopOnAbort } from '@strata/rest-client';
import { slowConsumerError } from '../errors.ts';

/** A subscription that takes longer to accept a message is disconnected. Long messages have this time for each MiB. */
const SLOW_AFTER_MS = 10_000;
const MEBIBYTE = 1_048_576;

export interface ValuesQuery extends FollowedValues {
  readonly authorization: string;
  /** The cursor to continue after. If absent, the subscription starts with a snapshot. */
  readonly after?: string | undefined;
  /** Called with the cursor of the last delivered message if the subscription is disconnected for being slow. */
  readonly onSlow: (cursor: string) => void;
}

/** The subscriptions of this gateway to effective values. Each has its own stream from the core. */
export class ValueSubscriptions {
  private readonly ends = new Set<() => void>();

  constructor(
    private readonly clientFor: (authorization: string) => RestClient,
    private readonly slowAfterMs: number = SLOW_AFTER_MS,
  ) {}

  /** The number of open streams to the core. */
  get streams(): number {
    return this.ends.size;
  }

  /**
   * Yields the messages of a configuration, also across restarts of the core. Reads no further message from the core
   * until the last one was accepted. Throws if retrying is pointless: the credential is rejected, the caller may no
   * longer read the configuration, or the reader is too slow.
   */
  follow(query: ValuesQuery): AsyncGenerator<EffectiveUpdate, void, undefined> {
    return stopOnAbort((signal) => this.read(query, signal));
  }

  close(): void {
    for (const end of this.ends) end();
  }

  private async *read(query: ValuesQuery, signal: AbortSignal): AsyncGenerator<EffectiveUpdate, void, undefined> {
    const { authorization, after, onSlow, ...values } = query;
    const { effectiveValues } = this.clientFor(authorization);
    const messages = effectiveValues.follow(values, { ...(after !== undefined && { after }), signal });
    let timer: NodeJS.Timeout | undefined;
    const end = () => {
      clearTimeout(timer);
      this.ends.delete(end);
      void messages.return();
    };
    this.ends.add(end);
    // A generator that waits at a `yield` for a reader who went away never gets to its `finally`.
    signal.addEventListener('abort', end, { once: true });
    try {
      for await (const message of messages) {
        let isSlow = false;
        timer = setTimeout(
          () => {
            isSlow = true;
            onSlow(message.cursor);
          },
          this.slowAfterMs * Math.ceil(estimateLength(message) / MEBIBYTE),
        );
        yield message;
        clearTimeout(timer);
        if (isSlow)
          throw slowConsumerError('This subscription reads too slowly. Continue after `cursor`.', message.cursor);
      }
    } finally {
      end();
    }
  }
}

/** Returns about how long a message is, at least 1. */
function estimateLength(message: EffectiveUpdate): number {
  const texts =
    message.kind === 'snapshot'
      ? Object.entries(message.values)
      : message.kind === 'delta'
        ? message.changes.map(({ name, value }) => [name, value] as const)
        : [];
  return texts.reduce((sum, [name, value]) => sum + name.length + (value?.length ?? 0), 1);
}
