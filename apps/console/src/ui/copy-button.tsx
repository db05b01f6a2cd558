import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import button from './button.module.css';
import { copySecret, copyText } from './clipboard.ts';

interface CopyButtonProps {
  readonly text: string;
  /** The label, such as `Copy link`. */
  readonly label: string;
  /** The end of the label, which only screen readers announce. */
  readonly of?: string;
  /** Whether only the icon is shown. */
  readonly isIcon?: boolean;
  /** Whether the text is a secret, which is removed from the clipboard after a minute. */
  readonly isSecret?: boolean;
}

const SHOWN_MS = 2_000;

/** Copies a text to the clipboard. If the browser does not allow it, a message is shown. */
export function CopyButton({ text, label, of, isIcon = false, isSecret = false }: CopyButtonProps) {
  const [outcome, setOutcome] = useState<'copied' | 'failed' | null>(null);
  const copy = async () => {
    try {
      await (isSecret ? copySecret(text) : copyText(text));
      setOutcome('copied');
      setTimeout(() => setOutcome(null), SHOWN_MS);
    } catch {
      setOutcome('failed');
    }
  };
  const Sign = outcome === 'copied' ? Check : Copy;
  const copiedLabel = isSecret ? 'Copied for 60 s' : 'Copied';
  const message = outcome === null ? '' : outcome === 'copied' ? copiedLabel : 'Select it and copy it manually';
  return (
    <>
      <button
        type="button"
        className={isIcon ? button.icon : button.plain}
        aria-label={isIcon ? label : undefined}
        title={isIcon ? message || label : undefined}
        onClick={() => void copy()}
      >
        <Sign size={14} aria-hidden />
        {!isIcon && (message || label)}
        {of !== undefined && <span className="heard"> {of}</span>}
      </button>
      {/* This status is outside the button, because screen readers do not announce changes inside a button. */}
      <span role="status" className="heard">
        {message}
      </span>
    </>
  );
}
