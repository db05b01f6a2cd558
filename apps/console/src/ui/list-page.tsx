import type { ReactNode } from 'react';
import { ErrorMessage } from './error-message.tsx';
import { NameFilter, useNameFilter } from './name-filter.tsx';
import page from './page.module.css';

/** The result of a query for a list. */
interface ListQuery<Row> {
  readonly data: readonly Row[] | undefined;
  readonly error: unknown;
  refetch(): unknown;
}

interface ListPageProps<Row> {
  /** The label of the list, such as `Groups`. */
  readonly label: string;
  readonly query: ListQuery<Row>;
  readonly about: ReactNode;
  /** The button or link that creates a row. */
  readonly action?: ReactNode;
  /** Shown in place of the list if it has no rows. */
  readonly empty?: ReactNode;
  /** Returns the texts of a row that the filter searches. Without this function there is no filter. */
  textsOf?(row: Row): readonly (string | null)[];
  children(rows: readonly Row[]): ReactNode;
}

/** A list with a description, a button to add a row, and a filter by name. */
export function ListPage<Row>({ label, query, about, action, empty, textsOf, children }: ListPageProps<Row>) {
  const { filterText, setFilterText: setWords, fits } = useNameFilter();
  const { data: all, error } = query;
  if (error) return <ErrorMessage error={error as Error} reset={() => void query.refetch()} />;
  if (!all) return <p className={page.note}>Loading …</p>;
  if (all.length === 0 && empty !== undefined) return empty;
  const shownRows = textsOf ? all.filter((row) => fits(...textsOf(row))) : all;
  return (
    <section className={page.part} aria-label={label}>
      <div className={page.head}>
        <p className={page.note}>{about}</p>
        {action}
      </div>
      {textsOf && (
        <NameFilter
          filterText={filterText}
          onChange={setWords}
          of={label.toLowerCase()}
          total={all.length}
          shown={shownRows.length}
        />
      )}
      {children(shownRows)}
    </section>
  );
}
