import { pointerSegments } from '@strata/domain';
import { useMutation } from '@tanstack/react-query';
import { createContext, type InputHTMLAttributes, type ReactNode, useContext, useId } from 'react';
import { WriteError } from '../lib/request-error.ts';
import { ActionError } from './action-error.tsx';
import button from './button.module.css';
import styles from './form.module.css';
import { UserText } from './user-text.tsx';

/** The error messages by field name. */
const Wrong = createContext<ReadonlyMap<string, string>>(new Map());

/** Returns the error message of a field that consists of several inputs. */
export const useFieldErrors = (name: string): string | undefined => useContext(Wrong).get(name);

interface FormProps {
  /** The label of the button, and its label while the form is being sent. */
  readonly verb: string;
  readonly busyVerb: string;
  readonly children?: ReactNode;
  /** Content beside the button, such as a cancel link. */
  readonly aside?: ReactNode;
  readonly isPossible?: boolean;
  /** Whether another button is the main one. */
  readonly isSecondary?: boolean;
  /** Whether the action deletes or ends something. */
  readonly isDestructive?: boolean;
  /** Called after every change of a field. */
  onEdit?(): void;
  /** Sends the form. The errors of a `WriteError` are shown at their fields, all other errors above the button. */
  submit(form: FormData): Promise<void>;
}

/** A form that keeps its input after an error and shows error messages at their fields. */
export function Form(props: FormProps) {
  const { verb, busyVerb, children, aside, isPossible = true, isSecondary = false, onEdit, submit } = props;
  const kind = props.isDestructive ? button.danger : isSecondary ? button.plain : button.main;
  const { mutate, error, variables, isPending } = useMutation({ mutationFn: submit });
  const { byName, others } = splitErrors(error, new Set(variables?.keys()));
  return (
    <form
      className={styles.form}
      onChange={onEdit}
      onSubmit={(event) => {
        // `preventDefault` instead of `action`, because React resets the fields after an `action`.
        event.preventDefault();
        mutate(new FormData(event.currentTarget));
      }}
    >
      <Wrong value={byName}>{children}</Wrong>
      {error !== null && (byName.size === 0 || others.length > 0) && (
        <ActionError error={error}>
          {others.map((message) => (
            <p key={message}>
              <UserText>{message}</UserText>
            </p>
          ))}
        </ActionError>
      )}
      <div className={styles.buttons}>
        <button type="submit" className={kind} disabled={isPending || !isPossible}>
          {isPending ? busyVerb : <UserText>{verb}</UserText>}
        </button>
        {aside}
      </div>
    </form>
  );
}

/** Returns the errors of the submitted fields by their names, and the other ones. */
function splitErrors(error: unknown, names: ReadonlySet<string>) {
  const byName = new Map<string, string>();
  const otherErrors: string[] = [];
  if (!(error instanceof WriteError)) return { byName, others: otherErrors };
  const { message: formMessage, fieldErrors, pointer } = error;
  const pointedName = findPointedField(pointer, names);
  if (fieldErrors.length === 0 && pointedName !== undefined) byName.set(pointedName, formMessage);
  for (const { field, ...entry } of fieldErrors) {
    const ownName = [field, field.replace(/\..*$/, '')].find((candidate) => names.has(candidate));
    const name = ownName ?? findPointedField(entry.pointer, names);
    // The message repeats the path of a member inside the field, which has an input of its own.
    const message = ownName === undefined && name !== undefined ? entry.detail : entry.message;
    // If there is only one error, the general message repeats it.
    if (name === undefined) otherErrors.push(...(message === formMessage ? [] : [message]));
    else byName.set(name, [byName.get(name), message].filter(Boolean).join(' '));
  }
  return { byName, others: otherErrors };
}

/** Returns the submitted field that a pointer leads to, such as `postgresql.host`, or the closest one that contains it. */
function findPointedField(pointer: string, names: ReadonlySet<string>): string | undefined {
  const segments = pointerSegments(pointer);
  return segments
    .map((_, index) => segments.slice(0, segments.length - index).join('.'))
    .find((name) => names.has(name));
}

/** The attributes of the input, select or textarea of a field. */
interface FieldAttributes {
  readonly id: string;
  readonly name: string;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-invalid': true | undefined;
}

interface FieldProps {
  /** The name of the field in the API, so that its errors are shown here. */
  readonly name: string;
  readonly label: string;
  readonly hint?: ReactNode;
  children(attributes: FieldAttributes): ReactNode;
}

/** A field with a label, a hint and an error message. */
export function Field({ name, label, hint, children }: FieldProps) {
  const id = useId();
  const { described, isWrong, notes } = useFieldNotes(id, name, hint);
  return (
    <div className={styles.field}>
      <label htmlFor={id}>
        <UserText>{label}</UserText>
      </label>
      {children({
        id,
        name,
        'aria-describedby': described,
        'aria-invalid': isWrong || undefined,
      })}
      {notes}
    </div>
  );
}

interface TextFieldProps extends InputHTMLAttributes<HTMLInputElement> {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
}

/** A field with one line of text, which browsers neither complete nor check. */
export function TextField({ name, label, hint, ...input }: TextFieldProps) {
  return (
    <Field name={name} label={label} hint={hint}>
      {(attributes) => <input {...attributes} autoComplete="off" spellCheck={false} {...input} />}
    </Field>
  );
}

/** Returns the hint and the error message of a field, and the ids with which its input refers to them. */
function useFieldNotes(id: string, name: string, hint: ReactNode) {
  const fieldError = useFieldErrors(name);
  const isWrong = fieldError !== undefined;
  const describedBy = [hint !== undefined && `${id}-hint`, isWrong && `${id}-wrong`].filter(Boolean).join(' ');
  const notes = (
    <>
      {hint !== undefined && (
        <p id={`${id}-hint`} className={styles.hint}>
          {typeof hint === 'string' ? <UserText>{hint}</UserText> : hint}
        </p>
      )}
      {isWrong && (
        <p id={`${id}-wrong`} className={styles.wrong} role="alert">
          <UserText>{fieldError}</UserText>
        </p>
      )}
    </>
  );
  return { described: describedBy === '' ? undefined : describedBy, isWrong, notes };
}

interface CheckProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'type'> {
  readonly hint?: string;
  readonly children: ReactNode;
}

/** A checkbox with a label, a hint and an error message. */
export function Check({ children, hint, ...attributes }: CheckProps) {
  const id = useId();
  const { described, notes } = useFieldNotes(id, attributes.name ?? '', hint);
  const box = (
    <label className={styles.check}>
      <input {...attributes} aria-describedby={described} type="checkbox" /> <span>{children}</span>
    </label>
  );
  if (described === undefined) return box;
  return (
    <div className={styles.checked}>
      {box}
      {notes}
    </div>
  );
}

/** Returns the trimmed text of a field. */
export const trimmedField = (form: FormData, name: string): string => String(form.get(name) ?? '').trim();
