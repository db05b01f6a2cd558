import type { DatabaseProbe } from './database-probe.ts';

/** A connection that can be given up. */
interface MonitoredConnection {
  /** When the server said something last, in milliseconds of the process. */
  readonly lastResponseAt: number;
  disconnect(): void;
}

/** What the connections of a process find out together: whether the database answers at all. */
export class ConnectionMonitor {
  private readonly connections = new Set<MonitoredConnection>();

  constructor(private readonly probe: DatabaseProbe) {}

  /** Answers the way to leave. */
  register(connection: MonitoredConnection): () => void {
    this.connections.add(connection);
    return () => this.connections.delete(connection);
  }

  /**
   * Whether the database says anything to anybody. If not, every connection that was not heard since is given up, also those
   * that nobody uses: whoever comes after the silence would find out one by one that they are dead.
   */
  async isAnswering(since: number): Promise<boolean> {
    if (await this.probe.isAnswering()) return true;
    for (const connection of this.connections) if (connection.lastResponseAt <= since) connection.disconnect();
    return false;
  }
}
