import type { PushDetails } from '../../data/integrations.ts';
import { formatCount } from '../../lib/format-count.ts';
import button from '../../ui/button.module.css';
import objects from '../../ui/objects.module.css';
import { describeBlockedKeys, describePlan } from './integration-words.ts';

interface PushPlanProps {
  readonly push: PushDetails;
  /** The number of decisions that the user has made below. */
  readonly decisionCount: number;
  /** The kind of run that the user has just started. */
  readonly started: 'plan' | 'run' | null;
  /** Approves the plan; absent if the user may not, or if a run has not ended. */
  approve?(planHash: string): void;
}

/** Shows what the next run does, and lets the user approve it if the push waits for that. */
export function PushPlan({ push: { plan, latestTask }, decisionCount, started, approve }: PushPlanProps) {
  if (plan === null || latestTask === null) return null;
  const { waitsForApproval, hidden, hash } = plan;
  const blocked = describeBlockedKeys(plan);
  if (!waitsForApproval && started === null && blocked === null) return null;
  return (
    <div className={waitsForApproval ? objects.waiting : objects.done} role="status">
      <p>
        <b>{waitsForApproval ? 'The plan waits for approval.' : 'The plan.'}</b> {describePlan(plan)}.
      </p>
      {blocked !== null && <p>Not changed without your decision below: {blocked}.</p>}
      {hidden > 0 && <p>{formatCount(hidden, 'key')} of it cannot be shown to you.</p>}
      {waitsForApproval && approve && (
        <button type="button" className={button.main} onClick={() => approve(hash)}>
          {decisionCount === 0 ? 'Approve and run' : `Approve and run with ${formatCount(decisionCount, 'decision')}`}
        </button>
      )}
    </div>
  );
}
