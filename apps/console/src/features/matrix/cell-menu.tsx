import { useNavigate, useParams } from '@tanstack/react-router';
import { Menu, type MenuItem } from '../../ui/menu.tsx';
import { withVisibleCharacters } from '../../ui/visible-characters.ts';
import { cellCount } from './cell-range.ts';
import type { GridProps } from './grid-props.ts';
import type { GridCommand } from './keys.ts';
import type { DraftTarget } from './use-cell-actions.ts';

interface CellMenuProps extends Pick<GridProps, 'selection' | 'actions' | 'isExplaining' | 'onRefuse'> {
  /** The active cell. */
  readonly target: DraftTarget;
  readonly at: { readonly x: number; readonly y: number };
  run(command: GridCommand): void;
  onClose(): void;
}

const NO_CLIPBOARD = 'The browser doesn’t let this page read the clipboard. Press Ctrl+V to paste.';

/** The menu of the selected cells, with the actions of the keys. */
export function CellMenu({ selection, actions, isExplaining, onRefuse, target, at, run, onClose }: CellMenuProps) {
  const pages = usePages(target);
  const { name } = target.line;
  const command = (label: string, keys: string, kind: 'explain' | 'unset' | 'fillDown' | 'fillRight'): MenuItem => ({
    label,
    keys,
    isDanger: kind === 'unset',
    onSelect: () => run({ kind }),
  });
  const edit = { label: 'Edit', keys: 'Enter', onSelect: () => run({ kind: 'edit', typed: null }) };
  const copy = { label: 'Copy', keys: 'Ctrl + C', onSelect: actions.copy };
  const paste = {
    label: 'Paste',
    keys: 'Ctrl + V',
    onSelect: () => void navigator.clipboard.readText().then(actions.paste, () => onRefuse(NO_CLIPBOARD)),
  };
  const { isSeveral, range } = selection;
  const groups = isSeveral
    ? [
        [copy, paste],
        [command('Fill down', 'Ctrl + D', 'fillDown'), command('Fill right', 'Ctrl + R', 'fillRight')],
        [command('Remove values', 'Del', 'unset')],
        [
          { label: 'Copy to environment …', onSelect: () => actions.openRows('copy') },
          { label: 'Change type …', onSelect: () => actions.openRows('type') },
          { label: 'Delete parameters …', isDanger: true, onSelect: () => actions.openRows('delete') },
        ],
      ]
    : [
        [command(isExplaining ? 'Close the explanation' : 'Explain', 'Space', 'explain'), edit],
        [copy, paste],
        [command('Remove value', 'Del', 'unset')],
        pages,
      ];
  const label = isSeveral ? `Actions on ${cellCount(range)} cells` : `Actions on ${name} in ${target.column.name}`;
  return <Menu label={withVisibleCharacters(label)} groups={groups} at={at} onClose={onClose} />;
}

/** Returns items that open the pages of the parameter and of the environment. */
function usePages({ line, column }: DraftTarget): readonly MenuItem[] {
  const navigate = useNavigate();
  const { name = '' } = useParams({ strict: false });
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
