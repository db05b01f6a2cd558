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
import { PlanProgress } from './plan-progress.tsx';
import { PlanView } from './plan-view.tsx';
import styles from './planned-change.module.css';
import { ReasonForm } from './reason-form.tsx';

export type { ChangesetOperations } from '../../data/plan.ts';

interface PlannedChangeProps {
  /** Keep the array while it does not change: each new array requests a new plan. */
  readonly operations: ChangesetOperations;
  readonly verb: string;
  readonly busyVerb: string;
  /** The message in the history if the user enters none. */
  readonly message: string;
  /** Where a created object gets its values, for example `inherited from default`. */
  readonly valuesFrom?: ReactNode;
  /** A button to leave without applying. */
  readonly aside?: ReactNode;
  /** Runs after the change was applied. All queries are refreshed without it. */
  onApplied(revision: number): void | Promise<void>;
}

interface ShownPlan {
  readonly operations: ChangesetOperations;
  readonly plan: ReviewedPlan;
}

/** The plan that was shown before the present one. */
interface SeenPlan {
  readonly plan: ReviewedPlan;
  /** Whether the core rejected it because the state has changed. */
  readonly isOvertaken: boolean;
}

/** Shows the plan of operations, and applies exactly that plan. */
export function PlannedChange(props: PlannedChangeProps) {
  const { operations, verb, busyVerb, valuesFrom, aside } = props;
  const {
    data: plan,
    error,
    isFetching,
    isPlaceholderData,
    refetch,
  } = useQuery({
    ...operationsPlanQuery(operations),
    // The reason that the user has typed stays while another plan is computed.
    placeholderData: keepPreviousData,
  });
  const [seen, setSeen] = useSeenPlan(operations, isPlaceholderData ? undefined : plan);
  const apply = useApply(props);
  if (!plan) return error ? <ErrorMessage error={error} reset={() => void refetch()} /> : <PlanProgress />;
  const isOld = isFetching || isPlaceholderData || error !== null;
  const refusals = plan.refusals.flatMap(fieldsOf);
  const submit = async (reason: AppliedReason): Promise<string | null> => {
    try {
      await apply(plan, reason);
    } catch (refusal) {
      if (!(refusal instanceof RefusedWrite)) throw refusal;
      if (!refusal.isOvertaken) return refusedWords(refusal);
      setSeen({ plan, isOvertaken: true });
      await refetch();
    }
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

/** Remembers the plan that the user saw before the present one, so that the difference can be shown. */
function useSeenPlan(operations: ChangesetOperations, plan: ReviewedPlan | undefined) {
  const [shown, setShown] = useState<ShownPlan | null>(null);
  const [seen, setSeen] = useState<SeenPlan | null>(null);
  if (plan && shown?.plan !== plan) {
    // The operations changed: by the user, or to expect what others have stored. A rejected plan showed no effects.
    if (shown && shown.operations !== operations && shown.plan.totals.refusals === 0) {
      setSeen({ plan: shown.plan, isOvertaken: false });
    }
    setShown({ operations, plan });
  }
  return [seen, setSeen] as const;
}

function useApply({ operations, message, onApplied }: PlannedChangeProps) {
  const client = useQueryClient();
  return async (plan: ReviewedPlan, reason: AppliedReason): Promise<void> => {
    const revision = await applyChangeset({
      operations,
      planHash: plan.planHash,
      message: reason.message || message,
      externalRef: reason.externalRef || null,
    });
    // Without this, the matrix would show the old values for a moment.
    client.removeQueries({ queryKey: matrixKeys.all, type: 'inactive' });
    void client.invalidateQueries({ predicate: ({ queryKey }) => !isKeyOf(queryKey, planKeys) });
    await onApplied(revision);
  };
}

/** Prefixes the name of the field to messages that say "this field". */
function wordsOf({ field, message }: ReturnType<typeof fieldsOf>[number]): string {
  const member = field.split('.').slice(2).join(' ').replaceAll('_', ' ');
  if (member === '' || !/\bthis field\b/i.test(message)) return message;
  return `${member.charAt(0).toUpperCase()}${member.slice(1)}: ${message}`;
}

/** Returns the messages of the fields if there are any, because they are more precise. */
const refusedWords = ({ message, places }: RefusedWrite): string =>
  places.length > 0 ? places.map((place) => place.message).join(' ') : message;
