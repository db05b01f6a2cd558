import type { DatabaseProbe } from './database-probe.ts';

/** A connection that the monitor can close. */
interface MonitoredConnection {
  /** The time of the server's last response, on this process's monotonic clock, in milliseconds. */
  readonly lastResponseAt: number;
  disconnect(): void;
}

/** Detects whether the database responds at all, for all connections of a process. */
export class ConnectionMonitor {
  private readonly connections = new Set<MonitoredConnection>();

  constructor(private readonly probe: DatabaseProbe) {}

  /** Returns a function that unregisters the connection. */
  register(connection: MonitoredConnection): () => void {
    this.connections.add(connection);
    return () => this.connections.delete(connection);
  }

  /**
   * Returns whether the database responds on a new connection. If not, it closes every connection without a response
   * since then, idle ones included. Otherwise later requests would discover one by one that those connections are dead.
   */
  async isAnswering(startedAt: number): Promise<boolean> {
    if (await this.probe.isAnswering()) return true;
    for (const connection of this.connections) if (connection.lastResponseAt <= startedAt) connection.disconnect();
    return false;
  }
}
