import type { Event } from '@strata/domain';
import type { Events } from '@strata/rest-client';
import { Tap } from './tap.ts';

/** After so many changes in one go, sockets get a chance to take what was written to them. */
const BURST = 32;

/** The one stream that a credential has from the core, however many subscriptions it feeds. */
export class SharedFeed {
  private readonly taps = new Set<Tap>();
  private readonly abort = new AbortController();
  private readonly opened = Promise.withResolvers<string>();
  private position: string | null = null;
  private end: { readonly error: unknown } | null = null;

  constructor(
    private readonly events: Events,
    private readonly onEnd: () => void,
  ) {
    // Whoever waits for the opening hears of its failure; with nobody waiting it must not count as unhandled.
    this.opened.promise.catch(() => {});
    void this.run();
  }

  /**
   * Joins the feed. All changes after `position` go to the tap from this very moment on: between reading the position
   * and adding the tap nothing else can run. Null when aborted first, which may be long before the core is back.
   */
  async join(onOverflow: () => void, signal: AbortSignal): Promise<{ tap: Tap; position: string } | null> {
    await Promise.race([this.opened.promise, aborted(signal)]);
    if (signal.aborted) return null;
    if (this.end) throw this.end.error;
    const tap = new Tap(onOverflow);
    this.taps.add(tap);
    return { tap, position: this.position as string };
  }

  leave(tap: Tap): void {
    tap.close();
    this.taps.delete(tap);
  }

  stop(): void {
    this.abort.abort();
  }

  private async run(): Promise<void> {
    let burst = 0;
    try {
      for await (const message of this.events.follow({ signal: this.abort.signal })) {
        this.position = message.kind === 'change' ? message.event.cursor : message.cursor;
        if (message.kind === 'change') this.tell(message.event);
        this.opened.resolve(this.position);
        burst += 1;
        if (burst % BURST === 0) await new Promise((resolve) => setImmediate(resolve));
      }
      this.finish(new Error('The feed was stopped.'));
    } catch (error) {
      this.finish(error);
    }
  }

  private tell(event: Event): void {
    for (const tap of this.taps) tap.push(event);
  }

  private finish(error: unknown): void {
    this.end = { error };
    this.opened.reject(error);
    for (const tap of this.taps) tap.fail(error);
    this.onEnd();
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
