import { SOCKET_LIMITS } from './socket-limits.ts';

/** The number of rejected operations that a socket may still send: a burst, then one per second. */
export class RejectionBudget {
  private left: number = SOCKET_LIMITS.rejections;
  private at = performance.now();

  /** Returns whether one was left. */
  spend(): boolean {
    const now = performance.now();
    this.left = Math.min(SOCKET_LIMITS.rejections, this.left + (now - this.at) / 1_000) - 1;
    this.at = now;
    return this.left >= 0;
  }
}
