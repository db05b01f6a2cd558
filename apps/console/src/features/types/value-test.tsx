import { Check, X } from 'lucide-react';
import { useEffect, useId, useState } from 'react';
import type { ValidationResult, ValidationTarget } from '../../data/validation.ts';
import { ActionError } from '../../ui/action-error.tsx';
import { UserText } from '../../ui/user-text.tsx';
import { useValidation } from './use-validation.ts';
import styles from './value-test.module.css';

interface ValueTestProps {
  readonly target: ValidationTarget;
  readonly isSecret: boolean;
  /** A text that changes with the rules, so that the value is tested again. */
  readonly rulesVersion: string;
  onResult(result: ValidationResult | null): void;
}

/** Tests a value against the rules without storing it. */
export function ValueTest({ target, isSecret, rulesVersion, onResult }: ValueTestProps) {
  const id = useId();
  const [text, setText] = useState('');
  const validation = useValidation(target, text, rulesVersion);
  const result = text === '' ? null : (validation.data ?? null);
  useEffect(() => onResult(result), [result, onResult]);
  return (
    <div className={styles.trying}>
      <label htmlFor={id}>Test a value</label>
      <input
        id={id}
        type={isSecret ? 'password' : 'text'}
        // Uncontrolled, because React would write a tested secret into an attribute.
        onInput={({ currentTarget }) => setText(currentTarget.value)}
        aria-describedby={`${id}-result`}
        aria-invalid={result?.fits === false || undefined}
        autoComplete="off"
        spellCheck={false}
        placeholder="Not saved"
      />
      <div id={`${id}-result`} role="status" className={styles.verdict}>
        {validation.error && text !== '' && <ActionError error={validation.error} />}
        {result?.fits && (
          <p className={styles.fits}>
            <Check size={14} aria-hidden /> Valid.
          </p>
        )}
        {result?.violations.map(({ message }) => (
          <p key={message} className={styles.error}>
            <X size={14} aria-hidden /> <UserText>{message}</UserText>
          </p>
        ))}
      </div>
    </div>
  );
}
