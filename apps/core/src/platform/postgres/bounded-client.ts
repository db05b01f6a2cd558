import net from 'node:net';
import pg from 'pg';
import { hasTimedOut } from './constraints.ts';
import type { Silence } from './silence.ts';

/** Answers come within milliseconds; after this long somebody looks whether the database is there at all. */
const LOOK_AFTER_MS = 1_000;

/** Beside those of `pg`: the pool hands its own options to each of its connections. */
export interface BoundedConfig extends pg.ClientConfig {
  /** Absent: nobody looks, and only `silentMsMax` counts. */
  readonly silence?: Silence;
  /** No statement runs for so long, since the server ends it before. Absent: there is no bound. */
  readonly silentMsMax?: number;
}

/**
 * A connection on which nobody waits for a server that has gone silent: stopped, or behind a network that swallows what it
 * is given. Then it is destroyed, so that whoever waits is told at once, as of any other connection that is lost, and
 * nobody is given it again.
 */
export class BoundedClient extends pg.Client {
  protected readonly socket: net.Socket;
  private readonly silence: Silence | null;
  private readonly silentMsMax: number;
  /** How many statements have no answer. */
  private outstanding = 0;
  /** When the server was asked what it has not answered, or has answered last. */
  private since = performance.now();
  heardAt = performance.now();
  private timer: NodeJS.Timeout | null = null;

  constructor({ silence, silentMsMax = Number.POSITIVE_INFINITY, ...config }: BoundedConfig = {}) {
    const socket = new net.Socket();
    super({ ...config, stream: () => socket });
    this.socket = socket;
    this.silence = silence ?? null;
    this.silentMsMax = silentMsMax;
    const leave = silence?.join(this);
    if (leave) socket.once('close', leave);
    const send = this.query.bind(this) as (...parts: unknown[]) => unknown;
    this.query = ((...parts: unknown[]) => this.watched(send, parts)) as typeof this.query;
  }

  /** Sends a statement, and notes when its answer is there; that is told to a callback, or else by a promise. */
  private watched(send: (...parts: unknown[]) => unknown, parts: unknown[]): unknown {
    const callback = parts.at(-1);
    if (typeof callback === 'function') {
      this.asked();
      return send(...parts.slice(0, -1), (...answer: unknown[]) => {
        this.answered();
        return callback(...answer);
      });
    }
    const answer = send(...parts);
    if (!(answer instanceof Promise)) return answer;
    this.asked();
    answer.then(this.answered, this.answered);
    return answer;
  }

  private asked(): void {
    if (this.outstanding === 0) this.since = performance.now();
    this.outstanding += 1;
    this.timer ??= this.lookLater();
  }

  private readonly answered = (): void => {
    this.outstanding -= 1;
    this.since = performance.now();
    this.heardAt = this.since;
  };

  private lookLater(): NodeJS.Timeout {
    return setTimeout(() => void this.look(), LOOK_AFTER_MS).unref();
  }

  /** Whoever waits for an answer is told that the connection is lost. */
  cut(): void {
    this.socket.destroy(hasTimedOut());
  }

  private async look(): Promise<void> {
    if (await this.isSilent()) this.cut();
    this.timer = this.outstanding > 0 && !this.socket.destroyed ? this.lookLater() : null;
  }

  /** A statement may take its time as long as the database answers others. */
  private async isSilent(): Promise<boolean> {
    const { outstanding, since } = this;
    const silentMs = performance.now() - since;
    if (outstanding === 0 || silentMs < LOOK_AFTER_MS) return false;
    if (silentMs >= this.silentMsMax) return true;
    return !((await this.silence?.isAnswering(performance.now() - LOOK_AFTER_MS)) ?? true) && this.since === since;
  }
}
