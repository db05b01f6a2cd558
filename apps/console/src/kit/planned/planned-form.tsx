import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Refused } from '../../lib/refused.ts';
import button from '../../ui/button.module.css';
import { Form } from '../../ui/form.tsx';
import { type ChangesetOperations, PlannedChange } from './planned-change.tsx';
import styles from './planned-form.module.css';

export interface PlannedFormProps {
  /** What the button of the plan says, and what it says meanwhile. */
  readonly verb: string;
  readonly busyVerb: string;
  /** Said in the history where the person says nothing. */
  message(given: FormData): string;
  /** Where something new has its first values from: `inherited from default`. Absent where nothing is made. */
  valuesFrom?(given: FormData): ReactNode;
  readonly children?: ReactNode;
  /** How to leave without it. */
  readonly aside?: ReactNode;
  readonly isPossible?: boolean;
  /** Leaves without it, by a button. */
  onCancel?(): void;
  /** What was given comes to; none where nothing is different. */
  operationsOf(given: FormData): ChangesetOperations | Promise<ChangesetOperations>;
  onApplied(revision: number, given: FormData): void | Promise<void>;
}

interface Asked {
  readonly operations: ChangesetOperations;
  readonly given: FormData;
}

/** A form whose change is planned before it is made: what follows from it stands below, until something is typed again. */
export function PlannedForm(props: PlannedFormProps) {
  const { verb, busyVerb, message, valuesFrom, children, aside, isPossible, operationsOf, onApplied, onCancel } = props;
  const [asked, setAsked] = useState<Asked | null>(null);
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
