/** The counts of a rollout. */
export interface RolloutCounts {
  readonly revision: number;
  readonly total: number;
  readonly current: number;
  readonly refused: number;
}

/** Describes how many instances run the configuration of a revision. */
export function rolloutText({ revision, total, current, refused }: RolloutCounts): string {
  if (total === 1 && current === 1) return `1 instance runs revision ${revision}`;
  if (current === total) return `All ${total} instances run revision ${revision}`;
  const refusals = refused === 0 ? '' : `, ${refused} rejected it`;
  return `${current} of ${total} ${total === 1 ? 'instance runs' : 'instances run'} revision ${revision}${refusals}`;
}
