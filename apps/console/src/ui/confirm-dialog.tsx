import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { RefusedWrite } from '../lib/refused.ts';
import button from './button.module.css';
import { Dialog } from './dialog.tsx';
import { Form } from './form.tsx';

interface ConfirmDialogProps {
  /** What would be done, as a question. */
  readonly title: string;
  readonly verb: string;
  readonly busyVerb: string;
  /** What the page has read of the kind of object that it is done to. */
  readonly kind: QueryKey;
  /** What follows from it. */
  readonly children: ReactNode;
  /** Does it; what it throws is shown, and the dialog stays. */
  confirm(): Promise<void>;
  onClose(): void;
}

/** Asks before something that cannot be taken back. */
export function ConfirmDialog({ title, verb, busyVerb, kind, children, confirm, onClose }: ConfirmDialogProps) {
  const client = useQueryClient();
  const submit = async () => {
    try {
      await confirm();
    } catch (refusal) {
      if (!(refusal instanceof RefusedWrite && refusal.isOvertaken)) throw refusal;
      // Who asks again asks of what is there now, also where no change is heard of.
      await client.invalidateQueries({ queryKey: kind });
      throw new RefusedWrite(refusal.code, OVERTAKEN, [], true);
    }
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

const OVERTAKEN = 'This has changed since you read it. Cancel, look at what is there now, and begin again.';
