import { credentialKey } from '../credential-key.ts';

export interface CredentialWatchOptions {
  /** Returns whether the core accepts this credential; throws if the core cannot be reached. */
  readonly isAllowed: (authorization: string) => Promise<boolean>;
  readonly everyMs: number;
}

interface WatchedCredential {
  readonly authorization: string;
  readonly closings: Set<() => void>;
  timer?: NodeJS.Timeout;
}

/**
 * Closes sockets whose credential has ended: an expired token, a deleted key or a deleted membership. One check with
 * the core covers all sockets of a credential. Subscriptions are notified sooner, by their stream.
 */
export class CredentialWatch {
  private readonly watched = new Map<string, WatchedCredential>();

  constructor(private readonly options: CredentialWatchOptions) {}

  /** Calls `close` when the credential is rejected. The returned function stops the watch. */
  join(authorization: string, close: () => void): () => void {
    const key = credentialKey(authorization);
    let entry = this.watched.get(key);
    if (!entry) {
      entry = { authorization, closings: new Set() };
      this.watched.set(key, entry);
      this.askLater(key, entry);
    }
    const { closings } = entry;
    const onClose = () => close();
    closings.add(onClose);
    return () => {
      closings.delete(onClose);
      if (closings.size === 0 && this.watched.get(key)?.closings === closings) this.forget(key);
    };
  }

  /** Spreads the checks, because many clients may have reconnected at the same time. */
  private askLater(key: string, entry: WatchedCredential): void {
    const ms = this.options.everyMs * (0.8 + Math.random() * 0.4);
    entry.timer = setTimeout(() => void this.ask(key, entry), ms).unref();
  }

  private async ask(key: string, entry: WatchedCredential): Promise<void> {
    // If the core is unavailable, credentials count as valid.
    const isAllowed = await this.options.isAllowed(entry.authorization).catch(() => true);
    if (this.watched.get(key) !== entry) return;
    if (isAllowed) return this.askLater(key, entry);
    this.forget(key);
    for (const close of entry.closings) close();
  }

  private forget(key: string): void {
    clearTimeout(this.watched.get(key)?.timer);
    this.watched.delete(key);
  }
}
