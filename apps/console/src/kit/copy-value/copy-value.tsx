import type { ReactNode } from 'react';
import { CopyButton } from '../../ui/copy-button.tsx';
import { withVisibleCharacters } from '../../ui/visible-characters.ts';
import styles from './copy-value.module.css';

type WhichValue = 'old' | 'new' | 'left' | 'right';

export interface CopyValueProps {
  /** The complete text. Without one, as for a masked secret or `null`, there is no button. */
  readonly text: string | null | undefined;
  /** The location of the value, as in `PORT in production`. Without it, there is no button. */
  readonly of: string | undefined;
  /** The position of the value, if two are shown. */
  readonly which?: WhichValue | undefined;
  /** The value as it is shown. */
  readonly children: ReactNode;
}

/** Shows a value with a button that copies it, which is visible while the pointer or the focus is there. */
export function CopyValue({ text, of, which, children }: CopyValueProps) {
  if (!text || of === undefined) return children;
  return (
    <span className={styles.value}>
      {children}
      <span className={styles.button}>
        <CopyButton
          text={text}
          label={withVisibleCharacters(`Copy ${which ? `${which} ` : ''}value of ${of}`)}
          isIcon
        />
      </span>
    </span>
  );
}
