import { useMutation } from '@tanstack/react-query';
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import type { AppliedReason } from '../../data/changesets.ts';
import { ActionError } from '../../ui/action-error.tsx';
import button from '../../ui/button.module.css';
import { trimmedField } from '../../ui/form.tsx';
import { isConfirmed, NameConfirmation } from '../../ui/name-confirmation.tsx';
import styles from './reason-form.module.css';

interface WhyFormProps {
  /** The label of the button. */
  readonly verb: string;
  readonly busyVerb: string;
  readonly isPossible: boolean;
  /** The reason why the button is disabled; null if it is enabled. */
  readonly blockedBy: string | null;
  /** Whether the change deletes something. */
  readonly isDestructive?: boolean;
  /** The name that the user must type first; null if none is required. */
  readonly confirmedName?: string | null;
  /** Whether Ctrl+Enter applies the change also if the focus is outside of the form. */
  readonly isAppliedByKey?: boolean;
  /** The label of a second button, which applies only a part of the change; null if there is none. */
  readonly partVerb?: string | null;
  /** Applies the change, or only the part of it. Returns an error message if it was rejected. */
  submit(why: AppliedReason, isPart: boolean): Promise<string | null>;
  readonly children?: ReactNode;
}

/** The name of the second button in the submitted form. */
const PART = 'part';

/** A form for the message and the reference of a change, with the button that applies it. */
export function ReasonForm(props: WhyFormProps) {
  const { verb, busyVerb, isPossible, blockedBy, isDestructive = false, submit, children } = props;
  const { confirmedName = null, partVerb = null, isAppliedByKey = false } = props;
  const main = useRef<HTMLButtonElement>(null);
  useApplyKey(main, isAppliedByKey);
  const [confirmation, setConfirmation] = useState('');
  const {
    mutate,
    data: rejection = null,
    error,
    isPending,
  } = useMutation({
    mutationFn: (form: FormData) =>
      submit(
        { message: trimmedField(form, 'message'), externalRef: trimmedField(form, 'externalRef') },
        form.has(PART),
      ),
  });
  const message =
    partVerb === null ? (blockedBy ?? rejection) : [rejection, blockedBy].filter(Boolean).join(' ') || null;
  const isDisabled = isPending || (confirmedName !== null && !isConfirmed(confirmation, confirmedName));
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        // `onSubmit` instead of `action`, because the typed message must stay after an error.
        event.preventDefault();
        const form = new FormData(event.currentTarget, (event.nativeEvent as SubmitEvent).submitter);
        mutate(form);
      }}
    >
      <label className={styles.field}>
        Reason (optional, shown in history)
        <textarea name="message" rows={3} maxLength={1_000} autoComplete="off" />
      </label>
      <label className={styles.field}>
        Ticket or commit (optional)
        <input name="externalRef" maxLength={256} autoComplete="off" />
      </label>
      {confirmedName !== null && (
        <NameConfirmation name={confirmedName} typed={confirmation} onType={setConfirmation} />
      )}
      {message !== null && (
        <p className={styles.trouble} role="alert">
          {message}
        </p>
      )}
      {(blockedBy === null || partVerb !== null) && error !== null && <ActionError error={error} />}
      <div className={styles.buttons} data-buttons>
        <button
          ref={main}
          type="submit"
          title="Ctrl + Enter"
          aria-keyshortcuts="Control+Enter Meta+Enter"
          className={isDestructive ? button.danger : button.main}
          disabled={isDisabled || !isPossible || blockedBy !== null}
        >
          {isPending ? busyVerb : verb}
        </button>
        {partVerb !== null && (
          <button type="submit" name={PART} className={button.plain} disabled={isDisabled}>
            {partVerb}
          </button>
        )}
        {children}
      </div>
    </form>
  );
}

/** Presses a button with Ctrl+Enter or ⌘+Enter: in its form, or anywhere on the page. A disabled button, and a form with errors, stay as they are. */
function useApplyKey(main: RefObject<HTMLButtonElement | null>, isAnywhere: boolean): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.repeat || event.defaultPrevented) return;
      if (document.querySelector('dialog[open]')?.contains(main.current) === false) return;
      if (!isAnywhere && !main.current?.form?.contains(event.target as Node)) return;
      event.preventDefault();
      main.current?.click();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [main, isAnywhere]);
}
