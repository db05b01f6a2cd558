import { useNavigate, useParams } from '@tanstack/react-router';
import { counted } from '../../lib/counted.ts';
import { Menu, type MenuItem } from '../../ui/menu.tsx';
import { withVisibleCharacters } from '../../ui/visible-characters.ts';
import { type CellRange, cellCount, rowsOf } from './cell-range.ts';
import type { GridProps } from './grid-props.ts';
import type { GridCommand } from './keys.ts';
import type { DraftTarget } from './use-cell-actions.ts';

interface CellMenuProps extends Pick<GridProps, 'selection' | 'actions' | 'isExplaining' | 'onRefuse' | 'whyNot'> {
  /** The active cell; null on the line of a group, and while its row is being loaded. */
  readonly target: DraftTarget | null;
  /** The cells that the menu applies to. */
  readonly range: CellRange;
  readonly at: { readonly x: number; readonly y: number };
  run(command: GridCommand): void;
  onClose(): void;
}

type SimpleCommand = 'explain' | 'unset' | 'fullPage' | 'toggleRow';

const NO_CLIPBOARD = 'The browser doesn’t let this page read the clipboard. Press Ctrl+V to paste.';

/** The menu of the selected cells or of one cell, with the actions of the keys. */
export function CellMenu(props: CellMenuProps) {
  const { selection, range, target, at, onClose } = props;
  const hasRows = selection.hasRows && range === selection.range;
  const isOne = !hasRows && cellCount(range) === 1;
  const groups = useCellGroups(props);
  if (isOne && !target) return null;
  const of = hasRows ? counted(rowsOf(range), 'row') : counted(cellCount(range), 'cell');
  const label = isOne && target ? `Actions on ${target.line.name} in ${target.column.name}` : `Actions on ${of}`;
  return (
    <Menu label={withVisibleCharacters(label)} groups={isOne ? groups : rangeGroups(props)} at={at} onClose={onClose} />
  );
}

/** Returns the items for one cell. */
function useCellGroups({ actions, isExplaining, whyNot, target, range, run, ...props }: CellMenuProps) {
  const pages = usePages(target);
  const command = (label: string, keys: string, kind: SimpleCommand): MenuItem => ({
    label,
    keys,
    isDanger: kind === 'unset',
    onSelect: () => run({ kind }),
  });
  const isEditable = target !== null && whyNot(target.line, target.column) === null;
  return [
    [
      command(isExplaining ? 'Close the explanation' : 'Explain', 'Space', 'explain'),
      { label: 'Edit', keys: 'Enter', onSelect: () => run({ kind: 'edit', typed: null }) },
      command(isEditable ? 'Edit on the full page' : 'View the full value', 'Ctrl + Enter', 'fullPage'),
    ],
    copyAndPaste({ actions, range, ...props }),
    [command('Remove value', 'Del', 'unset')],
    [command('Select row', 'Ctrl + Space', 'toggleRow')],
    pages,
  ];
}

/** Returns the items for several cells or whole rows. */
function rangeGroups(props: Pick<CellMenuProps, 'actions' | 'range' | 'onRefuse'>): readonly (readonly MenuItem[])[] {
  const { actions, range } = props;
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

function copyAndPaste({
  actions,
  range,
  onRefuse,
}: Pick<CellMenuProps, 'actions' | 'range' | 'onRefuse'>): readonly MenuItem[] {
  const paste = (text: string) => actions.paste(text, range);
  return [
    { label: 'Copy', keys: 'Ctrl + C', onSelect: () => actions.copy(range) },
    {
      label: 'Paste',
      keys: 'Ctrl + V',
      onSelect: () => void navigator.clipboard.readText().then(paste, () => onRefuse(NO_CLIPBOARD)),
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
