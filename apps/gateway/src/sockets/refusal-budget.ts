import { SOCKET_LIMITS } from './socket-limits.ts';

/** How many refused operations a socket may still send: some at once, and then one each second. */
export class RefusalBudget {
  private left: number = SOCKET_LIMITS.refusals;
  private at = performance.now();

  /** Whether there was one left. */
  spend(): boolean {
    const now = performance.now();
    this.left = Math.min(SOCKET_LIMITS.refusals, this.left + (now - this.at) / 1_000) - 1;
    this.at = now;
    return this.left >= 0;
  }
}
