import { useNavigate, useParams } from '@tanstack/react-router';
import { formatCount } from '../../lib/format-count.ts';
import { Menu, type MenuItem } from '../../ui/menu.tsx';
import { withVisibleCharacters } from '../../ui/visible-characters.ts';
import { type CellRange, cellCount, countRows } from './cell-range.ts';
import type { GridData } from './grid-data.ts';
import type { KeyCommand } from './keys.ts';
import type { DraftTarget } from './use-cell-actions.ts';
import type { RangeActions } from './use-range-actions.tsx';

/** A point on the screen, at which a menu opens. */
export interface ScreenPoint {
  readonly x: number;
  readonly y: number;
}

export interface OpenMenu extends ScreenPoint {
  /** The cells that the menu applies to. */
  readonly range: CellRange;
  /** Whether they are selected rows. */
  readonly hasRows: boolean;
}

interface CellMenuProps {
  readonly data: GridData;
  readonly actions: RangeActions;
  readonly menu: OpenMenu;
  /** The active cell; null on the line of a group, and until its row is loaded. */
  readonly target: DraftTarget | null;
  readonly isExplaining: boolean;
  run(command: KeyCommand): void;
  onWarn(text: string): void;
  onClose(): void;
}

type SimpleCommand = 'explain' | 'unset' | 'fullPage' | 'toggleRow';

const NO_CLIPBOARD = 'The browser doesn’t let this page read the clipboard. Press Ctrl+V to paste.';

/** The menu of the selected cells or of one cell, with the actions of the keys. */
export function CellMenu(props: CellMenuProps) {
  const { menu, target, onClose } = props;
  const { range, hasRows } = menu;
  const isSingle = !hasRows && cellCount(range) === 1;
  const groups = useCellGroups(props);
  if (isSingle && !target) return null;
  const subject = hasRows ? formatCount(countRows(range), 'row') : formatCount(cellCount(range), 'cell');
  const label =
    isSingle && target ? `Actions on ${target.line.name} in ${target.column.name}` : `Actions on ${subject}`;
  return (
    <Menu
      label={withVisibleCharacters(label)}
      groups={isSingle ? groups : rangeGroups(props)}
      at={menu}
      onClose={onClose}
    />
  );
}

/** Returns the items for one cell. */
function useCellGroups(props: CellMenuProps) {
  const { data, isExplaining, target, run } = props;
  const pages = usePages(target);
  const command = (label: string, keys: string, kind: SimpleCommand): MenuItem => ({
    label,
    keys,
    isDanger: kind === 'unset',
    onSelect: () => run({ kind }),
  });
  const isEditable = target !== null && data.drafting.whyNot(target.line, target.column) === null;
  return [
    [
      command(isExplaining ? 'Close the explanation' : 'Explain', 'Space', 'explain'),
      { label: 'Edit', keys: 'Enter', onSelect: () => run({ kind: 'edit', typed: null }) },
      command(isEditable ? 'Edit on the full page' : 'View the full value', 'Ctrl + Enter', 'fullPage'),
    ],
    copyAndPaste(props),
    [command('Remove value', 'Del', 'unset')],
    [command('Select row', 'Ctrl + Space', 'toggleRow')],
    pages,
  ];
}

/** Returns the items for several cells or whole rows. */
function rangeGroups(props: CellMenuProps): readonly (readonly MenuItem[])[] {
  const {
    actions,
    menu: { range },
  } = props;
  return [
    copyAndPaste(props),
    [
      { label: 'Fill down', keys: 'Ctrl + D', onSelect: () => actions.fill('down', range) },
      { label: 'Fill right', keys: 'Ctrl + R', onSelect: () => actions.fill('right', range) },
    ],
    [{ label: 'Remove values', keys: 'Del', isDanger: true, onSelect: () => actions.unset(range) }],
    [
      { label: 'Copy to environment …', onSelect: () => actions.openRows('copy', range) },
      { label: 'Export …', onSelect: () => actions.openRows('export', range) },
      { label: 'Change type …', onSelect: () => actions.openRows('type', range) },
      { label: 'Delete parameters …', isDanger: true, onSelect: () => actions.openRows('delete', range) },
    ],
  ];
}

function copyAndPaste({ actions, menu: { range }, onWarn }: CellMenuProps): readonly MenuItem[] {
  const paste = (text: string) => actions.paste(text, range);
  return [
    { label: 'Copy', keys: 'Ctrl + C', onSelect: () => actions.copy(range) },
    {
      label: 'Paste',
      keys: 'Ctrl + V',
      onSelect: () => void navigator.clipboard.readText().then(paste, () => onWarn(NO_CLIPBOARD)),
    },
  ];
}

/** Returns items that open the pages of the parameter and of the environment. */
function usePages(target: DraftTarget | null): readonly MenuItem[] {
  const navigate = useNavigate();
  const { name = '' } = useParams({ strict: false });
  if (!target) return [];
  const { line, column } = target;
  const params = { name, parameter: line.name };
  return [
    {
      label: 'Parameter settings',
      onSelect: () => void navigate({ to: '/projects/$name/parameters/$parameter', params }),
    },
    {
      label: 'Parameter history',
      onSelect: () => void navigate({ to: '/projects/$name/history/$parameter', params }),
    },
    {
      label: withVisibleCharacters(`Open ${column.name}`),
      onSelect: () => void navigate({ to: '/environments/$environment', params: { environment: column.name } }),
    },
  ];
}
