import type { Socket } from 'node:net';
import { MonitoredClient, type MonitoredConfig } from './monitored-client.ts';
import { SET_TOKEN, type TenantTokens } from './tenants.ts';

/**
 * Each prepared statement stores a plan in PostgreSQL's memory. Callers who can vary a statement's text must not fill
 * that memory.
 */
const PREPARED_MAX = 250;

export interface PreparedConfig extends MonitoredConfig {
  /** Without them, the session has no token, and no statement can use a table of tenants. */
  readonly tenantTokens?: TenantTokens;
}

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
  private readonly tenantTokens: TenantTokens | null;
  /** The token that the session has; null if it is unknown. */
  private token: string | null = null;
  private isInTransaction = false;
  /** A token that was set in a transaction ends with its rollback, also with one to a savepoint. */
  private isTokenOfTransaction = false;

  constructor({ tenantTokens, ...config }: PreparedConfig = {}) {
    super({ ...config, pipeline: true });
    this.tenantTokens = tenantTokens ?? null;
  }

  protected override prepared(parts: unknown[]): unknown[] {
    gather(this.socket);
    const [text, values, ...restParts] = parts;
    if (typeof text === 'string') this.sendToken(text);
    return typeof text === 'string' && Array.isArray(values) && values.length > 0
      ? [{ name: this.statementName(text), text, values }, ...restParts]
      : parts;
  }

  /** Sends the token of the organizations that this work may use, in the packet of the statement, if the session has another one. */
  private sendToken(text: string): void {
    if (!this.tenantTokens || text === SET_TOKEN) return;
    const token = this.tenantTokens.current();
    if (token !== null && token !== this.token) {
      this.token = token;
      this.isTokenOfTransaction = this.isInTransaction;
      // If it fails, the statement fails, too.
      this.query(SET_TOKEN, [token]).catch(() => undefined);
    }
    const [, word] = TRANSACTION.exec(text) ?? [];
    if (word === undefined) return;
    if (word !== 'begin' && this.isTokenOfTransaction) this.token = null;
    this.isInTransaction = word === 'begin' || text.startsWith('rollback to');
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

const TRANSACTION = /^(begin|commit|rollback)\b/;

/** Corks the socket until everything that is sent in this turn has been written. */
function gather(socket: Socket): void {
  if (socket.writableCorked > 0) return;
  socket.cork();
  process.nextTick(() => socket.uncork());
}
