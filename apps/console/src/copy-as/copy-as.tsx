import { Terminal } from 'lucide-react';
import { useState } from 'react';
import button from '../ui/button.module.css';
import { CopyButton } from '../ui/copy-button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import styles from './copy-as.module.css';
import type { CopiedRequest } from './requests.ts';

interface CopyAsProps {
  readonly forms: readonly CopiedRequest[];
  /** Whether what is asked for may be secret: it comes in clear then. */
  readonly hasSecret?: boolean;
}

/** What is shown, as a request for programs: to be copied, with no credential in it. */
export function CopyAs({ forms, hasSecret = false }: CopyAsProps) {
  const [isShown, setShown] = useState(false);
  return (
    <>
      <button type="button" className={button.quiet} onClick={() => setShown(true)}>
        <Terminal size={14} aria-hidden /> Copy as …
      </button>
      {isShown && (
        <Dialog title="Copy as a request" onClose={() => setShown(false)}>
          <p className={styles.note}>
            Set <code>API</code> (the address of the API, ending with <code>/api/v1</code>) and <code>KEY</code> (an API
            key) where it runs.
            {hasSecret && ' Secrets come in clear, and that they were read is recorded.'}
          </p>
          {forms.map(({ title, text }) => (
            <section key={title} className={styles.form} aria-label={title}>
              <div className={styles.head}>
                <h3>{title}</h3>
                <CopyButton text={text} label="Copy" />
              </div>
              {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with keys. */}
              <pre tabIndex={0}>{text}</pre>
            </section>
          ))}
        </Dialog>
      )}
    </>
  );
}
