import { type ReactNode, useState } from 'react';
import { type Described, DescribedFields, describedIn } from '../../ui/described-fields.tsx';
import { Check, Field, trimmedField } from '../../ui/form.tsx';
import page from '../../ui/page.module.css';
import { CancelLink } from '../../ui/page-actions.tsx';
import { UserText } from '../../ui/user-text.tsx';
import { changing } from './changing.ts';
import { type ChangesetOperations, PlannedChange } from './planned-change.tsx';
import { PlannedForm, type PlannedFormProps } from './planned-form.tsx';

/** Changes what a page is about. */
export function SaveForm(props: Omit<PlannedFormProps, 'verb' | 'busyVerb' | 'aside'>) {
  return <PlannedForm verb="Save" busyVerb="Saving …" aside={<CancelLink />} {...props} />;
}

interface DescribeFormProps {
  readonly object: Described & { readonly id: string; readonly ledgerId: string };
  readonly operation: string;
  /** What another name would mean; null where it keeps the one it has. */
  readonly renaming: string | null;
  onApplied(revision: number): void | Promise<void>;
}

/** Calls an object otherwise, or says what it is for. */
export function DescribeForm({ object, operation, renaming, onApplied }: DescribeFormProps) {
  // As it was when somebody began to write.
  const [is] = useState(object);
  const { id, name, description } = is;
  const read = (given: FormData): Described =>
    renaming === null ? { name, description: describedIn(given).description } : describedIn(given);
  return (
    <SaveForm
      message={(given) => {
        const called = read(given).name;
        return called === name ? `Description of ${name}` : `Rename ${name} to ${called}`;
      }}
      operationsOf={(given) => changing<Described>(operation, { id }, is, read(given))}
      onApplied={onApplied}
    >
      <DescribedFields name={renaming === null ? null : name} description={description} />
      {renaming !== null && (
        <p className={page.note}>
          <UserText>{renaming}</UserText>
        </p>
      )}
    </SaveForm>
  );
}

/** What a copy is called, and what is copied along. */
export interface Copying extends Described {
  /** What copies of those below are called, by the names of those; null where they are not copied. */
  readonly childNames: Readonly<Record<string, string>> | null;
}

interface CopyFormProps {
  readonly object: Described;
  /** What hangs on it, directly or through others, and how to say that it is copied along. */
  readonly below: readonly { readonly id: string; readonly name: string }[];
  readonly alongVerb: string;
  /** What becomes of what is in it. */
  readonly note: ReactNode;
  /** What else there is to choose. */
  readonly children: ReactNode;
  operationsOf(copying: Copying, given: FormData): ChangesetOperations;
  /** Where the copy has its first values from; null where it is the same as what is copied. */
  valuesFrom(given: FormData): ReactNode;
  onCopied(revision: number, name: string): void | Promise<void>;
}

/** Copies an object, alone or with what hangs on it. */
export function CopyForm(props: CopyFormProps) {
  const { object, below, alongVerb, note, children, operationsOf, valuesFrom, onCopied } = props;
  const [isAlong, setAlong] = useState(false);
  const childNamesIn = (given: FormData) =>
    Object.fromEntries(below.map(({ id, name }) => [name, trimmedField(given, `child-${id}`)]));
  return (
    <PlannedForm
      verb="Copy"
      busyVerb="Copying …"
      aside={<CancelLink />}
      message={(given) => `${describedIn(given).name} is a copy of ${object.name}`}
      valuesFrom={(given) =>
        valuesFrom(given) ?? (
          <>
            the same as <UserText>{object.name}</UserText>
            {isAlong && ' and its copies'}
          </>
        )
      }
      operationsOf={(given) =>
        operationsOf({ ...describedIn(given), childNames: isAlong ? childNamesIn(given) : null }, given)
      }
      onApplied={(revision, given) => onCopied(revision, describedIn(given).name)}
    >
      <p className={page.note}>{note}</p>
      <DescribedFields name={`${object.name}-1`} description={object.description} />
      {children}
      {below.length > 0 && (
        <Check name="children" checked={isAlong} onChange={({ target }) => setAlong(target.checked)}>
          {alongVerb}
        </Check>
      )}
      {isAlong &&
        below.map(({ id, name }) => (
          <Field key={id} name={`child-${id}`} label={`Copy of ${name}`}>
            {(attributes) => <input {...attributes} required autoComplete="off" defaultValue={`${name}-1`} />}
          </Field>
        ))}
    </PlannedForm>
  );
}

interface DeletionProps {
  /** What is deleted, as the history shall call it. */
  readonly called: string;
  /** The same array for as long as it is the same. */
  readonly operations: ChangesetOperations;
  onDeleted(revision: number): void | Promise<void>;
}

/** Deletes what a page is about. */
export function Deletion({ called, operations, onDeleted }: DeletionProps) {
  return (
    <PlannedChange
      operations={operations}
      verb="Delete"
      busyVerb="Deleting …"
      message={`Delete ${called}`}
      aside={<CancelLink />}
      onApplied={onDeleted}
    />
  );
}
