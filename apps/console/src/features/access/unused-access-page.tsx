import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useAbility } from '../../data/abilities.ts';
import type { ChangesetOperations } from '../../data/plan.ts';
import { type UnusedRight, unusedAccessQuery } from '../../data/unused-access.ts';
import { PlannedChange } from '../../kit/planned/planned-change.tsx';
import { roleWord } from '../../lib/role-word.ts';
import button from '../../ui/button.module.css';
import { CheckList } from '../../ui/check-list.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Empty } from '../../ui/empty.tsx';
import { ListPage } from '../../ui/list-page.tsx';
import page from '../../ui/page.module.css';
import { AccessPage } from './access-page.tsx';

/** Lists rights that were not used for 90 days, and removes those that the user selects. */
export function UnusedAccessPage() {
  const mayRead = useAbility('manage_grants');
  return (
    <AccessPage>
      {mayRead ? (
        <UnusedRights />
      ) : (
        <p className={page.note}>Only admins and owners can see which rights were not used.</p>
      )}
    </AccessPage>
  );
}

function UnusedRights() {
  const unusedRights = useQuery(unusedAccessQuery);
  const [excludedIds, setExcludedIds] = useState<ReadonlySet<string>>(new Set());
  const [isReviewing, setIsReviewing] = useState(false);
  const rows = unusedRights.data ?? [];
  const chosenRows = rows.filter(({ id }) => !excludedIds.has(id));
  const toggle = (id: string) => {
    const ids = new Set(excludedIds);
    if (!ids.delete(id)) ids.add(id);
    setExcludedIds(ids);
  };
  return (
    <ListPage
      label="Unused access"
      query={unusedRights}
      about="Rights that were not used in the last 90 days. Select the ones to remove. Reads of people are not recorded, so only grants to service accounts are proposed for removal."
      action={
        <button
          type="button"
          className={button.main}
          disabled={chosenRows.length === 0}
          onClick={() => setIsReviewing(true)}
        >
          Review changes
        </button>
      }
      empty={
        <Empty title="No unused access">
          <p>All rights that are older than 90 days were used in this time.</p>
        </Empty>
      }
    >
      {() => (
        <>
          <CheckList
            name="rights"
            legend="Rights to remove"
            items={rows.map((row) => ({ id: row.id, name: describeRight(row) }))}
            checked={new Set(chosenRows.map(({ id }) => id))}
            toggle={toggle}
          />
          {isReviewing && <ReviewDialog rows={chosenRows} onClose={() => setIsReviewing(false)} />}
        </>
      )}
    </ListPage>
  );
}

interface ReviewDialogProps {
  readonly rows: readonly UnusedRight[];
  onClose(): void;
}

function ReviewDialog({ rows, onClose }: ReviewDialogProps) {
  const operations = useMemo(() => rows.map(({ operation }) => operation) as ChangesetOperations, [rows]);
  return (
    <Dialog title="Review changes" onClose={onClose}>
      <PlannedChange
        operations={operations}
        verb="Remove unused access"
        busyVerb="Removing …"
        isDestructive
        message="Remove unused rights"
        onApplied={onClose}
      />
    </Dialog>
  );
}

/** Describes a right and its change, as in "ci: remove the grant contributor in shop". */
function describeRight({ right, principalName, scopeName, role }: UnusedRight): string {
  switch (right) {
    case 'grant':
      return `${principalName}: remove the grant ${roleWord(role)} in ${scopeName}`;
    case 'grant_write':
      return `${principalName}: lower the grant in ${scopeName} from ${roleWord(role)} to viewer`;
    case 'role_write':
      return `${principalName}: lower the role in the organization from ${roleWord(role)} to viewer`;
    case 'reveal':
      return `${principalName}: remove the ability to reveal secrets`;
  }
}
