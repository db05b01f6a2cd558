import { Dialog } from '../../ui/dialog.tsx';
import { CopyableText } from './copied-text.tsx';
import styles from './copy-as-dialog.module.css';
import { type CopiedView, viewRequests } from './requests.ts';

export interface CopyAsDialogProps {
  readonly of: CopiedView;
  /** Whether the response may contain secrets in plain text. */
  readonly hasSecret?: boolean | undefined;
  onClose(): void;
}

/** The requests, without a credential. */
export function CopyAsDialog({ of, hasSecret = false, onClose }: CopyAsDialogProps) {
  return (
    <Dialog title="Copy as request" onClose={onClose}>
      <p className={styles.note}>
        Set <code>API</code> (the address of the API, ending with <code>/api/v1</code>) and <code>KEY</code> (an API
        key) where it runs.
        {hasSecret && ' The response contains secrets in plain text, and the read is recorded.'}
      </p>
      {viewRequests(of).map((request) => (
        <CopyableText key={request.title} {...request} />
      ))}
    </Dialog>
  );
}
