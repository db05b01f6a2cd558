import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ChangesetOperations, listErrors, operationsPlanQuery } from '../../data/plan.ts';
import page from '../../ui/page.module.css';
import { useStableValue } from '../../ui/use-unchanged.ts';
import { UserText } from '../../ui/user-text.tsx';
import { describeCellAccess } from './cell-access.ts';

const SHOWN_MAX = 8;

interface AccessPreviewProps {
  /** The change of access. Without operations, nothing is planned. */
  readonly operations: ChangesetOperations;
}

/** Lists who would gain or lose access to which values, before a change of access is saved. */
export function AccessPreview({ operations: latest }: AccessPreviewProps) {
  const operations = useStableValue(latest);
  const { data: plan, error } = useQuery({
    ...operationsPlanQuery(operations),
    enabled: operations.length > 0,
    placeholderData: keepPreviousData,
  });
  // Saving reports the same error.
  if (operations.length === 0 || error || plan?.rejectedOperations.flatMap(listErrors).length) return null;
  if (!plan) return <p className={page.note}>Comparing access …</p>;
  const { accessCells, totals } = plan;
  if (accessCells.length === 0) return <p className={page.note}>No member gains or loses access to values.</p>;
  const hiddenCount = totals.accessCells - Math.min(accessCells.length, SHOWN_MAX);
  return (
    <section aria-label="Access to values" aria-live="polite">
      <ul className={page.note}>
        {accessCells.slice(0, SHOWN_MAX).map((access) => (
          <li key={`${access.person} ${access.action} ${access.gained}`}>
            <UserText>{describeCellAccess(access)}</UserText>
          </li>
        ))}
        {hiddenCount > 0 && <li>{hiddenCount} more</li>}
      </ul>
    </section>
  );
}
