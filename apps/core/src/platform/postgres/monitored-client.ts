import net from 'node:net';
import pg from 'pg';
import type { ConnectionMonitor } from './connection-monitor.ts';
import { responseTimeout } from './constraints.ts';

/** Answers come within milliseconds; after this long somebody looks whether the database is there at all. */
const CHECK_AFTER_MS = 1_000;

/** Beside those of `pg`: the pool hands its own options to each of its connections. */
export interface MonitoredConfig extends pg.ClientConfig {
  /** Absent: nobody looks, and only `responseMsMax` counts. */
  readonly monitor?: ConnectionMonitor;
  /** No statement runs for so long, since the server ends it before. Absent: there is no bound. */
  readonly responseMsMax?: number;
}

/**
 * A connection on which nobody waits for a server that has gone silent: stopped, or behind a network that swallows what it
 * is given. Then it is destroyed, so that whoever waits is told at once, as of any other connection that is lost, and
 * nobody is given it again.
 */
export class MonitoredClient extends pg.Client {
  protected readonly socket: net.Socket;
  private readonly silence: ConnectionMonitor | null;
  private readonly responseMsMax: number;
  /** How many statements have no answer. */
  private pendingCount = 0;
  /** When the server was asked what it has not answered, or has answered last. */
  private since = performance.now();
  lastResponseAt = performance.now();
  private timer: NodeJS.Timeout | null = null;

  constructor({ monitor, responseMsMax = Number.POSITIVE_INFINITY, ...config }: MonitoredConfig = {}) {
    const socket = new net.Socket();
    super({ ...config, stream: () => socket });
    this.socket = socket;
    this.silence = monitor ?? null;
    this.responseMsMax = responseMsMax;
    const leave = monitor?.register(this);
    if (leave) socket.once('close', leave);
    const send = this.query.bind(this) as (...parts: unknown[]) => unknown;
    this.query = ((...parts: unknown[]) => this.watched(send, parts)) as typeof this.query;
  }

  /** Sends a statement, and notes when its answer is there; that is told to a callback, or else by a promise. */
  private watched(send: (...parts: unknown[]) => unknown, parts: unknown[]): unknown {
    const callback = parts.at(-1);
    if (typeof callback === 'function') {
      this.onQuery();
      return send(...parts.slice(0, -1), (...answer: unknown[]) => {
        this.onResponse();
        return callback(...answer);
      });
    }
    const answer = send(...parts);
    if (!(answer instanceof Promise)) return answer;
    this.onQuery();
    answer.then(this.onResponse, this.onResponse);
    return answer;
  }

  private onQuery(): void {
    if (this.pendingCount === 0) this.since = performance.now();
    this.pendingCount += 1;
    this.timer ??= this.scheduleCheck();
  }

  private readonly onResponse = (): void => {
    this.pendingCount -= 1;
    this.since = performance.now();
    this.lastResponseAt = this.since;
  };

  private scheduleCheck(): NodeJS.Timeout {
    return setTimeout(() => void this.check(), CHECK_AFTER_MS).unref();
  }

  /** Whoever waits for an answer is told that the connection is lost. */
  disconnect(): void {
    this.socket.destroy(responseTimeout());
  }

  private async check(): Promise<void> {
    if (await this.isUnresponsive()) this.disconnect();
    this.timer = this.pendingCount > 0 && !this.socket.destroyed ? this.scheduleCheck() : null;
  }

  /** A statement may take its time as long as the database answers others. */
  private async isUnresponsive(): Promise<boolean> {
    const { pendingCount, since } = this;
    const silentMs = performance.now() - since;
    if (pendingCount === 0 || silentMs < CHECK_AFTER_MS) return false;
    if (silentMs >= this.responseMsMax) return true;
    return !((await this.silence?.isAnswering(performance.now() - CHECK_AFTER_MS)) ?? true) && this.since === since;
  }
}
