import { type ReactNode, useState } from 'react';
import button from '../ui/button.module.css';
import { Form } from '../ui/form.tsx';
import { type ChangesetOperations, PlannedChange } from './planned-change.tsx';
import styles from './planned-form.module.css';

interface PlannedFormProps {
  readonly verb: string;
  readonly busyVerb: string;
  /** What the fields come to. */
  operationsOf(given: FormData): ChangesetOperations;
  /** Said in the history where the person says nothing. */
  messageOf(given: FormData): string;
  readonly children: ReactNode;
  onApplied(revision: number, given: FormData): void | Promise<void>;
  onClose(): void;
}

interface Planned {
  readonly given: FormData;
  readonly operations: ChangesetOperations;
}

/** Fields, then what would follow from them, then that it is done. Whoever changes a field looks at the plan again. */
export function PlannedForm(props: PlannedFormProps) {
  const { verb, busyVerb, operationsOf, messageOf, children, onApplied, onClose } = props;
  const [planned, setPlanned] = useState<Planned | null>(null);
  const preview = async (given: FormData) => setPlanned({ given, operations: operationsOf(given) });
  return (
    <div className={styles.planned}>
      <div onInput={() => setPlanned(null)}>
        <Form
          verb="Preview"
          busyVerb="Looking …"
          submit={preview}
          aside={
            <button type="button" className={button.quiet} onClick={onClose}>
              Cancel
            </button>
          }
        >
          {children}
        </Form>
      </div>
      {planned && (
        <PlannedChange
          operations={planned.operations}
          verb={verb}
          busyVerb={busyVerb}
          message={messageOf(planned.given)}
          onApplied={(revision) => onApplied(revision, planned.given)}
        />
      )}
    </div>
  );
}
