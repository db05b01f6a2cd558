import { Check, X } from 'lucide-react';
import { useEffect, useId, useState } from 'react';
import type { ValidationResult, ValidationTarget } from '../../data/validation.ts';
import { Refusal } from '../../ui/refusal.tsx';
import { UserText } from '../../ui/user-text.tsx';
import styles from './try-it.module.css';
import { useVerdict } from './use-verdict.ts';

interface TryItProps {
  readonly judge: ValidationTarget;
  readonly isSecret: boolean;
  /** Another one when the rules are others. */
  readonly rulesVersion: string;
  onVerdict(verdict: ValidationResult | null): void;
}

/** A text, and whether it would be accepted. Nothing is stored. */
export function TryIt({ judge, isSecret, rulesVersion, onVerdict }: TryItProps) {
  const id = useId();
  const [text, setText] = useState('');
  const found = useVerdict(judge, text, rulesVersion);
  const verdict = text === '' ? null : (found.data ?? null);
  useEffect(() => onVerdict(verdict), [verdict, onVerdict]);
  return (
    <div className={styles.trying}>
      <label htmlFor={id}>Test a value</label>
      <input
        id={id}
        type={isSecret ? 'password' : 'text'}
        // Not controlled: what is tried for a secret must not stand in an attribute.
        onInput={({ currentTarget }) => setText(currentTarget.value)}
        aria-describedby={`${id}-verdict`}
        aria-invalid={verdict?.fits === false || undefined}
        autoComplete="off"
        spellCheck={false}
        placeholder="Not saved"
      />
      <div id={`${id}-verdict`} role="status" className={styles.verdict}>
        {found.error && text !== '' && <Refusal error={found.error} />}
        {verdict?.fits && (
          <p className={styles.fits}>
            <Check size={14} aria-hidden /> Valid.
          </p>
        )}
        {verdict?.violations.map(({ message }) => (
          <p key={message} className={styles.refused}>
            <X size={14} aria-hidden /> <UserText>{message}</UserText>
          </p>
        ))}
      </div>
    </div>
  );
}
