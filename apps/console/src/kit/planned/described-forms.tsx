import { type ReactNode, useState } from 'react';
import { Check, Field, trimmedField } from '../../ui/form.tsx';
import {
  type NameAndDescription,
  NameAndDescriptionFields,
  nameAndDescriptionIn,
} from '../../ui/name-and-description-fields.tsx';
import page from '../../ui/page.module.css';
import { CancelLink } from '../../ui/page-actions.tsx';
import { UserText } from '../../ui/user-text.tsx';
import { changeOperation } from './change-operation.ts';
import { type ChangesetOperations, PlannedChange } from './planned-change.tsx';
import { PlannedForm, type PlannedFormProps } from './planned-form.tsx';

/** A form that changes the object of a page. */
export function SaveForm(props: Omit<PlannedFormProps, 'verb' | 'busyVerb' | 'aside'>) {
  return <PlannedForm verb="Save" busyVerb="Saving …" aside={<CancelLink />} {...props} />;
}

interface DescribeFormProps {
  readonly object: NameAndDescription & { readonly id: string; readonly ledgerId: string };
  readonly operation: string;
  /** Explains the effects of a new name; null if the object cannot be renamed. */
  readonly renaming: string | null;
  onApplied(revision: number): void | Promise<void>;
}

/** Changes the name or the description of an object. */
export function DescribeForm({ object, operation, renaming, onApplied }: DescribeFormProps) {
  // The version that the user has started to edit.
  const [is] = useState(object);
  const { id, name, description } = is;
  const read = (given: FormData): NameAndDescription =>
    renaming === null ? { name, description: nameAndDescriptionIn(given).description } : nameAndDescriptionIn(given);
  return (
    <SaveForm
      message={(given) => {
        const called = read(given).name;
        return called === name ? `Description of ${name}` : `Rename ${name} to ${called}`;
      }}
      operationsOf={(given) => changeOperation<NameAndDescription>(operation, { id }, is, read(given))}
      onApplied={onApplied}
    >
      <NameAndDescriptionFields name={renaming === null ? null : name} description={description} />
      {renaming !== null && (
        <p className={page.note}>
          <UserText>{renaming}</UserText>
        </p>
      )}
    </SaveForm>
  );
}

/** The name of a copy, and the names of its descendants. */
export interface CopyNames extends NameAndDescription {
  /** The names of the copied descendants by their current names; null if they are not copied. */
  readonly childNames: Readonly<Record<string, string>> | null;
}

interface CopyFormProps {
  readonly object: NameAndDescription;
  /** The descendants, and the label of the option to copy them. */
  readonly below: readonly { readonly id: string; readonly name: string }[];
  readonly alongVerb: string;
  /** Explains which contents are copied. */
  readonly note: ReactNode;
  /** Further fields. */
  readonly children: ReactNode;
  operationsOf(copying: CopyNames, given: FormData): ChangesetOperations;
  /** The source of the first values of the copy; null if it is the copied object. */
  valuesFrom(given: FormData): ReactNode;
  onCopied(revision: number, name: string): void | Promise<void>;
}

/** Copies an object, with or without its descendants. */
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
      message={(given) => `${nameAndDescriptionIn(given).name} is a copy of ${object.name}`}
      valuesFrom={(given) =>
        valuesFrom(given) ?? (
          <>
            the same as <UserText>{object.name}</UserText>
            {isAlong && ' and its copies'}
          </>
        )
      }
      operationsOf={(given) =>
        operationsOf({ ...nameAndDescriptionIn(given), childNames: isAlong ? childNamesIn(given) : null }, given)
      }
      onApplied={(revision, given) => onCopied(revision, nameAndDescriptionIn(given).name)}
    >
      <p className={page.note}>{note}</p>
      <NameAndDescriptionFields name={`${object.name}-1`} description={object.description} />
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
  /** The name of the deleted object in the history. */
  readonly called: string;
  /** Keep the array while it does not change: each new array requests a new plan. */
  readonly operations: ChangesetOperations;
  onDeleted(revision: number): void | Promise<void>;
}

/** Deletes the object of a page. */
export function DeleteForm({ called, operations, onDeleted }: DeletionProps) {
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
