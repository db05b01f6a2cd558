import { originOf, originWords, readingOf, type ShownCell } from '../../data/cell.ts';
import type { DifferenceRow, ShownDifference, ShownDifferences } from '../../data/compare.ts';
import { Reading } from '../../kit/cells/reading.tsx';
import type { EnvironmentColumn } from '../../lib/environment-tree.ts';
import { spelledOut } from '../../ui/spelled-out.ts';
import { UserText } from '../../ui/user-text.tsx';
import styles from './difference-table.module.css';
import { cellKey, type Promotable, promotionWords } from './promotion.ts';

interface DifferenceTableProps {
  readonly differences: ShownDifferences;
  readonly words: { readonly left: string; readonly right: string };
  readonly environments: readonly EnvironmentColumn[];
  readonly promotable: ReadonlyMap<string, Promotable>;
  readonly chosen: ReadonlySet<string>;
  onChosen(chosen: ReadonlySet<string>): void;
}

/** One line for each name in each pair of environments, both sides as the matrix tells them. */
export function DifferenceTable(props: DifferenceTableProps) {
  const { differences, words, promotable, chosen, onChosen } = props;
  const { edges, columns } = differences;
  const isMany = columns.length > 1;
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
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with keys.
    <section className={styles.scroll} tabIndex={0} aria-label="Differences">
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
            {isMany && <th scope="col">Environment</th>}
            <th scope="col">
              <UserText>{words.left}</UserText>
            </th>
            <th scope="col">
              <UserText>{words.right}</UserText>
            </th>
            {promotable.size > 0 && <th scope="col">Promoting</th>}
          </tr>
        </thead>
        <tbody>
          {edges.map(({ node: row }) =>
            row.cells.map((cell, at) => {
              const key = cellKey(row.name, cell.column);
              const { left = null, right = null } = columns[cell.column] ?? {};
              return (
                <tr key={key} data-chosen={chosen.has(key) || undefined} data-again={at > 0 || undefined}>
                  {promotable.size > 0 && (
                    <td className={styles.choice}>
                      {promotable.has(key) && (
                        <input
                          type="checkbox"
                          aria-label={spelledOut([row.name, isMany && right?.name].filter(Boolean).join(' in '))}
                          checked={chosen.has(key)}
                          onChange={({ target }) => choose([key], target.checked)}
                        />
                      )}
                    </td>
                  )}
                  <th scope="row">
                    <code>
                      <UserText>{row.name}</UserText>
                    </code>
                  </th>
                  {isMany && (
                    <td className={styles.environment}>
                      <UserText>{(right ?? left)?.name}</UserText>
                    </td>
                  )}
                  <Side cell={cell.left} />
                  <Side cell={cell.right} />
                  {promotable.size > 0 && <td className={styles.promoting}>{promotionOfCell(row, cell)}</td>}
                </tr>
              );
            }),
          )}
        </tbody>
      </table>
    </section>
  );
}

function promotionOfCell(row: DifferenceRow, cell: ShownDifference): string {
  const words = promotionWords(cell);
  return row.right === null && cell.toSet?.action === 'set' ? 'creates the parameter and sets it' : words;
}

function Side({ cell }: { readonly cell: ShownCell }) {
  const origin = originOf(cell, null);
  const from = originWords(origin, cell);
  return (
    <td className={styles.side} data-origin={origin}>
      <span className={styles.reading}>
        <Reading reading={readingOf(cell)} />
      </span>
      {from !== null && (
        <span className={styles.from}>
          <UserText>{from}</UserText>
        </span>
      )}
    </td>
  );
}
