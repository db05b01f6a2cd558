import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { AppliedReason } from '../../data/changesets.ts';
import { applyChangeset } from '../../data/changesets.ts';
import { matrixKeys } from '../../data/matrix.ts';
import {
  type ChangesetOperations,
  fieldsOf,
  operationsPlanQuery,
  planDifference,
  planKeys,
  type ReviewedPlan,
} from '../../data/plan.ts';
import { isKeyOf } from '../../data/query-keys.ts';
import { RefusedWrite } from '../../lib/refused.ts';
import { ErrorMessage } from '../../ui/error-message.tsx';
import { UserText } from '../../ui/user-text.tsx';
import { PlanView } from './plan-view.tsx';
import styles from './planned-change.module.css';
import { Planning } from './planning.tsx';
import { ReasonForm } from './reason-form.tsx';

export type { ChangesetOperations } from '../../data/plan.ts';

interface PlannedChangeProps {
  /** What would be done. The same array for as long as it is the same: a new one is planned anew. */
  readonly operations: ChangesetOperations;
  readonly verb: string;
  readonly busyVerb: string;
  /** Said in the history where the person says nothing. */
  readonly message: string;
  /** Where something new has its first values from: `inherited from default`. Undefined where nothing is made. */
  readonly valuesFrom?: ReactNode;
  /** Beside the button: how to leave without it. */
  readonly aside?: ReactNode;
  /** Everything that was read is read again by itself. */
  onApplied(revision: number): void | Promise<void>;
}

interface ShownPlan {
  readonly operations: ChangesetOperations;
  readonly plan: ReviewedPlan;
}

/** The plan before the one that is shown. */
interface SeenPlan {
  readonly plan: ReviewedPlan;
  /** Whether it was to be applied, and did not hold any more. */
  readonly isOvertaken: boolean;
}

/** What operations would do, and that they are done: just what was shown, or nothing. */
export function PlannedChange(props: PlannedChangeProps) {
  const { operations, verb, busyVerb, message, valuesFrom, aside, onApplied } = props;
  const client = useQueryClient();
  const {
    data: plan,
    error,
    isFetching,
    isPlaceholderData,
    refetch,
  } = useQuery({
    ...operationsPlanQuery(operations),
    // What is typed below a plan stays while another one is made.
    placeholderData: keepPreviousData,
  });
  const [shown, setShown] = useState<ShownPlan | null>(null);
  const [seen, setSeen] = useState<SeenPlan | null>(null);
  if (plan && !isPlaceholderData && shown?.plan !== plan) {
    // Others have changed what the operations expect, or the person what they are. Of a refused plan nothing was seen.
    if (shown && shown.operations !== operations && shown.plan.totals.refusals === 0) {
      setSeen({ plan: shown.plan, isOvertaken: false });
    }
    setShown({ operations, plan });
  }
  if (!plan) return error ? <ErrorMessage error={error} reset={() => void refetch()} /> : <Planning />;
  const isOld = isFetching || isPlaceholderData || error !== null;
  const refusals = plan.refusals.flatMap(fieldsOf);
  const submit = async (why: AppliedReason): Promise<string | null> => {
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
      setSeen({ plan, isOvertaken: true });
      await refetch();
      return null;
    }
    // Whoever goes back to the matrix does not see for a moment what was there before.
    client.removeQueries({ queryKey: matrixKeys.all, type: 'inactive' });
    void client.invalidateQueries({ predicate: ({ queryKey }) => !isKeyOf(queryKey, planKeys) });
    await onApplied(revision);
    return null;
  };
  return (
    <div className={styles.planned}>
      {refusals.length > 0 && (
        <div className={styles.refusals} role="alert">
          <p>This can’t be applied:</p>
          <ul>
            {refusals.map((refusal) => (
              <li key={`${refusal.field} ${refusal.message}`}>
                <UserText>{wordsOf(refusal)}</UserText>
              </li>
            ))}
          </ul>
        </div>
      )}
      {error && <ErrorMessage error={error} reset={() => void refetch()} />}
      <PlanView
        plan={plan}
        drafts={null}
        valuesFrom={valuesFrom}
        difference={seen && !isOld ? planDifference(seen.plan, plan) : null}
        isOvertaken={seen?.isOvertaken}
        isOld={isOld}
      />
      <div className={styles.why}>
        <ReasonForm
          verb={verb}
          busyVerb={busyVerb}
          isPossible={!isOld && refusals.length === 0}
          blockedBy={null}
          submit={submit}
        >
          {aside}
        </ReasonForm>
      </div>
    </div>
  );
}

/** What is wrong with a member says "this field", which has to be told where it does not stand beside it. */
function wordsOf({ field, message }: ReturnType<typeof fieldsOf>[number]): string {
  const member = field.split('.').slice(2).join(' ').replaceAll('_', ' ');
  if (member === '' || !/\bthis field\b/i.test(message)) return message;
  return `${member.charAt(0).toUpperCase()}${member.slice(1)}: ${message}`;
}

/** The places of a refusal tell more than the whole. */
const refusedWords = ({ message, places }: RefusedWrite): string =>
  places.length > 0 ? places.map((place) => place.message).join(' ') : message;
