import { useState } from 'react';
import { chooseDisplay, describeOrigin, findOrigin, type ShownCell, visibleText } from '../../data/cell.ts';
import type { ComparisonCell, ComparisonPage, DifferenceRow } from '../../data/compare.ts';
import { CellContent } from '../../kit/cells/cell-content.tsx';
import { CopyValue } from '../../kit/copy-value/copy-value.tsx';
import { DifferenceLines } from '../../kit/difference/difference-lines.tsx';
import type { EnvironmentColumn } from '../../lib/environment-tree.ts';
import { isByLines } from '../../lib/text-difference.ts';
import { ScrollArea } from '../../ui/scroll-area.tsx';
import { UserText } from '../../ui/user-text.tsx';
import { withVisibleCharacters } from '../../ui/visible-characters.ts';
import styles from './difference-table.module.css';
import { cellKey, describePromotion, type Promotable } from './promotion.ts';

interface DifferenceTableProps {
  readonly differences: ComparisonPage;
  readonly titles: { readonly left: string; readonly right: string };
  readonly environments: readonly EnvironmentColumn[];
  readonly promotable: ReadonlyMap<string, Promotable>;
  readonly chosen: ReadonlySet<string>;
  onChosen(chosen: ReadonlySet<string>): void;
}

/** Shows a row for each name and pair of environments, with both sides formatted as in the matrix. */
export function DifferenceTable(props: DifferenceTableProps) {
  const { differences, titles: description, promotable, chosen, onChosen } = props;
  const { edges, columns } = differences;
  const hasEnvironments = columns.length > 1;
  const isAll = promotable.size > 0 && [...promotable.keys()].every((key) => chosen.has(key));
  const choose = (keys: Iterable<string>, isChosen: boolean) => {
    const next = new Set(chosen);
    for (const key of keys) {
      if (isChosen) next.add(key);
      else next.delete(key);
    }
    onChosen(next);
  };
  return (
    <ScrollArea className={styles.scroll} label="Differences">
      <table className={styles.table}>
        <thead>
          <tr>
            {promotable.size > 0 && (
              <td className={styles.choice}>
                <input
                  type="checkbox"
                  aria-label="Select all of this page"
                  checked={isAll}
                  onChange={({ target }) => choose(promotable.keys(), target.checked)}
                />
              </td>
            )}
            <th scope="col">Name</th>
            {hasEnvironments && <th scope="col">Environment</th>}
            <th scope="col">
              <UserText>{description.left}</UserText>
            </th>
            <th scope="col">
              <UserText>{description.right}</UserText>
            </th>
            {promotable.size > 0 && (
              <th scope="col" className={styles.promoting}>
                Promoting
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {edges.map(({ node: row }) =>
            row.cells.map((cell, at) => {
              const key = cellKey(row.name, cell.column);
              const { left, right } = columns[cell.column] ?? {};
              return (
                <DifferenceCells
                  key={key}
                  row={row}
                  cell={cell}
                  isFirst={at === 0}
                  environment={hasEnvironments ? ((right ?? left)?.name ?? '') : null}
                  isChosen={chosen.has(key)}
                  isPromotable={promotable.size > 0 ? promotable.has(key) : null}
                  onChoose={(isChosen) => choose([key], isChosen)}
                />
              );
            }),
          )}
        </tbody>
      </table>
    </ScrollArea>
  );
}

interface DifferenceCellsProps {
  readonly row: DifferenceRow;
  readonly cell: ComparisonCell;
  /** Whether it is the first row of its name. */
  readonly isFirst: boolean;
  /** The name of the environment; null if the table has no such column. */
  readonly environment: string | null;
  readonly isChosen: boolean;
  /** Whether the difference can be promoted; null if the table has no such column. */
  readonly isPromotable: boolean | null;
  onChoose(isChosen: boolean): void;
}

function DifferenceCells(props: DifferenceCellsProps) {
  const { row, cell, isFirst, environment, isChosen, isPromotable, onChoose } = props;
  const cellName = environment ? `${row.name} in ${environment}` : row.name;
  return (
    <>
      <tr data-chosen={isChosen || undefined} data-again={!isFirst || undefined}>
        {isPromotable !== null && (
          <td className={styles.choice}>
            {isPromotable && (
              <input
                type="checkbox"
                aria-label={withVisibleCharacters(cellName)}
                checked={isChosen}
                onChange={({ target }) => onChoose(target.checked)}
              />
            )}
          </td>
        )}
        <th scope="row">
          <code>
            <UserText>{row.name}</UserText>
          </code>
        </th>
        {environment !== null && (
          <td className={styles.environment}>
            <UserText>{environment}</UserText>
          </td>
        )}
        <Side cell={cell.left} of={cellName} which="left" />
        <Side cell={cell.right} of={cellName} which="right" />
        {isPromotable !== null && <td className={styles.promoting}>{promotionOfCell(row, cell)}</td>}
      </tr>
      <ChangedLines cell={cell} />
    </>
  );
}

/** Shows the lines that differ, if the texts have several. */
function ChangedLines({ cell }: { readonly cell: ComparisonCell }) {
  const [isOpen, setOpen] = useState(false);
  const [left, right] = [visibleText(cell.left), visibleText(cell.right)];
  if (left === null || right === null || !isByLines(left, right)) return null;
  return (
    <tr className={styles.lines}>
      <td colSpan={COLUMNS_MAX}>
        <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
          <summary>Lines that differ</summary>
          {isOpen && <DifferenceLines before={left} after={right} />}
        </details>
      </td>
    </tr>
  );
}
/** The maximum number of columns of the table. */
const COLUMNS_MAX = 6;

function promotionOfCell(row: DifferenceRow, cell: ComparisonCell): string {
  const description = describePromotion(cell);
  return row.right === null && cell.toSet?.action === 'set' ? 'creates the parameter and sets it' : description;
}

interface SideProps {
  readonly cell: ShownCell;
  /** The location of the value. */
  readonly of: string;
  readonly which: 'left' | 'right';
}

function Side({ cell, of, which }: SideProps) {
  const origin = findOrigin(cell);
  const from = describeOrigin(origin, cell);
  return (
    <td className={styles.side} data-origin={origin}>
      <CopyValue text={visibleText(cell)} {...{ of, which }}>
        <span className={styles.reading}>
          <CellContent reading={chooseDisplay(cell)} />
        </span>
      </CopyValue>
      {from !== null && (
        <span className={styles.from}>
          <UserText>{from}</UserText>
        </span>
      )}
    </td>
  );
}
