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

type KeyTable = Readonly<Record<string, KeyCommand>>;

/** The commands of keys without Ctrl, except Page Up and Page Down. */
const PLAIN: KeyTable = {
  ArrowDown: move(1, 0),
  ArrowUp: move(-1, 0),
  ArrowRight: move(0, 1),
  ArrowLeft: move(0, -1),
  Home: move(0, -FAR),
  End: move(0, FAR),
  Enter: { kind: 'edit', typed: null },
  F2: { kind: 'edit', typed: null },
  ' ': { kind: 'explain' },
  Escape: { kind: 'close' },
  Delete: { kind: 'unset' },
  Backspace: { kind: 'unset' },
};

/** The commands of keys with Ctrl, and with or without Shift. */
const CONTROL: KeyTable = {
  ' ': { kind: 'toggleRow' },
  y: { kind: 'redo' },
  home: move(-FAR, -FAR),
  end: move(FAR, FAR),
};
const CONTROL_SHIFT: KeyTable = { ...CONTROL, z: { kind: 'redo' } };
const CONTROL_ONLY: KeyTable = {
  ...CONTROL,
  enter: { kind: 'fullPage' },
  z: { kind: 'undo' },
  a: { kind: 'selectAll' },
  d: { kind: 'fillDown' },
  r: { kind: 'fillRight' },
};

/** Returns the command of a key, as in spreadsheets; null if the grid ignores the key. `page` is the number of rows per page. */
export function findCommand(pressed: PressedKey, page: number): KeyCommand | null {
  const { key, metaKey, ctrlKey, altKey, shiftKey } = pressed;
  if (altKey) return null;
  const control = shiftKey ? CONTROL_SHIFT : CONTROL_ONLY;
  const command = metaKey || ctrlKey ? (control[key.toLowerCase()] ?? null) : findPlainCommand(key, page);
  if (command?.kind === 'explain' && shiftKey) return { kind: 'selectRows' };
  return command?.kind === 'move' && shiftKey ? { ...command, kind: 'extend' } : command;
}

function findPlainCommand(key: string, page: number): KeyCommand | null {
  if (key === 'PageDown' || key === 'PageUp') return move(key === 'PageDown' ? page : -page, 0);
  // Slash focuses the filter, and the question mark opens the list of shortcuts.
  const isTyped = key.length === 1 && key !== '/' && key !== '?';
  return PLAIN[key] ?? (isTyped ? { kind: 'edit', typed: key } : null);
}
