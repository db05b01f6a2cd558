import type { ReactNode } from 'react';
import button from './button.module.css';
import { CopyButton } from './copy-button.tsx';
import styles from './shown-once.module.css';

interface ShownOnceProps {
  /** A key or a link that lets somebody in. It is kept nowhere else. */
  readonly secret: string;
  /** `Copy key`. */
  readonly copyLabel: string;
  /** Whom to give it to, and until when it is good. */
  readonly children: ReactNode;
  onDone(): void;
}

/** What nobody can be shown a second time, to be taken along now. */
export function ShownOnce({ secret, copyLabel, children, onDone }: ShownOnceProps) {
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
