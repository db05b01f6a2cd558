import code from '../../ui/code-block.module.css';
import { CopyButton } from '../../ui/copy-button.tsx';
import { ScrollableText } from '../../ui/scroll-area.tsx';
import styles from './copied-text.module.css';
import type { CopiedRequest } from './requests.ts';

/** Shows a text with a button to copy it. */
export function CopyableText({ title, text }: CopiedRequest) {
  return (
    <section className={styles.form} aria-label={title}>
      <div className={styles.head}>
        <h3>{title}</h3>
        <CopyButton text={text} label="Copy" />
      </div>
      <ScrollableText className={code.block}>{text}</ScrollableText>
    </section>
  );
}
