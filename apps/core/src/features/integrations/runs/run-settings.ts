/** Intervals in milliseconds, and limits. Tests change them through dependency injection. */
export class RunSettings {
  /** The duration of a lease, after which another process takes over. A running process renews it. */
  readonly leaseMs: number = 60_000;
  /** The interval at which tasks that a crashed process left, and due checks, are searched for. */
  readonly sweepMs: number = 5_000;
  /** The interval at which external values are read again. */
  readonly externalReadMs: number = 300_000;
  /** The time without a successful read after which external values are marked as possibly outdated. */
  readonly externalAgeMs: number = 900_000;
  /** The interval at which a rotation checks whether the previous credential may be revoked. */
  readonly rotationCheckMs: number = 15_000;
  /** The factor of the retry schedule. 1 is the documented schedule. */
  readonly retryScale: number = 1;
}
