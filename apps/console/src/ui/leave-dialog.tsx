import type { ReactNode } from 'react';
import button from './button.module.css';
import { Dialog } from './dialog.tsx';
import page from './page.module.css';

interface LeaveDialogProps {
  readonly title: string;
  /** What is lost. */
  readonly children: ReactNode;
  /** Of the button that leaves. */
  readonly verb?: string;
  onLeave(): void;
  onStay(): void;
}

/** Asks before what is nowhere else is lost. */
export function LeaveDialog({ title, children, verb = 'Leave and discard', onLeave, onStay }: LeaveDialogProps) {
  return (
    <Dialog title={title} onClose={onStay}>
      <p>{children}</p>
      <div className={page.buttons}>
        <button type="button" className={button.main} onClick={onStay}>
          Stay
        </button>
        <button type="button" className={button.plain} onClick={onLeave}>
          {verb}
        </button>
      </div>
    </Dialog>
  );
}
