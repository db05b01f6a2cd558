import { type ReactNode, useEffect, useRef, useState } from 'react';
import { RequestError } from '../../lib/request-error.ts';
import button from '../../ui/button.module.css';
import { Form } from '../../ui/form.tsx';
import { type ChangesetOperations, PlannedChange } from './planned-change.tsx';
import styles from './planned-form.module.css';

export interface PlannedFormProps {
  /** The label of the button that applies the plan, and its label meanwhile. */
  readonly verb: string;
  readonly busyVerb: string;
  /** Returns the message in the history unless the user enters another one. */
  message(form: FormData): string;
  /** Describes where the first values of a new object come from, as in `inherited from default`. Absent if nothing is created. */
  valuesFrom?(form: FormData): ReactNode;
  readonly children?: ReactNode;
  /** A link or a button beside the main button that leaves without the change. */
  readonly aside?: ReactNode;
  readonly isPossible?: boolean;
  /** Called when the user leaves without the change. */
  onCancel?(): void;
  /** Returns the operations of the form, or none if nothing has changed. */
  operationsOf(form: FormData): ChangesetOperations | Promise<ChangesetOperations>;
  onApplied(revision: number, form: FormData): void | Promise<void>;
}

interface RequestedChange {
  readonly operations: ChangesetOperations;
  readonly form: FormData;
}

/** A form with a preview. The plan is shown below the form until the user edits it again. */
export function PlannedForm(props: PlannedFormProps) {
  const { verb, busyVerb, message, valuesFrom, children, aside, isPossible, operationsOf, onApplied, onCancel } = props;
  const [requestedChange, setRequestedChange] = useState<RequestedChange | null>(null);
  const plan = useRef<HTMLElement>(null);
  useEffect(() => {
    if (requestedChange) plan.current?.focus();
  }, [requestedChange]);
  const submit = async (form: FormData) => {
    const operations = await operationsOf(form);
    if (operations.length === 0) throw new RequestError('nothing_to_do', 'No changes yet.', null);
    setRequestedChange({ operations, form });
  };
  return (
    <div className={styles.planned}>
      <Form
        verb="Preview changes"
        busyVerb="Loading …"
        isPossible={isPossible ?? true}
        isSecondary={requestedChange !== null}
        aside={aside ?? (onCancel && <CancelButton onCancel={onCancel} />)}
        onEdit={() => setRequestedChange(null)}
        submit={submit}
      >
        {children}
      </Form>
      {requestedChange && (
        <section ref={plan} tabIndex={-1} className={styles.plan} aria-label="Changes">
          <PlannedChange
            operations={requestedChange.operations}
            verb={verb}
            busyVerb={busyVerb}
            message={message(requestedChange.form)}
            valuesFrom={valuesFrom?.(requestedChange.form)}
            onApplied={(revision) => onApplied(revision, requestedChange.form)}
          />
        </section>
      )}
    </div>
  );
}

function CancelButton({ onCancel }: { readonly onCancel: () => void }) {
  return (
    <button type="button" className={button.quiet} onClick={onCancel}>
      Cancel
    </button>
  );
}
