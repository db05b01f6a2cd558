import button from '../../ui/button.module.css';
import { Dialog } from '../../ui/dialog.tsx';
import page from '../../ui/page.module.css';
import { UserText } from '../../ui/user-text.tsx';
import styles from './range-dialog.module.css';
import type { LeftOut, RangeEdits } from './range-edits.ts';

/** The edits that wait for a confirmation, because some cells are left out. */
export interface RangeProposal extends RangeEdits {
  readonly title: string;
}

interface RangeDialogProps extends RangeProposal {
  onAnswer(isAccepted: boolean): void;
}

/** The maximum number of cells that are named for each reason. */
const NAMED_MAX = 12;

/** Lists the cells that an action on a range leaves out, before the others become drafts. */
export function RangeDialog({ title, edits, leftOut, onAnswer }: RangeDialogProps) {
  const byReason = [...Map.groupBy(leftOut, ({ reason }) => reason)];
  const drafts = edits.length === 1 ? '1 cell' : `${edits.length.toLocaleString('en')} cells`;
  return (
    <Dialog title={title} onClose={() => onAnswer(false)}>
      <p>
        {edits.length === 0 ? 'No cell can be changed.' : `${drafts} can be changed.`} Left out:{' '}
        {leftOut.length.toLocaleString('en')}.
      </p>
      <dl className={styles.reasons}>
        {byReason.map(([reason, reasonCells]) => (
          <div key={reason}>
            <dt>
              <UserText>{reason}</UserText>{' '}
              <span className={styles.count}>{reasonCells.length.toLocaleString('en')}</span>
            </dt>
            <dd>
              <Cells leftOut={reasonCells} />
            </dd>
          </div>
        ))}
      </dl>
      <form
        className={page.buttons}
        onSubmit={(event) => {
          event.preventDefault();
          onAnswer(true);
        }}
      >
        {edits.length > 0 && (
          <button type="submit" className={button.main}>
            Draft {drafts}
          </button>
        )}
        <button type="button" className={button.quiet} onClick={() => onAnswer(false)}>
          {edits.length > 0 ? 'Cancel' : 'Close'}
        </button>
      </form>
    </Dialog>
  );
}

function Cells({ leftOut }: { readonly leftOut: readonly LeftOut[] }) {
  const named = leftOut.flatMap(({ cell }) => cell ?? []);
  if (named.length === 0) return null;
  const hidden = named.length - NAMED_MAX;
  return (
    <ul className={styles.cells}>
      {named.slice(0, NAMED_MAX).map(({ name, environmentName }) => (
        <li key={`${name} ${environmentName}`}>
          <code>
            <UserText>{name}</UserText>
          </code>{' '}
          in <UserText>{environmentName}</UserText>
        </li>
      ))}
      {hidden > 0 && <li>and {hidden.toLocaleString('en')} more</li>}
    </ul>
  );
}
