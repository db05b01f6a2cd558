import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ChangesetOperations, PlannedChange } from '../review/planned-change.tsx';
import button from '../ui/button.module.css';
import page from '../ui/page.module.css';

interface ApplyMendsProps {
  readonly operations: ChangesetOperations;
  onLeave(): void;
}

/** What the chosen mends come to, and that they are done. */
export function ApplyMends({ operations, onLeave }: ApplyMendsProps) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const count = operations.length;
  return (
    <div className={page.page}>
      <h2>{count === 1 ? 'Apply one mend' : `Apply ${count} mends`}</h2>
      <PlannedChange
        operations={operations}
        verb={count === 1 ? 'Mend it' : 'Mend them'}
        busyVerb="Mending …"
        message="Mend what lint found"
        aside={
          <button type="button" className={button.quiet} onClick={onLeave}>
            Back to the findings
          </button>
        }
        onApplied={async (revision) => {
          client.removeQueries({ queryKey: ['lint'], type: 'inactive' });
          await navigate({ to: '/history/$revision', params: { revision: String(revision) } });
        }}
      />
    </div>
  );
}
