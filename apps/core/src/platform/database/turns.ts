import { Failure, type OrganizationId } from '@strata/domain';

/** More writers than this waiting for one organization cannot be served before their clients give up. */
const WAITING_MAX = 500;

/**
 * Writers of one organization wait for each other in memory, so that of one organization at most one holds a database
 * connection. The head row decides between processes; this only keeps one busy tenant from taking the pool.
 */
export class Turns {
  private readonly queues = new Map<OrganizationId, (() => void)[]>();

  /** Resolves when it is this writer's turn, to the function that ends it. */
  async take(organizationId: OrganizationId): Promise<() => void> {
    const queue = this.queues.get(organizationId);
    if (!queue) this.queues.set(organizationId, []);
    else if (queue.length >= WAITING_MAX) {
      throw new Failure(
        'unavailable',
        'contention',
        'Too many changes at once. Nothing was stored; try again in a moment.',
        'detail',
        [],
        1,
      );
    } else await new Promise<void>((resolve) => queue.push(resolve));
    return () => this.next(organizationId);
  }

  private next(organizationId: OrganizationId): void {
    const following = this.queues.get(organizationId)?.shift();
    if (following) following();
    else this.queues.delete(organizationId);
  }
}
