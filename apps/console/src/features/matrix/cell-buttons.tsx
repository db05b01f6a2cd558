import { Copy, Ellipsis, Info, Pencil } from 'lucide-react';
import styles from '../../kit/cells/cell.module.css';
import button from '../../ui/button.module.css';

const BUTTONS = [
  ['explain', 'Explain (Space)', Info],
  ['copy', 'Copy (Ctrl + C)', Copy],
  ['edit', 'Edit (Enter)', Pencil],
  ['menu', 'More actions (Shift + F10)', Ellipsis],
] as const;

/** The buttons in the cell below the pointer. Keys and screen readers have the same actions in the menu of the cell. */
export function CellButtons() {
  return (
    <span className={styles.buttons} aria-hidden>
      {BUTTONS.map(([action, title, Sign]) => (
        <button key={action} type="button" className={button.icon} tabIndex={-1} data-action={action} title={title}>
          <Sign size={13} />
        </button>
      ))}
    </span>
  );
}
