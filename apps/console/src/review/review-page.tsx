import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useDrafts } from '../drafts/drafts.ts';
import { tellRefusals } from '../drafts/refusals.ts';
import { useConflicts } from '../drafts/use-conflicts.ts';
import { Applied, type AppliedChange } from './applied.tsx';
import { ApplyForm } from './apply-form.tsx';
import { Conflicts } from './conflicts.tsx';
import { DraftList } from './draft-list.tsx';
import styles from './review-page.module.css';

/** All drafts of the person, what each replaces, what follows from them, and why they are made; applied together or not at all. */
export function ReviewPage() {
  const handle = useDrafts();
  const client = useQueryClient();
  const conflicts = useConflicts(handle);
  const [applied, setApplied] = useState<AppliedChange | null>(null);
  const { drafts } = handle;

  if (applied) return <Applied applied={applied} />;
  if (drafts.size === 0) return <Nothing />;
  return (
    <div className={styles.page}>
      <div className={styles.main}>
        <Conflicts handle={handle} conflicts={conflicts} />
        <DraftList handle={handle} />
      </div>
      <ApplyForm
        handle={handle}
        blockedBy={conflicts.size > 0 ? 'Decide about the conflicts first.' : null}
        onApplied={(change) => {
          setApplied(change);
          tellRefusals(new Map());
          handle.settle(change.keys);
          void client.invalidateQueries({ predicate: ({ queryKey }) => READ_AGAIN.includes(String(queryKey[0])) });
        }}
      />
    </div>
  );
}

/** What a changeset of values may have made another. */
const READ_AGAIN = ['matrix', 'explain', 'present'];

function Nothing() {
  return (
    <div className={styles.nothing}>
      <h2>Nothing to review</h2>
      <p>
        What you edit in the matrix of a project waits as drafts. Here you see what they would change before you apply
        them together, as one revision.
      </p>
      <Link to="/projects">Projects</Link>
    </div>
  );
}
