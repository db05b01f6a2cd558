import net from 'node:net';
import pg from 'pg';
import { coreObserver } from '../observer.ts';
import { afterRunning, RunningTime } from '../running-time.ts';
import type { ConnectionMonitor } from './connection-monitor.ts';
import { isUnreplicatedCommit, responseTimeoutError, unreplicatedCommitError } from './constraints.ts';

/**
 * Responses arrive within milliseconds. After this time without one, the client checks whether the database responds at
 * all.
 */
const CHECK_AFTER_MS = 1_000;

/** Further options: the pool passes its own options to each of its connections. */
export interface MonitoredConfig extends pg.ClientConfig {
  /** Without a monitor, only `responseMsMax` limits the wait. */
  readonly monitor?: ConnectionMonitor;
  /** The server ends every statement before this time. Without it, there is no limit. */
  readonly responseMsMax?: number;
}

/**
 * A connection that detects a server that stopped responding, for example behind a network that drops packets. It
 * destroys itself then. Waiting statements fail at once as for any lost connection, and the pool does not use the
 * connection again.
 */
export class MonitoredClient extends pg.Client {
  protected readonly socket: net.Socket;
  private readonly connectionMonitor: ConnectionMonitor | null;
  private readonly responseMsMax: number;
  /** The number of statements without a response. */
  private pendingCount = 0;
  /** Since the oldest pending statement was sent, or the last response arrived. */
  private silence = new RunningTime();
  lastResponseAt = performance.now();
  private isCheckScheduled = false;
  /** Set when the server no longer waits for the standbys. The response to that statement follows the notice. */
  private unreplicatedCommit: Error | null = null;

  constructor({ monitor, responseMsMax = Number.POSITIVE_INFINITY, ...config }: MonitoredConfig = {}) {
    const socket = new net.Socket();
    super({ ...config, stream: () => socket });
    this.socket = socket;
    this.connectionMonitor = monitor ?? null;
    this.responseMsMax = responseMsMax;
    const leave = monitor?.register(this);
    if (leave) socket.once('close', leave);
    this.on('notice', (notice) => {
      if (isUnreplicatedCommit(notice)) this.unreplicatedCommit = unreplicatedCommitError();
    });
    const send = this.query.bind(this) as (...parts: unknown[]) => unknown;
    // Replaces a method of `pg`; no other code does. The types of `pg` do not allow a subclass to override the
    // overloads of `query`.
    this.query = ((...parts: unknown[]) => this.watched(send, this.prepared(parts))) as typeof this.query;
  }

  /** Returns the arguments of `query` as they are sent. Subclasses may change them. */
  protected prepared(parts: unknown[]): unknown[] {
    return parts;
  }

  /** Sends a statement, and records when its response arrives, through its callback or its promise. */
  private watched(send: (...parts: unknown[]) => unknown, parts: unknown[]): unknown {
    const callback = parts.at(-1);
    const onEnd = coreObserver?.statement(readText(parts[0]));
    if (typeof callback === 'function') {
      this.onQuery();
      return send(...parts.slice(0, -1), (error: unknown, ...answer: unknown[]) => {
        const failure = error ?? this.unreplicatedCommit;
        this.onResponse(failure, onEnd);
        return callback(failure, ...answer);
      });
    }
    const result = send(...parts);
    if (!(result instanceof Promise)) return result;
    this.onQuery();
    const checkedResult = result.then((answer: unknown) => {
      if (this.unreplicatedCommit) throw this.unreplicatedCommit;
      return answer;
    });
    checkedResult.then(
      () => this.onResponse(null, onEnd),
      (error: unknown) => this.onResponse(error, onEnd),
    );
    return checkedResult;
  }

  private onQuery(): void {
    if (this.pendingCount === 0) this.silence = new RunningTime();
    this.pendingCount += 1;
    this.scheduleCheck();
  }

  private onResponse(error: unknown, onEnd: ((error: unknown) => void) | undefined): void {
    this.pendingCount -= 1;
    this.silence = new RunningTime();
    this.lastResponseAt = performance.now();
    onEnd?.(error);
    if (this.unreplicatedCommit) this.socket.destroy(this.unreplicatedCommit);
  }

  private scheduleCheck(): void {
    if (this.isCheckScheduled) return;
    this.isCheckScheduled = true;
    afterRunning(CHECK_AFTER_MS, () => void this.check());
  }

  /** Fails all waiting statements with a lost connection. */
  disconnect(): void {
    this.socket.destroy(responseTimeoutError());
  }

  private async check(): Promise<void> {
    if (await this.isUnresponsive()) this.disconnect();
    this.isCheckScheduled = false;
    if (this.pendingCount > 0 && !this.socket.destroyed) this.scheduleCheck();
  }

  /** A statement may take long as long as the database responds on another connection. */
  private async isUnresponsive(): Promise<boolean> {
    const { pendingCount, silence } = this;
    if (pendingCount === 0 || silence.remainingMs(CHECK_AFTER_MS) > 0) return false;
    if (silence.remainingMs(this.responseMsMax) === 0) return true;
    const isAnswering = (await this.connectionMonitor?.isAnswering(performance.now() - CHECK_AFTER_MS)) ?? true;
    return !isAnswering && this.silence === silence;
  }
}

/** Returns the text of a statement. Its parameters are never observed. */
function readText(statement: unknown): string {
  if (typeof statement === 'string') return statement;
  return (statement as { readonly text?: string } | undefined)?.text ?? '';
}
