import { Dialog } from '../ui/dialog.tsx';
import styles from './keys-dialog.module.css';

const KEYS: readonly (readonly [string, readonly string[]])[] = [
  ['Go from cell to cell', ['Arrows']],
  ['First, last in the row', ['Home', 'End']],
  ['A screen up, down', ['Page up', 'Page down']],
  ['First, last of all', ['Ctrl + Home', 'Ctrl + End']],
  ['Edit, or just type', ['Enter']],
  ['Keep and go down, right', ['Enter', 'Tab']],
  ['Line break in a text', ['Shift + Enter']],
  ['To “null” and “evaluate”', ['Arrow down']],
  ['Cancel', ['Esc']],
  ['Inherit again', ['Del']],
  ['Undo, redo a draft', ['Ctrl + Z', 'Ctrl + Shift + Z']],
  ['Explain, or stop', ['Space']],
  ['Filter', ['/']],
  ['Search everything', ['Ctrl + K']],
  ['These keys', ['?']],
];

/** What the keyboard does in the matrix. */
export function KeysDialog({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title="Keys" onClose={onClose}>
      <dl className={styles.keys}>
        {KEYS.map(([what, keys]) => (
          <div key={what} className={styles.line}>
            <dt>{what}</dt>
            <dd>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
