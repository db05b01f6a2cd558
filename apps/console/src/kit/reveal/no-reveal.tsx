import { Lock } from 'lucide-react';
import styles from './reveal.module.css';

/** The reason why the buttons that reveal secrets are missing. */
export const NO_REVEAL = 'You can’t reveal secrets. An admin can give you this ability.';

/** Replaces the buttons that reveal secrets, for users who may not. */
export const NoReveal = () => (
  <p className={styles.reason}>
    <Lock size={13} aria-hidden /> {NO_REVEAL}
  </p>
);
