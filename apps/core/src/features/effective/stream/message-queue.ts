/** Limits the memory of a slow client. A client that is further behind reads the ledger again. */
const MESSAGES_MAX = 64;

/** The messages that one connection has not processed yet. */
export class MessageQueue<Message> {
  private readonly messages: Message[] = [];
  private wake: (() => void) | null = null;

  /** `overflow` replaces all waiting messages if there are too many. */
  constructor(private readonly overflow: Message) {}

  push(message: Message): void {
    if (this.messages.length < MESSAGES_MAX) this.messages.push(message);
    else this.messages.splice(0, this.messages.length, this.overflow);
    this.wake?.();
  }

  /** Returns the next message, or null if the time is up or the signal is aborted. */
  async next(timeoutMs: number, signal: AbortSignal): Promise<Message | null> {
    if (this.messages.length === 0 && !signal.aborted && timeoutMs > 0) await this.pushed(timeoutMs, signal);
    return signal.aborted ? null : (this.messages.shift() ?? null);
  }

  private pushed(timeoutMs: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const onMessage = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', onMessage);
        this.wake = null;
        resolve();
      };
      const timer = setTimeout(onMessage, timeoutMs);
      signal.addEventListener('abort', onMessage);
      this.wake = onMessage;
    });
  }
}
