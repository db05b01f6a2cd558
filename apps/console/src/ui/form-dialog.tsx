import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import button from './button.module.css';
import { Dialog } from './dialog.tsx';
import { Form } from './form.tsx';

interface FormDialogProps {
  readonly title: string;
  readonly verb: string;
  readonly busyVerb: string;
  /** The query keys of the data that the form changes. The queries are refetched before the dialog closes. */
  readonly kinds: readonly QueryKey[];
  readonly children: ReactNode;
  /** Whether the dialog has a cancel button. */
  readonly canCancel?: boolean;
  /** Whether the action deletes or ends something. */
  readonly isDestructive?: boolean;
  /** Stores the change. If it fails, the dialog stays open and shows the error. */
  submit(form: FormData): Promise<unknown>;
  onClose(): void;
}

/** A dialog with a form. It closes after the change was stored. */
export function FormDialog(props: FormDialogProps) {
  const { title, verb, busyVerb, kinds, children, canCancel = false, isDestructive = false, submit, onClose } = props;
  const client = useQueryClient();
  const finish = async (form: FormData) => {
    await submit(form);
    await Promise.all(kinds.map((queryKey) => client.invalidateQueries({ queryKey })));
    onClose();
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <Form
        verb={verb}
        busyVerb={busyVerb}
        isDestructive={isDestructive}
        submit={finish}
        aside={
          canCancel && (
            <button type="button" className={button.quiet} onClick={onClose}>
              Cancel
            </button>
          )
        }
      >
        {children}
      </Form>
    </Dialog>
  );
}
