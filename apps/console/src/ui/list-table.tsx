import type { ReactNode } from 'react';
import button from './button.module.css';
import page from './page.module.css';
import { ScrollArea } from './scroll-area.tsx';
import { UserText } from './user-text.tsx';

export interface ListColumn<Row> {
  readonly title: string;
  /** Whether narrow screens hide the column. */
  readonly isWide?: true;
  cell(row: Row): ReactNode;
}

export interface ListAction {
  readonly title: string;
  /** The words between the title of the action and the name of the row, for screen readers; null if the title needs no name. */
  readonly joint?: string | null;
  /** Whether the action deletes or ends something. */
  readonly isDestructive?: boolean;
  onChoose(): void;
}

interface ListTableProps<Row> {
  readonly rows: readonly Row[];
  /** The columns. The first one contains the name of the row. */
  readonly columns: readonly ListColumn<Row>[];
  nameOf(row: Row): string;
  /** The name of the table if nothing in its rows can be focused. It then scrolls by keyboard itself. */
  label?: string;
  /** Returns the actions on a row. Without this function the table has no buttons. */
  actionsOn?: ((row: Row) => readonly ListAction[]) | undefined;
}

/** A table of rows, with the buttons of each row in the last column. */
export function ListTable<Row extends { readonly id: string }>(props: ListTableProps<Row>) {
  const { rows, columns, nameOf, label, actionsOn } = props;
  const [first, ...otherColumns] = columns;
  const table = (
    <table className={page.table}>
      <thead>
        <tr>
          {columns.map(({ title, isWide }) => (
            <th key={title} scope="col" className={isWide && page.wide}>
              {title}
            </th>
          ))}
          {actionsOn && <td />}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.id}>
            <th scope="row">{first?.cell(row)}</th>
            {otherColumns.map(({ title, isWide, cell }) => (
              <td key={title} className={isWide && page.wide}>
                {cell(row)}
              </td>
            ))}
            {actionsOn && (
              <td>
                <RowButtons name={nameOf(row)} actions={actionsOn(row)} />
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
  if (label === undefined) return <div className={page.scroll}>{table}</div>;
  return (
    <ScrollArea label={label} className={page.scroll}>
      {table}
    </ScrollArea>
  );
}

function RowButtons({ name, actions }: { readonly name: string; readonly actions: readonly ListAction[] }) {
  if (actions.length === 0) return null;
  return (
    <div className={page.actions}>
      {actions.map(({ title, joint = ' of ', isDestructive, onChoose }) => (
        <button
          key={title}
          type="button"
          className={button.quiet}
          data-destructive={isDestructive || undefined}
          onClick={onChoose}
        >
          {title}
          {joint !== null && (
            <span className="heard">
              {joint}
              <UserText>{name}</UserText>
            </span>
          )}
        </button>
      ))}
    </div>
  );
}
