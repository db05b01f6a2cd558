import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import button from './button.module.css';

interface CopyButtonProps {
  readonly text: string;
  /** The label, such as `Copy link`. */
  readonly label: string;
}

const SHOWN_MS = 2_000;

/** Copies a text to the clipboard. If the browser does not allow it, a message is shown. */
export function CopyButton({ text, label }: CopyButtonProps) {
  const [outcome, setOutcome] = useState<'copied' | 'refused' | null>(null);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setOutcome('copied');
      setTimeout(() => setOutcome(null), SHOWN_MS);
    } catch {
      setOutcome('refused');
    }
  };
  const Sign = outcome === 'copied' ? Check : Copy;
  const words = outcome === null ? '' : outcome === 'copied' ? 'Copied' : 'Select it and copy it manually';
  return (
    <>
      <button type="button" className={button.plain} onClick={() => void copy()}>
        <Sign size={14} aria-hidden />
        {words || label}
      </button>
      {/* This status is outside the button, because screen readers do not announce changes inside a button. */}
      <span role="status" className="heard">
        {words}
      </span>
    </>
  );
}
