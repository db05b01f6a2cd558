import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { AppliedReason } from '../../data/changesets.ts';
import { applyChangeset } from '../../data/changesets.ts';
import { matrixKeys } from '../../data/matrix.ts';
import {
  type ChangesetOperations,
  listErrors,
  operationsPlanQuery,
  planDifference,
  planKeys,
  type ReviewedPlan,
} from '../../data/plan.ts';
import { isKeyOf } from '../../data/query-keys.ts';
import { type DeletedObject, isLargeDeletion } from '../../lib/large-deletion.ts';
import { describeEntry } from '../../lib/operation-error.ts';
import { WriteError } from '../../lib/request-error.ts';
import { ErrorMessage } from '../../ui/error-message.tsx';
import { useStableValue } from '../../ui/use-unchanged.ts';
import { UserText } from '../../ui/user-text.tsx';
import { PlanProgress } from './plan-progress.tsx';
import { PlanView } from './plan-view.tsx';
import styles from './planned-change.module.css';
import { ReasonForm } from './reason-form.tsx';

export type { ChangesetOperations } from '../../data/plan.ts';

interface PlannedChangeProps {
  /** The operations. They are planned again if they change. */
  readonly operations: ChangesetOperations;
  readonly verb: string;
  readonly busyVerb: string;
  /** The message in the history unless the user enters another one. */
  readonly message: string;
  /** The object that the change deletes. */
  readonly deletes?: DeletedObject;
  /** Whether the change ends something without deleting an object. */
  readonly isDestructive?: boolean;
  /** The source of the first values of a new object, as in `inherited from default`. */
  readonly valuesFrom?: ReactNode;
  /** A button that leaves without applying the change. */
  readonly aside?: ReactNode;
  /** Called after the change was applied. The component itself refreshes all queries. */
  onApplied(revision: number): void | Promise<void>;
}

interface ShownPlan {
  readonly operations: ChangesetOperations;
  readonly plan: ReviewedPlan;
}

/** The previously shown plan. */
interface SeenPlan {
  readonly plan: ReviewedPlan;
  /** Whether the core rejected the plan because it was outdated. */
  readonly isOutdated: boolean;
}

/** Shows the plan of operations, and applies exactly that plan. */
export function PlannedChange({ operations: latest, ...rest }: PlannedChangeProps) {
  const props = { ...rest, operations: useStableValue(latest) };
  const { operations, verb, busyVerb, deletes, isDestructive = deletes !== undefined, valuesFrom, aside } = props;
  const {
    data: plan,
    error,
    isFetching,
    isPlaceholderData,
    refetch,
  } = useQuery({
    ...operationsPlanQuery(operations),
    // Keeps the form, and the message that the user has typed, while another plan is computed.
    placeholderData: keepPreviousData,
  });
  const [seenPlan, setSeenPlan] = useSeenPlan(operations, isPlaceholderData ? undefined : plan);
  const apply = useApply(props);
  if (!plan) return error ? <ErrorMessage error={error} reset={() => void refetch()} /> : <PlanProgress />;
  const isOld = isFetching || isPlaceholderData || error !== null;
  const rejections = plan.rejectedOperations.flatMap(listErrors);
  const submit = async (reason: AppliedReason): Promise<string | null> => {
    try {
      await apply(plan, reason);
    } catch (error) {
      if (!(error instanceof WriteError)) throw error;
      if (!error.isOutdated) return describeRejection(error);
      setSeenPlan({ plan, isOutdated: true });
      await refetch();
    }
    return null;
  };
  return (
    <div className={styles.planned}>
      {rejections.length > 0 && (
        <div className={styles.rejections} role="alert">
          <p>This can’t be applied:</p>
          <ul>
            {rejections.map((entry) => (
              <li key={`${entry.pointer} ${entry.detail}`}>
                <UserText>{describeEntry(entry)}</UserText>
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
        difference={seenPlan && !isOld ? planDifference(seenPlan.plan, plan) : null}
        isOutdated={seenPlan?.isOutdated}
        isOld={isOld}
      />
      <div className={styles.why}>
        <ReasonForm
          verb={verb}
          busyVerb={busyVerb}
          isPossible={!isOld && rejections.length === 0}
          blockedBy={null}
          isDestructive={isDestructive}
          confirmedName={deletes && isLargeDeletion(deletes, plan.totals) ? deletes.name : null}
          submit={submit}
        >
          {aside}
        </ReasonForm>
      </div>
    </div>
  );
}

/** Remembers the previously shown plan, so that the differences can be shown. */
function useSeenPlan(operations: ChangesetOperations, plan: ReviewedPlan | undefined) {
  const [shownPlan, setShown] = useState<ShownPlan | null>(null);
  const [seenPlan, setSeenPlan] = useState<SeenPlan | null>(null);
  if (plan && shownPlan?.plan !== plan) {
    // The operations changed, either by the user or to expect a newer version. A rejected plan is ignored, because it showed no effects.
    if (shownPlan && shownPlan.operations !== operations && shownPlan.plan.totals.rejectedOperations === 0) {
      setSeenPlan({ plan: shownPlan.plan, isOutdated: false });
    }
    setShown({ operations, plan });
  }
  return [seenPlan, setSeenPlan] as const;
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
    // Removes cached rows, so that the matrix does not show the old values for a moment.
    client.removeQueries({ queryKey: matrixKeys.all, type: 'inactive' });
    void client.invalidateQueries({ predicate: ({ queryKey }) => !isKeyOf(queryKey, planKeys) });
    await onApplied(revision);
  };
}

/** Returns the messages of the fields, which are more precise, or else the general message. */
const describeRejection = ({ message, fieldErrors }: WriteError): string =>
  fieldErrors.length > 0 ? fieldErrors.map((fieldError) => fieldError.message).join(' ') : message;
