import { useEffect, useState } from 'react';
import type { CommandLineCode } from '../../data/command-line.ts';
import { ActionError } from '../../ui/action-error.tsx';
import button from '../../ui/button.module.css';
import { CardMessage } from '../../ui/card-message.tsx';
import card from '../../ui/card-page.module.css';
import { CopyButton } from '../../ui/copy-button.tsx';
import styles from './command-line.module.css';

interface CommandLineCodePanelProps {
  readonly created: CommandLineCode;
  /** The number that the terminal shows. */
  readonly number: string;
  readonly error: unknown;
  renew(): void;
}

/** Shows the code for a command line on another machine until it expires. */
export function CommandLineCodePanel({ created: signInCode, number, error, renew }: CommandLineCodePanelProps) {
  const isExpired = useIsExpired(signInCode);
  if (isExpired)
    return (
      <>
        <CardMessage title="The code has expired">If you did not use it, create another one.</CardMessage>
        {error !== null && <ActionError error={error} />}
        <button type="button" className={button.plain} onClick={renew}>
          Create another code
        </button>
      </>
    );
  return (
    <>
      <CardMessage title="Enter this code in the terminal">
        It works once, within {signInCode.expires_in} seconds, and only in the terminal that shows the number {number}.
      </CardMessage>
      <code className={styles.code}>{signInCode.code}</code>
      <div className={styles.buttons}>
        <CopyButton text={signInCode.code} label="Copy code" isSecret />
      </div>
      <p className={card.about}>Do not send this code to anyone.</p>
    </>
  );
}

function useIsExpired(signInCode: CommandLineCode): boolean {
  const [expiredCode, setExpiredCode] = useState<CommandLineCode | null>(null);
  useEffect(() => {
    const timer = setTimeout(() => setExpiredCode(signInCode), signInCode.expires_in * 1_000);
    return () => clearTimeout(timer);
  }, [signInCode]);
  return expiredCode === signInCode;
}
