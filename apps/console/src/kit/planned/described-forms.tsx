import { type ReactNode, useState } from 'react';
import type { DeletedObject } from '../../lib/large-deletion.ts';
import { Check, Field, trimmedField } from '../../ui/form.tsx';
import {
  type NameAndDescription,
  NameAndDescriptionFields,
  readNameAndDescription,
} from '../../ui/name-and-description-fields.tsx';
import page from '../../ui/page.module.css';
import { CancelLink } from '../../ui/page-actions.tsx';
import { UserText } from '../../ui/user-text.tsx';
import { changeOperation } from './change-operation.ts';
import { type ChangesetOperations, PlannedChange } from './planned-change.tsx';
import { PlannedForm, type PlannedFormProps } from './planned-form.tsx';

/** A form that changes the object of a page, with a preview of the plan. */
export function SaveForm(props: Omit<PlannedFormProps, 'verb' | 'busyVerb' | 'aside'>) {
  return <PlannedForm verb="Save" busyVerb="Saving …" aside={<CancelLink />} {...props} />;
}

interface DescribeFormProps {
  readonly object: NameAndDescription & { readonly id: string; readonly ledgerId: string };
  readonly operation: string;
  /** An explanation of the effects of a new name; null if the object cannot be renamed. */
  readonly renaming: string | null;
  onApplied(revision: number): void | Promise<void>;
}

/** A form that changes the name or the description of an object. */
export function NameAndDescriptionForm({ object, operation, renaming, onApplied }: DescribeFormProps) {
  // The state keeps the version that the user started to edit.
  const [currentObject] = useState(object);
  const { id, name, description } = currentObject;
  const read = (form: FormData): NameAndDescription =>
    renaming === null ? { name, description: readNameAndDescription(form).description } : readNameAndDescription(form);
  return (
    <SaveForm
      message={(form) => {
        const newName = read(form).name;
        return newName === name ? `Description of ${name}` : `Rename ${name} to ${newName}`;
      }}
      operationsOf={(form) => changeOperation<NameAndDescription>(operation, { id }, currentObject, read(form))}
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

/** The fields of a copy, with the names of its descendants. */
export interface CopyNames extends NameAndDescription {
  /** The new names of the descendants by their current names; null if descendants are not copied. */
  readonly childNames: Readonly<Record<string, string>> | null;
}

interface CopyFormProps {
  readonly object: NameAndDescription;
  /** The descendants of the object, which can be copied with it. */
  readonly below: readonly { readonly id: string; readonly name: string }[];
  readonly alongVerb: string;
  /** An explanation of what is copied. */
  readonly note: ReactNode;
  /** Further fields. */
  readonly children: ReactNode;
  operationsOf(copying: CopyNames, form: FormData): ChangesetOperations;
  /** Describes where the first values of the copy come from; null if they come from the copied object. */
  valuesFrom(form: FormData): ReactNode;
  onCopied(revision: number, name: string): void | Promise<void>;
}

/** A form that copies an object, with or without its descendants. */
export function CopyForm(props: CopyFormProps) {
  const { object, below, alongVerb, note, children, operationsOf, valuesFrom, onCopied } = props;
  const [isAlong, setAlong] = useState(false);
  const childNamesIn = (form: FormData) =>
    Object.fromEntries(below.map(({ id, name }) => [name, trimmedField(form, `child-${id}`)]));
  return (
    <PlannedForm
      verb="Copy"
      busyVerb="Copying …"
      aside={<CancelLink />}
      message={(form) => `${readNameAndDescription(form).name} is a copy of ${object.name}`}
      valuesFrom={(form) =>
        valuesFrom(form) ?? (
          <>
            the same as <UserText>{object.name}</UserText>
            {isAlong && ' and its copies'}
          </>
        )
      }
      operationsOf={(form) =>
        operationsOf({ ...readNameAndDescription(form), childNames: isAlong ? childNamesIn(form) : null }, form)
      }
      onApplied={(revision, form) => onCopied(revision, readNameAndDescription(form).name)}
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
  readonly deletes: DeletedObject;
  /** The name of the object in the message of the changeset, if it differs. */
  readonly called?: string;
  /** The operations. Pass the same array while they do not change, because each new array requests a new plan. */
  readonly operations: ChangesetOperations;
  onDeleted(revision: number): void | Promise<void>;
}

/** A form that deletes the object of a page after a preview of the plan. */
export function DeleteForm({ deletes, called = deletes.name, operations, onDeleted }: DeletionProps) {
  return (
    <PlannedChange
      operations={operations}
      verb="Delete"
      busyVerb="Deleting …"
      deletes={deletes}
      message={`Delete ${called}`}
      aside={<CancelLink />}
      onApplied={onDeleted}
    />
  );
}
