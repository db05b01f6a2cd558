/** The limits of one changeset. They protect other writers, which wait for it. */
export const CHANGESET_LIMITS = {
  operations: 1_000,
  names: 5_000,
  message: 1_000,
  externalRef: 256,
  reference: 64,
  planHash: 256,
  /** The maximum size of the request body. */
  bytes: 8 * 1_048_576,
  /** The maximum number of changes in one response. Totals are exact. */
  shownChanges: 1_000,
  /** The maximum number of changes per row of a list. */
  shownChangesInLists: 50,
  /** The maximum number of entries of each kind in a plan. Totals are exact. */
  shownInPlans: 1_000,
} as const;

export const NOT_NEGATIVE = 'Ensure this value is greater than or equal to 0.';
