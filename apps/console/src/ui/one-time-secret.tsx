import type { ReactNode } from 'react';
import button from './button.module.css';
import { CopyButton } from './copy-button.tsx';
import styles from './one-time-secret.module.css';

interface ShownOnceProps {
  /** The secret text: a key or an invitation link. It is stored nowhere. */
  readonly secret: string;
  /** The label of the button, such as `Copy key`. */
  readonly copyLabel: string;
  /** A description of who needs it and when it expires. */
  readonly children: ReactNode;
  onDone(): void;
}

/** Shows a secret that cannot be shown again, with a button to copy it. */
export function OneTimeSecret({ secret, copyLabel, children, onDone }: ShownOnceProps) {
  return (
    <div className={styles.shown}>
      {children}
      <code className={styles.secret}>{secret}</code>
      <p className={styles.warning}>Copy it now. You won’t see it again.</p>
      <div className={styles.buttons}>
        <CopyButton text={secret} label={copyLabel} />
        <button type="button" className={button.main} onClick={onDone}>
          Done
        </button>
      </div>
    </div>
  );
}
