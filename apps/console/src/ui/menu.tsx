import { type KeyboardEvent, useLayoutEffect, useRef } from 'react';
import styles from './menu.module.css';

export interface MenuItem {
  readonly label: string;
  /** The key that does the same. */
  readonly keys?: string;
  /** Whether the action deletes something. */
  readonly isDanger?: boolean;
  onSelect(): void;
}

interface MenuProps {
  readonly label: string;
  /** Groups of items, with a line between them. */
  readonly groups: readonly (readonly MenuItem[])[];
  /** The point of the screen at which the menu opens. */
  readonly at: { readonly x: number; readonly y: number };
  /** Called when the menu is closed, before the action of the selected item. */
  onClose(): void;
}

/** A menu at a point of the screen, with the keys of a menu. A click outside and Escape close it. */
export function Menu({ label, groups, at, onClose }: MenuProps) {
  const menu = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = menu.current;
    if (!element) return;
    element.showPopover();
    const { offsetWidth, offsetHeight } = element;
    element.style.left = `${Math.max(0, Math.min(at.x, window.innerWidth - offsetWidth))}px`;
    element.style.top = `${Math.max(0, Math.min(at.y, window.innerHeight - offsetHeight))}px`;
    findItems(element)[0]?.focus();
  }, [at]);
  return (
    <div
      ref={menu}
      role="menu"
      tabIndex={-1}
      popover="auto"
      aria-label={label}
      className={styles.menu}
      onToggle={({ newState }) => newState === 'closed' && onClose()}
      onKeyDown={(event) => onMenuKey(event, onClose)}
    >
      {groups
        .filter((items) => items.length > 0)
        .map((items, group) => [
          group > 0 && <hr key={`before ${items[0]?.label}`} className={styles.line} />,
          ...items.map(({ label: caption, keys, isDanger, onSelect }) => (
            <button
              key={caption}
              type="button"
              role="menuitem"
              tabIndex={-1}
              className={styles.item}
              data-danger={isDanger || undefined}
              onClick={() => {
                onClose();
                onSelect();
              }}
            >
              {caption}
              {keys !== undefined && <kbd aria-hidden>{keys}</kbd>}
            </button>
          )),
        ])}
    </div>
  );
}

const findItems = (menu: HTMLElement) => [...menu.querySelectorAll<HTMLElement>('[role="menuitem"]')];

function onMenuKey(event: KeyboardEvent<HTMLElement>, onClose: () => void): void {
  event.stopPropagation();
  const items = findItems(event.currentTarget);
  const at = items.indexOf(document.activeElement as HTMLElement);
  const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
  if (next !== undefined) items.at(next % items.length)?.focus();
  else if (event.key === 'Escape' || event.key === 'Tab') onClose();
  else return;
  event.preventDefault();
}
