/** The counts of a rollout. */
export interface RolloutCounts {
  readonly revision: number;
  readonly total: number;
  readonly current: number;
  readonly rejected: number;
}

/** Describes how many instances run the configuration of a revision. */
export function rolloutText({ revision, total, current, rejected }: RolloutCounts): string {
  if (total === 1 && current === 1) return `1 instance runs revision ${revision}`;
  if (current === total) return `All ${total} instances run revision ${revision}`;
  const rejections = rejected === 0 ? '' : `, ${rejected} rejected it`;
  return `${current} of ${total} ${total === 1 ? 'instance runs' : 'instances run'} revision ${revision}${rejections}`;
}
