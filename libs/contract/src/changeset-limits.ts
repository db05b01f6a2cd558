/** The limits of one changeset. Other writers wait for a changeset, so it must not take long. */
export const CHANGESET_LIMITS = {
  operations: 1_000,
  names: 5_000,
  message: 1_000,
  externalRef: 256,
  reference: 64,
  planHash: 256,
  /** The maximum size of the request body. */
  bytes: 8 * 1_048_576,
  /** The maximum number of changes in one response. The totals count all changes. */
  shownChanges: 1_000,
  /** The maximum number of changes per row of a list. */
  shownChangesInLists: 50,
  /** The maximum number of entries of each kind in a plan. The totals count all entries. */
  shownInPlans: 1_000,
} as const;

export const NOT_NEGATIVE = 'Ensure this value is greater than or equal to 0.';
