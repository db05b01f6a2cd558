import type { DatabaseProbe } from './database-probe.ts';

/** A connection that can be given up. */
interface Bounded {
  /** When the server said something last, in milliseconds of the process. */
  readonly heardAt: number;
  cut(): void;
}

/** What the connections of a process find out together: whether the database answers at all. */
export class Silence {
  private readonly connections = new Set<Bounded>();

  constructor(private readonly probe: DatabaseProbe) {}

  /** Answers the way to leave. */
  join(connection: Bounded): () => void {
    this.connections.add(connection);
    return () => this.connections.delete(connection);
  }

  /**
   * Whether the database says anything to anybody. If not, every connection that was not heard since is given up, also those
   * that nobody uses: whoever comes after the silence would find out one by one that they are dead.
   */
  async isAnswering(since: number): Promise<boolean> {
    if (await this.probe.isAnswering()) return true;
    for (const connection of this.connections) if (connection.heardAt <= since) connection.cut();
    return false;
  }
}
