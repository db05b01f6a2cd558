import { Eye, EyeOff } from 'lucide-react';
import button from '../../ui/button.module.css';
import { UserText } from '../../ui/user-text.tsx';
import { NoReveal } from '../reveal/no-reveal.tsx';
import type { SecretText } from '../reveal/use-secret-text.ts';
import styles from './text-pane.module.css';

/** A button that shows or hides the secret in an editor, or the reason why there is none. */
export function SecretToggle({ secretText }: { readonly secretText: SecretText }) {
  const { isHidden, isStored, mayShow, problem, toggle } = secretText;
  if (!mayShow) return <NoReveal />;
  const Sign = isHidden ? Eye : EyeOff;
  const verb = isHidden ? (isStored ? 'Reveal the current value' : 'Show') : 'Hide';
  return (
    <>
      <button type="button" className={button.plain} onClick={toggle}>
        <Sign size={14} aria-hidden /> {verb}
      </button>
      <span role="status" className={styles.size}>
        {problem === null ? isHidden && isStored && 'Revealing it is recorded.' : <UserText>{problem}</UserText>}
      </span>
    </>
  );
}
