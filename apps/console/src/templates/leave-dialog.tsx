import button from '../ui/button.module.css';
import { Dialog } from '../ui/dialog.tsx';
import page from '../ui/page.module.css';

interface LeaveDialogProps {
  onLeave(): void;
  onStay(): void;
}

/** A text that was not saved is nowhere else. */
export function LeaveDialog({ onLeave, onStay }: LeaveDialogProps) {
  return (
    <Dialog title="Leave without saving?" onClose={onStay}>
      <p>The text was not saved. It is lost when you leave this page.</p>
      <div className={page.buttons}>
        <button type="button" className={button.main} onClick={onStay}>
          Stay
        </button>
        <button type="button" className={button.plain} onClick={onLeave}>
          Leave and lose it
        </button>
      </div>
    </Dialog>
  );
}
