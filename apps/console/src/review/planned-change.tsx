import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Trouble } from '../app/trouble.tsx';
import { applyChangeset } from '../changesets/apply-changeset.ts';
import { RefusedWrite } from '../graphql/saved.ts';
import type { WhyApplied } from './apply-drafts.ts';
import { type ChangesetOperations, fieldsOf, operationsPlanQuery, planDifference, type ReviewedPlan } from './plan.ts';
import { PlanView } from './plan-view.tsx';
import styles from './planned-change.module.css';
import { Planning } from './planning.tsx';
import { WhyForm } from './why-form.tsx';

export type { ChangesetOperations } from './plan.ts';

interface PlannedChangeProps {
  /** What would be done. The same array for as long as it is the same: a new one is planned anew. */
  readonly operations: ChangesetOperations;
  readonly verb: string;
  readonly busyVerb: string;
  /** Said in the history where the person says nothing. */
  readonly message: string;
  /** Beside the button: how to leave without it. */
  readonly aside?: ReactNode;
  /** Everything that was read is read again by itself. */
  onApplied(revision: number): void | Promise<void>;
}

/** What operations would do, and that they are done: just what was shown, or nothing. */
export function PlannedChange({ operations, verb, busyVerb, message, aside, onApplied }: PlannedChangeProps) {
  const client = useQueryClient();
  const { data: plan, error, isFetching, refetch } = useQuery(operationsPlanQuery(operations));
  const [seen, setSeen] = useState<ReviewedPlan | null>(null);
  if (error) return <Trouble error={error} reset={() => void refetch()} />;
  if (!plan) return <Planning />;
  const refusals = plan.refusals.flatMap(fieldsOf);
  const submit = async (why: WhyApplied): Promise<string | null> => {
    let revision: number;
    try {
      revision = await applyChangeset({
        operations,
        planHash: plan.planHash,
        message: why.message || message,
        externalRef: why.externalRef || null,
      });
    } catch (refusal) {
      if (!(refusal instanceof RefusedWrite)) throw refusal;
      if (!refusal.isOvertaken) return refusedWords(refusal);
      setSeen(plan);
      await refetch();
      return null;
    }
    // Whoever goes back to the matrix does not see for a moment what was there before.
    client.removeQueries({ queryKey: ['matrix'], type: 'inactive' });
    void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'plan' });
    await onApplied(revision);
    return null;
  };
  return (
    <div className={styles.planned}>
      {refusals.length > 0 && (
        <div className={styles.refusals} role="alert">
          <p>This cannot be done as it is:</p>
          <ul>
            {refusals.map(({ field, message: words }) => (
              <li key={`${field} ${words}`}>{words}</li>
            ))}
          </ul>
        </div>
      )}
      <PlanView plan={plan} drafts={null} difference={seen ? planDifference(seen, plan) : null} isOld={isFetching} />
      <div className={styles.why}>
        <WhyForm
          verb={verb}
          busyVerb={busyVerb}
          isPossible={!isFetching && refusals.length === 0}
          blockedBy={null}
          submit={submit}
        >
          {aside}
        </WhyForm>
      </div>
    </div>
  );
}

/** The places of a refusal tell more than the whole. */
const refusedWords = ({ message, places }: RefusedWrite): string =>
  places.length > 0 ? places.map((place) => place.message).join(' ') : message;
