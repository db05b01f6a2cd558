import { ArrowDown, ArrowUp, GripVertical, Pin } from 'lucide-react';
import { type KeyboardEvent, useState } from 'react';
import type { EnvironmentColumn } from '../../lib/environment-tree.ts';
import button from '../../ui/button.module.css';
import { NameFilter, useNameFilter } from '../../ui/name-filter.tsx';
import { UserText } from '../../ui/user-text.tsx';
import { withVisibleCharacters } from '../../ui/visible-characters.ts';
import { acceptColumn, dragColumn, draggedColumn } from './column-drag.ts';
import { moveBy, moveTo, parseWidths, resize, showOnly, togglePin } from './column-layout.ts';
import styles from './columns-menu.module.css';
import { selectColumns } from './grid-types.ts';
import type { GroupActions } from './group-actions.ts';
import type { MatrixSearch } from './matrix-search.ts';

/** The pixels by which a key changes the width. */
const WIDTH_STEP = 16;
const WIDTH_DEFAULT = 160;

export interface ColumnsMenuProps {
  readonly environments: readonly EnvironmentColumn[];
  /** The environments that are columns unless the URL names others. */
  readonly defaults: readonly EnvironmentColumn[];
  readonly search: MatrixSearch;
  readonly groups: GroupActions;
  onSearch(next: Partial<MatrixSearch>): void;
}

/** Renders the list of environments: which are visible, in which order, pinned and how wide. */
export function ColumnsMenu(props: ColumnsMenuProps) {
  const filter = useNameFilter();
  const list = useColumnList(props);
  const matching = list.names.filter((name) => filter.fits(name));
  return (
    <fieldset className={styles.menu}>
      <legend className="heard">Environments that are shown</legend>
      <NameFilter
        filterText={filter.filterText}
        onChange={filter.setFilterText}
        of="environments"
        total={list.names.length}
        shown={matching.length}
      />
      <div className={styles.all}>
        <button type="button" className={button.plain} onClick={list.reset}>
          Show all
        </button>
        <button type="button" className={button.plain} onClick={() => list.show([])}>
          None
        </button>
      </div>
      <ul>
        {matching.map((name) => (
          <ColumnLine key={name} name={name} list={list} {...props} />
        ))}
      </ul>
      <p className={styles.hint}>
        Drag to reorder, or press <kbd>Alt</kbd> with an arrow key to move a line or change the width of its column.
      </p>
    </fieldset>
  );
}

interface ColumnList {
  /** All environments in the order of the menu. */
  readonly names: readonly string[];
  isShown(name: string): boolean;
  /** Whether the environment is the only visible one. */
  isLast(name: string): boolean;
  show(names: readonly string[]): void;
  reorder(names: readonly string[]): void;
  /** Shows all environments in the order of the tree, also those below a collapsed one. */
  reset(): void;
}

function useColumnList({ environments, defaults, search, onSearch }: ColumnsMenuProps): ColumnList {
  // The requested columns, which the grid shows as soon as they are loaded.
  const shownNames = selectColumns(environments, { envs: search.envs }, defaults).map(({ name }) => name);
  const all = environments.map(({ name }) => name);
  // Hidden environments keep their places while the menu is open.
  const [order, setOrder] = useState(() => [...shownNames, ...all.filter((name) => !shownNames.includes(name))]);
  // After "None", the next choice replaces the visible environments: at least one column stays visible.
  const [isNone, setNone] = useState(false);
  const names = [...order.filter((name) => all.includes(name)), ...all.filter((name) => !order.includes(name))];
  const isShown = (name: string) => !isNone && shownNames.includes(name);
  return {
    names,
    isShown,
    isLast: (name) => isShown(name) && shownNames.length === 1,
    show: (next) => {
      setNone(next.length === 0);
      if (next.length > 0) onSearch(showOnly(next, defaults));
    },
    reorder: (next) => {
      setOrder([...next]);
      onSearch(
        showOnly(
          next.filter((name) => shownNames.includes(name)),
          defaults,
        ),
      );
    },
    reset: () => {
      setNone(false);
      setOrder(all);
      onSearch({ ...showOnly(all, defaults), pin: undefined, width: undefined });
    },
  };
}

interface ColumnLineProps extends Omit<ColumnsMenuProps, 'groups'> {
  readonly name: string;
  readonly list: ColumnList;
}

function ColumnLine({ name, list, search, onSearch }: ColumnLineProps) {
  const { names, isShown, show, reorder } = list;
  const move = (by: number) => reorder(moveBy(name, by, names));
  const widen = (by: number) =>
    onSearch(resize(name, (parseWidths(search.width).get(name) ?? WIDTH_DEFAULT) + by, search.width));
  const onKeyDown = (event: KeyboardEvent) => {
    const act = event.altKey && KEYS[event.key];
    if (!act) return;
    event.preventDefault();
    act({ move, widen });
  };
  return (
    <li
      className={styles.line}
      draggable
      onDragStart={dragColumn(name)}
      onDragOver={acceptColumn}
      onDrop={(event) => reorder(moveTo(draggedColumn(event), name, names))}
      onKeyDown={onKeyDown}
    >
      <GripVertical size={12} aria-hidden className={styles.grip} />
      <label title={withVisibleCharacters(name)}>
        <input
          type="checkbox"
          checked={isShown(name)}
          disabled={list.isLast(name)}
          onChange={() => show(names.filter((column) => isShown(column) !== (column === name)))}
        />
        <span>
          <UserText>{name}</UserText>
        </span>
      </label>
      <LineActions
        name={name}
        isPinned={search.pin?.includes(name) ?? false}
        onOnly={() => show([name])}
        onPin={() => onSearch(togglePin(name, search.pin))}
        onMove={move}
      />
    </li>
  );
}

interface LineKeys {
  move(by: number): void;
  widen(by: number): void;
}

const KEYS: Readonly<Record<string, (line: LineKeys) => void>> = {
  ArrowUp: ({ move }) => move(-1),
  ArrowDown: ({ move }) => move(1),
  ArrowLeft: ({ widen }) => widen(-WIDTH_STEP),
  ArrowRight: ({ widen }) => widen(WIDTH_STEP),
};

interface LineActionsProps {
  readonly name: string;
  readonly isPinned: boolean;
  onOnly(): void;
  onPin(): void;
  onMove(by: number): void;
}

function LineActions({ name, isPinned, onOnly, onPin, onMove }: LineActionsProps) {
  const labelFor = (action: string) => withVisibleCharacters(`${action} ${name}`);
  return (
    <span className={styles.actions}>
      <button type="button" className={styles.only} aria-label={labelFor('Show only')} onClick={onOnly}>
        Only
      </button>
      <button type="button" aria-label={labelFor('Move up')} title="Move up" onClick={() => onMove(-1)}>
        <ArrowUp size={13} aria-hidden />
      </button>
      <button type="button" aria-label={labelFor('Move down')} title="Move down" onClick={() => onMove(1)}>
        <ArrowDown size={13} aria-hidden />
      </button>
      <button type="button" aria-label={labelFor('Pin')} title="Pin" aria-pressed={isPinned} onClick={onPin}>
        <Pin size={13} aria-hidden />
      </button>
    </span>
  );
}
