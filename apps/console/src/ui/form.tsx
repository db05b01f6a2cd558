import {
  createContext,
  type InputHTMLAttributes,
  type ReactNode,
  startTransition,
  useActionState,
  useContext,
  useId,
} from 'react';
import { RefusedWrite } from '../lib/refused.ts';
import button from './button.module.css';
import styles from './form.module.css';
import { Refusal } from './refusal.tsx';
import { UserText } from './user-text.tsx';

/** What is wrong, by the name of a field. */
const Wrong = createContext<ReadonlyMap<string, string>>(new Map());

/** What is wrong with a field that is not one input. */
export const useFieldErrors = (name: string): string | undefined => useContext(Wrong).get(name);

interface FormProps {
  /** What the button says, and what it says meanwhile. */
  readonly verb: string;
  readonly busyVerb: string;
  readonly children?: ReactNode;
  /** Beside the button: how to leave without it. */
  readonly aside?: ReactNode;
  readonly isPossible?: boolean;
  /** Whether something else is the thing to do by now. */
  readonly isSecondary?: boolean;
  /** Something was typed or chosen. */
  onEdit?(): void;
  /** Does it, and goes on from there. What it throws is shown: at a field that a `RefusedWrite` names, the rest above the button. */
  submit(given: FormData): Promise<void>;
}

/** A form that keeps what was typed when it is refused, and says at each field what is wrong with it. */
export function Form(props: FormProps) {
  const { verb, busyVerb, children, aside, isPossible = true, isSecondary = false, onEdit, submit } = props;
  const [{ error, names }, send, isBusy] = useActionState(async (_: Outcome, given: FormData): Promise<Outcome> => {
    try {
      await submit(given);
      return NOTHING_WRONG;
    } catch (refusal) {
      return { error: refusal, names: new Set(given.keys()) };
    }
  }, NOTHING_WRONG);
  const { byName, others } = wrongOf(error, names);
  return (
    <form
      className={styles.form}
      onChange={onEdit}
      onSubmit={(event) => {
        // Not by `action`, which would empty the fields.
        event.preventDefault();
        const given = new FormData(event.currentTarget);
        startTransition(() => send(given));
      }}
    >
      <Wrong value={byName}>{children}</Wrong>
      {error !== null && (byName.size === 0 || others.length > 0) && (
        <Refusal error={error}>
          {others.map((message) => (
            <p key={message}>
              <UserText>{message}</UserText>
            </p>
          ))}
        </Refusal>
      )}
      <div className={styles.buttons}>
        <button type="submit" className={isSecondary ? button.plain : button.main} disabled={isBusy || !isPossible}>
          {isBusy ? busyVerb : <UserText>{verb}</UserText>}
        </button>
        {aside}
      </div>
    </form>
  );
}

interface Outcome {
  readonly error: unknown;
  /** Of the fields that were sent. */
  readonly names: ReadonlySet<string>;
}
const NOTHING_WRONG: Outcome = { error: null, names: new Set() };

function wrongOf(error: unknown, names: ReadonlySet<string>) {
  const byName = new Map<string, string>();
  const others: string[] = [];
  const whole = error instanceof RefusedWrite ? error.message : null;
  for (const { field, message } of error instanceof RefusedWrite ? error.places : []) {
    const name = [field, field.replace(/\..*$/, '')].find((one) => names.has(one));
    // Where there is one place only, the whole says just what it does.
    if (name === undefined) others.push(...(message === whole ? [] : [message]));
    else byName.set(name, [byName.get(name), message].filter(Boolean).join(' '));
  }
  return { byName, others };
}

/** What an input, select or textarea of a field takes over. */
interface FieldAttributes {
  readonly id: string;
  readonly name: string;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-invalid': true | undefined;
}

interface FieldProps {
  /** As the gateway calls it, so that its refusals find their place. */
  readonly name: string;
  readonly label: string;
  readonly hint?: ReactNode;
  children(attributes: FieldAttributes): ReactNode;
}

/** A field with its label, what helps to fill it in, and what is wrong with it. */
export function Field({ name, label, hint, children }: FieldProps) {
  const id = useId();
  const wrong = useFieldErrors(name);
  const described = [hint !== undefined && `${id}-hint`, wrong !== undefined && `${id}-wrong`].filter(Boolean);
  return (
    <div className={styles.field}>
      <label htmlFor={id}>
        <UserText>{label}</UserText>
      </label>
      {children({
        id,
        name,
        'aria-describedby': described.length > 0 ? described.join(' ') : undefined,
        'aria-invalid': wrong === undefined ? undefined : true,
      })}
      {hint !== undefined && (
        <p id={`${id}-hint`} className={styles.hint}>
          {typeof hint === 'string' ? <UserText>{hint}</UserText> : hint}
        </p>
      )}
      {wrong !== undefined && (
        <p id={`${id}-wrong`} className={styles.wrong} role="alert">
          <UserText>{wrong}</UserText>
        </p>
      )}
    </div>
  );
}

interface CheckProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'type'> {
  readonly children: ReactNode;
}

/** A choice of yes or no, with its words behind it. */
export function Check({ children, ...attributes }: CheckProps) {
  return (
    <label className={styles.check}>
      <input {...attributes} type="checkbox" /> <span>{children}</span>
    </label>
  );
}

/** What was typed into a field of text, without the blanks around it. */
export const trimmedField = (given: FormData, name: string): string => String(given.get(name) ?? '').trim();
