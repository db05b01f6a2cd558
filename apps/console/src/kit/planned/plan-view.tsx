import type { ReactNode } from 'react';
import type { ReviewDifference, ReviewedPlan } from '../../data/plan.ts';
import type { Drafts } from '../../lib/draft.ts';
import { roleWord } from '../../lib/role-word.ts';
import { NamesInSentence } from '../../ui/linked-names.tsx';
import { UserText } from '../../ui/user-text.tsx';
import { describeCellAccess } from './cell-access.ts';
import { EditGroups } from './edit-groups.tsx';
import { Effects } from './effects.tsx';
import styles from './plan-view.module.css';

interface PlanViewProps {
  readonly plan: ReviewedPlan;
  /** The drafts that the plan applies; null for other operations and for a revert. */
  readonly drafts: Drafts | null;
  /** The source of the first values of a new object, as in `inherited from default`. Undefined if nothing is created. */
  readonly valuesFrom?: ReactNode;
  readonly difference: ReviewDifference | null;
  /** The number of rejected drafts that the plan does not contain. */
  readonly uncounted?: number;
  /** Whether the effects of drafts are grouped by edit instead of by environment. */
  readonly isByEdit?: boolean;
  /** Links that change the grouping. */
  readonly grouping?: ReactNode;
  /** Whether the core rejected the previous plan as outdated. */
  readonly isOutdated?: boolean | undefined;
  /** Whether a newer plan is being computed. */
  readonly isOld: boolean;
}

/** Shows a plan that the core has computed. */
export function PlanView({
  plan,
  drafts,
  valuesFrom,
  difference,
  uncounted = 0,
  isByEdit = false,
  grouping,
  isOutdated = true,
  isOld,
}: PlanViewProps) {
  const { totals, effectiveChanges } = plan;
  const count = totals.effectiveChanges;
  const isBeginning = valuesFrom !== undefined;
  // If the core rejects an operation, it does not compute any effects.
  if (totals.rejectedOperations > 0 && count === 0) {
    return <p className={styles.note}>Fix the errors to see the full effect.</p>;
  }
  return (
    <section className={styles.plan} aria-labelledby="plan" data-old={isOld || undefined} aria-busy={isOld}>
      <h2 id="plan">{isBeginning ? <Beginning count={count} from={valuesFrom} /> : describeDifferences(count)}</h2>
      {uncounted > 0 && (
        <p className={styles.uncounted}>
          {uncounted === 1
            ? '1 draft is not counted, because it is rejected.'
            : `${uncounted} drafts are not counted, because they are rejected.`}
        </p>
      )}
      {difference && (isOutdated || difference.changed.size + difference.vanished.length > 0) && (
        <p className={styles.note} role="status">
          {isOutdated
            ? 'The plan changed before you applied it, so nothing was applied. Review the new plan; new entries are marked.'
            : 'The plan has changed. New entries are marked.'}
        </p>
      )}
      {count > 0 && grouping}
      {count > 0 && (
        <div className={styles.box}>
          {isByEdit && drafts ? (
            <EditGroups effects={effectiveChanges} total={count} {...{ drafts, difference }} />
          ) : (
            <Effects effects={effectiveChanges} total={count} {...{ drafts, difference, isBeginning }} />
          )}
        </div>
      )}
      <Notes plan={plan} />
    </section>
  );
}

const describeDifferences = (count: number): string =>
  count === 0
    ? 'No effective values change'
    : count === 1
      ? '1 effective value changes'
      : `${count.toLocaleString()} effective values change`;

function Beginning({ count, from }: { readonly count: number; readonly from: ReactNode }) {
  if (count === 0) return 'Starts without inherited values';
  return (
    <>
      Starts with {count === 1 ? 'one value' : `${count.toLocaleString()} values`}, {from}
    </>
  );
}

/** Lists further effects, and what the plan does not cover. */
function Notes({ plan }: { readonly plan: ReviewedPlan }) {
  const { totals, blockingReferences, expirations, access, accessCells, uncovered, webhooks, destinations, pushes } =
    plan;
  const forbiddenCount = totals.closedProjects + totals.closedEnvironments;
  return (
    <>
      <Note
        about="Values that reference deleted parameters"
        total={totals.blockingReferences + totals.closedReferences}
        lines={blockingReferences.map(({ projectName, text }) => `${text} (${projectName})`)}
      />
      <Note
        about="Expirations restarted"
        total={totals.expirations}
        lines={expirations.map(({ name, environmentName, expires }) => `${name} in ${environmentName}: ${expires}`)}
      />
      <Note
        about="Access changes"
        total={totals.access}
        lines={access.map(
          ({ person, scopeName, before, after }) =>
            `${person} in ${scopeName}: ${roleWord(before ?? 'none')} → ${roleWord(after ?? 'none')}`,
        )}
      />
      <Note about="Access to values" total={totals.accessCells} lines={accessCells.map(describeCellAccess)} />
      <Note about="Not checked" total={totals.uncovered} lines={uncovered.map(describeUncovered)} />
      {forbiddenCount > 0 && (
        <p className={styles.note}>More may change in {forbiddenCount} scopes you don’t have access to.</p>
      )}
      <p className={styles.note}>
        {totals.webhooks === 0 ? (
          'No webhook is notified.'
        ) : (
          <>
            {totals.webhooks === 1 ? 'Webhook' : 'Webhooks'}:{' '}
            <NamesInSentence rows={webhooks}>{(name) => <UserText>{name}</UserText>}</NamesInSentence>.
          </>
        )}
      </p>
      {totals.destinations > 0 && (
        <p className={styles.note}>
          {totals.destinations === 1 ? 'Destination' : 'Destinations'}:{' '}
          <NamesInSentence rows={destinations}>{(name) => <UserText>{name}</UserText>}</NamesInSentence>.
        </p>
      )}
      <Note
        about="Pushes that run"
        total={totals.pushes}
        lines={pushes.map(({ name, integrationName }) => `${name} to ${integrationName}`)}
      />
    </>
  );
}

const REASONS: Readonly<Record<string, string>> = {
  not_evaluated: 'can’t be resolved',
  template: 'template output is not compared',
  secret_not_judged: 'secret: validated when applied',
  forbidden: 'may depend on values you don’t have access to',
};

function describeUncovered({ reason, projectName, environmentName, name }: ReviewedPlan['uncovered'][number]): string {
  const location = [projectName, environmentName].filter(Boolean).join(' · ');
  return `${name}${location && ` (${location})`}: ${REASONS[reason] ?? reason}`;
}

interface NoteProps {
  readonly about: string;
  readonly total: number;
  readonly lines: readonly string[];
}

function Note({ about, total, lines }: NoteProps) {
  if (total === 0) return null;
  return (
    <details className={styles.details} open={total <= 5}>
      <summary>
        {about} <span>{total.toLocaleString()}</span>
      </summary>
      <ul>
        {lines.map((line) => (
          <li key={line}>
            <UserText>{line}</UserText>
          </li>
        ))}
        {lines.length < total && <li>and {(total - lines.length).toLocaleString()} more</li>}
      </ul>
    </details>
  );
}
