import type { ReactNode } from 'react';
import button from './button.module.css';
import { Dialog } from './dialog.tsx';
import page from './page.module.css';

interface LeaveDialogProps {
  readonly title: string;
  /** A description of what would be lost. */
  readonly children: ReactNode;
  /** The label of the button that leaves the page. */
  readonly verb?: string;
  onLeave(): void;
  onStay(): void;
}

/** A dialog that requires a confirmation before the user leaves a page with unsaved input. */
export function LeaveDialog({ title, children, verb = 'Leave and discard', onLeave, onStay }: LeaveDialogProps) {
  return (
    <Dialog title={title} onClose={onStay}>
      <p>{children}</p>
      <div className={page.buttons}>
        <button type="button" className={button.main} onClick={onStay}>
          Stay
        </button>
        <button type="button" className={button.danger} onClick={onLeave}>
          {verb}
        </button>
      </div>
    </Dialog>
  );
}
