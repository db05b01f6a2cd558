import type { GridCommand } from './grid-state.ts';

type KeyAction = 'unset' | 'fullPage' | 'undo' | 'redo' | 'fillDown' | 'fillRight';
type StateCommand = 'move' | 'extend' | 'explain' | 'close' | 'selectAll' | 'selectRows' | 'toggleRow';

/** The command of a key, which changes the state of the grid, or runs an action. */
export type KeyCommand =
  | Extract<GridCommand, { readonly kind: StateCommand }>
  /** `typed` is the first character of the new text; null to start with the initial text. */
  | { readonly kind: 'edit'; readonly typed: string | null }
  | { readonly [Kind in KeyAction]: { readonly kind: Kind } }[KeyAction];

export interface PressedKey {
  readonly key: string;
  readonly metaKey: boolean;
  readonly ctrlKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
}

const FAR = Number.MAX_SAFE_INTEGER;
const move = (rows: number, columns: number): KeyCommand => ({ kind: 'move', rows, columns });

/** Returns the command of a key, as in spreadsheets; null if the grid ignores the key. `page` is the number of rows per page. */
export function findCommand(pressed: PressedKey, page: number): KeyCommand | null {
  const { key, metaKey, ctrlKey, altKey, shiftKey } = pressed;
  if (altKey) return null;
  const command = metaKey || ctrlKey ? withControl(key, shiftKey) : withoutControl(key, page);
  if (command?.kind === 'explain' && shiftKey) return { kind: 'selectRows' };
  return command?.kind === 'move' && shiftKey ? { ...command, kind: 'extend' } : command;
}

function withoutControl(key: string, page: number): KeyCommand | null {
  switch (key) {
    case 'ArrowDown':
      return move(1, 0);
    case 'ArrowUp':
      return move(-1, 0);
    case 'ArrowRight':
      return move(0, 1);
    case 'ArrowLeft':
      return move(0, -1);
    case 'PageDown':
      return move(page, 0);
    case 'PageUp':
      return move(-page, 0);
    case 'Home':
      return move(0, -FAR);
    case 'End':
      return move(0, FAR);
    case 'Enter':
    case 'F2':
      return { kind: 'edit', typed: null };
    case ' ':
      return { kind: 'explain' };
    case 'Escape':
      return { kind: 'close' };
    case 'Delete':
    case 'Backspace':
      return { kind: 'unset' };
    // These keys focus the filter and open the list of shortcuts.
    case '/':
    case '?':
      return null;
    default:
      return key.length === 1 ? { kind: 'edit', typed: key } : null;
  }
}

function withControl(key: string, shift: boolean): KeyCommand | null {
  switch (key.toLowerCase()) {
    case ' ':
      return { kind: 'toggleRow' };
    case 'enter':
      return shift ? null : { kind: 'fullPage' };
    case 'z':
      return { kind: shift ? 'redo' : 'undo' };
    case 'y':
      return { kind: 'redo' };
    case 'a':
      return shift ? null : { kind: 'selectAll' };
    case 'd':
      return shift ? null : { kind: 'fillDown' };
    case 'r':
      return shift ? null : { kind: 'fillRight' };
    case 'home':
      return move(-FAR, -FAR);
    case 'end':
      return move(FAR, FAR);
    default:
      return null;
  }
}
