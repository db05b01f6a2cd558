import type { Socket } from 'node:net';
import { MonitoredClient, type MonitoredConfig } from './monitored-client.ts';

/**
 * Each prepared statement stores a plan in PostgreSQL's memory. Callers who can vary a statement's text must not fill
 * that memory.
 */
const PREPARED_MAX = 250;

export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/**
 * A connection that prepares every statement with parameters once: PostgreSQL parses and plans it the first time and
 * only runs it afterwards. Statements sent in the same turn of the event loop travel in one packet: pg's pipeline mode
 * sends them without waiting, and the socket is corked until the end of the turn.
 */
export class PreparedClient extends MonitoredClient {
  private readonly names = new Map<string, string>();

  constructor(config: MonitoredConfig = {}) {
    super({ ...config, pipeline: true });
  }

  protected override prepared(parts: unknown[]): unknown[] {
    gather(this.socket);
    const [text, values, ...restParts] = parts;
    return typeof text === 'string' && Array.isArray(values) && values.length > 0
      ? [{ name: this.statementName(text), text, values }, ...restParts]
      : parts;
  }

  /** Returns undefined if too many statements are prepared. Further statements are planned each time. */
  private statementName(text: string): string | undefined {
    const existingName = this.names.get(text);
    if (existingName !== undefined || this.names.size >= PREPARED_MAX) return existingName;
    const name = `s${this.names.size}`;
    this.names.set(text, name);
    return name;
  }
}

/** Corks the socket until everything that is sent in this turn has been written. */
function gather(socket: Socket): void {
  if (socket.writableCorked > 0) return;
  socket.cork();
  process.nextTick(() => socket.uncork());
}
