import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Refused } from '../../lib/refused.ts';
import button from '../../ui/button.module.css';
import { Form } from '../../ui/form.tsx';
import { type ChangesetOperations, PlannedChange } from './planned-change.tsx';
import styles from './planned-form.module.css';

export interface PlannedFormProps {
  /** The label of the button that applies the plan, and its label meanwhile. */
  readonly verb: string;
  readonly busyVerb: string;
  /** The message in the history if the user enters none. */
  message(given: FormData): string;
  /** The source of the first values of a new object, for example `inherited from default`. Absent if nothing is created. */
  valuesFrom?(given: FormData): ReactNode;
  readonly children?: ReactNode;
  /** A link or a button beside the main button, to leave without the change. */
  readonly aside?: ReactNode;
  readonly isPossible?: boolean;
  /** Leaves without the change. */
  onCancel?(): void;
  /** Returns the operations of the form; none if nothing differs. */
  operationsOf(given: FormData): ChangesetOperations | Promise<ChangesetOperations>;
  onApplied(revision: number, given: FormData): void | Promise<void>;
}

interface RequestedChange {
  readonly operations: ChangesetOperations;
  readonly given: FormData;
}

/** A form whose change is planned first. The plan is shown below until the user edits the form again. */
export function PlannedForm(props: PlannedFormProps) {
  const { verb, busyVerb, message, valuesFrom, children, aside, isPossible, operationsOf, onApplied, onCancel } = props;
  const [asked, setAsked] = useState<RequestedChange | null>(null);
  const plan = useRef<HTMLElement>(null);
  useEffect(() => {
    if (asked) plan.current?.focus();
  }, [asked]);
  const submit = async (given: FormData) => {
    const operations = await operationsOf(given);
    if (operations.length === 0) throw new Refused('nothing_to_do', 'No changes yet.', null);
    setAsked({ operations, given });
  };
  return (
    <div className={styles.planned}>
      <Form
        verb="Preview changes"
        busyVerb="Loading …"
        isPossible={isPossible ?? true}
        isSecondary={asked !== null}
        aside={aside ?? (onCancel && <CancelButton onCancel={onCancel} />)}
        onEdit={() => setAsked(null)}
        submit={submit}
      >
        {children}
      </Form>
      {asked && (
        <section ref={plan} tabIndex={-1} className={styles.plan} aria-label="Changes">
          <PlannedChange
            operations={asked.operations}
            verb={verb}
            busyVerb={busyVerb}
            message={message(asked.given)}
            valuesFrom={valuesFrom?.(asked.given)}
            onApplied={(revision) => onApplied(revision, asked.given)}
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
