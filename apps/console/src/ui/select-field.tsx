import type { ReactNode } from 'react';
import styles from './select-field.module.css';

interface SelectFieldProps {
  readonly label: string;
  /** The value of the chosen option; null if none is chosen. */
  readonly chosen: string | null;
  /** The text of the option that stands for no choice. */
  readonly whenNone: string;
  /** The options. */
  readonly children: ReactNode;
  onChoose(value: string): void;
}

/** A choice outside of forms, which has an effect at once. */
export function SelectField({ label, chosen, whenNone, children, onChoose }: SelectFieldProps) {
  return (
    <label className={styles.field}>
      {label}
      <select value={chosen ?? ''} onChange={({ target }) => onChoose(target.value)}>
        {chosen === null && <option value="">{whenNone}</option>}
        {children}
      </select>
    </label>
  );
}
