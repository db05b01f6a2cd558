import { useMatches } from '@tanstack/react-router';
import { helpFor } from '../lib/help.ts';
import { Dialog } from '../ui/dialog.tsx';
import page from '../ui/page.module.css';
import styles from './keys-dialog.module.css';

const KEYS: readonly (readonly [string, readonly string[]])[] = [
  ['Move between cells', ['Arrows']],
  ['First or last cell in the row', ['Home', 'End']],
  ['One screen up or down', ['Page up', 'Page down']],
  ['First or last cell', ['Ctrl + Home', 'Ctrl + End']],
  ['Select a range', ['Shift + Arrows', 'Shift + click']],
  ['Select the rows, or everything', ['Shift + Space', 'Ctrl + A']],
  ['Add the row to the selected ones', ['Ctrl + Space']],
  ['Collapse or expand a group', ['Arrow left', 'Arrow right']],
  ['Copy or paste the range', ['Ctrl + C', 'Ctrl + V']],
  ['Fill the range down or right', ['Ctrl + D', 'Ctrl + R']],
  ['Edit, or start typing', ['Enter']],
  ['Save and move down or right', ['Enter', 'Tab']],
  ['New line in a value', ['Shift + Enter']],
  ['Edit or view on the full page', ['Ctrl + Enter']],
  ['Go to “null” and “resolve”', ['Arrow down']],
  ['Cancel', ['Esc']],
  ['Remove the override, or those of the range', ['Del']],
  ['Apply the reviewed changes', ['Ctrl + Enter']],
  ['Undo or redo a draft', ['Ctrl + Z', 'Ctrl + Shift + Z']],
  ['Toggle explanation', ['Space']],
  ['Menu of the cell', ['Shift + F10']],
  ['Filter', ['/']],
  ['Next or previous region of the page', ['F6', 'Shift + F6']],
  ['Search everything', ['Ctrl + K']],
  ['This list', ['?']],
];

/** Lists the keyboard shortcuts of the matrix, and links the documentation. */
export function KeysDialog({ onClose }: { readonly onClose: () => void }) {
  const route = useMatches().at(-1)?.fullPath ?? '';
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <p>
        <a href={helpFor(route)} target="_blank" rel="noopener" className={page.link}>
          Documentation of this page
        </a>
      </p>
      <dl className={styles.keys}>
        {KEYS.map(([description, keys]) => (
          <div key={description} className={styles.line}>
            <dt>{description}</dt>
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
