import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import button from './button.module.css';
import { Dialog } from './dialog.tsx';
import { Form } from './form.tsx';

interface FormDialogProps {
  readonly title: string;
  readonly verb: string;
  readonly busyVerb: string;
  /** The keys of the nouns that the form changes: their queries are read again before the dialog closes. */
  readonly kinds: readonly QueryKey[];
  readonly children: ReactNode;
  /** Whether a button beside the form closes the dialog. */
  readonly canCancel?: boolean;
  /** Stores the change. An error is shown, and the dialog stays open. */
  submit(given: FormData): Promise<unknown>;
  onClose(): void;
}

/** A dialog with a form. It closes when the form has done its work. */
export function FormDialog(props: FormDialogProps) {
  const { title, verb, busyVerb, kinds, children, canCancel = false, submit, onClose } = props;
  const client = useQueryClient();
  const finish = async (given: FormData) => {
    await submit(given);
    await Promise.all(kinds.map((queryKey) => client.invalidateQueries({ queryKey })));
    onClose();
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <Form
        verb={verb}
        busyVerb={busyVerb}
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
