import type { ReactNode } from 'react';
import button from './button.module.css';
import { Dialog } from './dialog.tsx';
import { Form } from './form.tsx';

interface ConfirmDialogProps {
  /** What would be done, as a question. */
  readonly title: string;
  readonly verb: string;
  readonly busyVerb: string;
  /** What follows from it. */
  readonly children: ReactNode;
  /** Does it; what it throws is shown, and the dialog stays. */
  confirm(): Promise<void>;
  onClose(): void;
}

/** Asks before something that cannot be taken back. */
export function ConfirmDialog({ title, verb, busyVerb, children, confirm, onClose }: ConfirmDialogProps) {
  const submit = async () => {
    await confirm();
    onClose();
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <Form
        verb={verb}
        busyVerb={busyVerb}
        submit={submit}
        aside={
          <button type="button" className={button.quiet} onClick={onClose}>
            Cancel
          </button>
        }
      >
        {children}
      </Form>
    </Dialog>
  );
}
