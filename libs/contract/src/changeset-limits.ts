/** What one changeset may hold; it protects everybody else who waits to write. */
export const CHANGESET_LIMITS = {
  operations: 1_000,
  names: 5_000,
  message: 1_000,
  externalRef: 256,
  reference: 64,
  planHash: 256,
  /** Of the whole body. */
  bytes: 8 * 1_048_576,
  /** Changes that one answer shows; how many there are is told exactly. */
  shownChanges: 1_000,
  /** The same for each row of a list. */
  shownChangesInLists: 50,
  /** Entries of each kind that a plan shows; how many there are is told exactly. */
  shownInPlans: 1_000,
} as const;

export const NOT_NEGATIVE = 'Ensure this value is greater than or equal to 0.';
