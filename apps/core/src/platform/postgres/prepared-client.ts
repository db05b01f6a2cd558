import type { Socket } from 'node:net';
import { MonitoredClient, type MonitoredConfig } from './monitored-client.ts';

/** A prepared statement keeps its plan in PostgreSQL's memory; what a caller can vary at will must not fill that. */
const PREPARED_MAX = 250;

export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/**
 * A connection on which every statement with parameters is prepared once: parsed and planned the first time, only run
 * from then on, whoever sends it. Statements that nobody waits for in between travel together: pg's pipeline mode sends them
 * without waiting, and the socket is corked until the end of the turn, so that they leave as one packet.
 */
export class PreparedClient extends MonitoredClient {
  private readonly names = new Map<string, string>();

  constructor(config: MonitoredConfig = {}) {
    super({ ...config, pipeline: true });
    const send = this.query.bind(this) as (...parts: unknown[]) => unknown;
    this.query = ((question: unknown, values: unknown, ...rest: unknown[]) => {
      gather(this.socket);
      return typeof question === 'string' && Array.isArray(values) && values.length > 0
        ? send({ name: this.nameOf(question), text: question, values }, ...rest)
        : send(question, values, ...rest);
    }) as typeof this.query;
  }

  /** Undefined once there are too many: those are planned each time. */
  private nameOf(text: string): string | undefined {
    const known = this.names.get(text);
    if (known !== undefined || this.names.size >= PREPARED_MAX) return known;
    const name = `s${this.names.size}`;
    this.names.set(text, name);
    return name;
  }
}

/** Holds back what is written until everything that is sent in this turn is there. */
function gather(socket: Socket): void {
  if (socket.writableCorked > 0) return;
  socket.cork();
  process.nextTick(() => socket.uncork());
}
