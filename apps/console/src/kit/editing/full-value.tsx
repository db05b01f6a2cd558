import type { SecretLocation } from '../../data/explanation.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { useSecretText } from '../reveal/use-secret-text.ts';
import { SecretToggle } from './secret-toggle.tsx';
import styles from './text-pane.module.css';
import { TextPane } from './text-pane.tsx';

interface FullValueProps {
  /** The location of the value, as in `PORT in production`. */
  readonly label: string;
  /** The text; null for a secret that is not revealed yet. */
  readonly text: string | null;
  /** The location of a secret; null for other values. */
  readonly secret: SecretLocation | null;
  onClose(): void;
}

/** Shows a value on the whole page, without changing it. */
export function FullValue({ label, text, secret, onClose }: FullValueProps) {
  const isSecret = secret !== null;
  const secretText = useSecretText({ initial: text ?? '', isSecret, place: secret });
  return (
    <Dialog title={label} isFullPage onClose={onClose}>
      <div className={styles.page}>
        <TextPane {...{ label, isSecret }} {...secretText} isReadOnly isTemplate={false} isJson={null}>
          {isSecret && <SecretToggle secretText={secretText} />}
        </TextPane>
      </div>
    </Dialog>
  );
}
