import { CONTENT_TABLES } from '@strata/evidence';
import { columnsOf, VERSIONED_TABLES } from '../postgres/versioned-table.ts';

test('checkpoints cover all columns that users write, of all versioned tables except the derived one', () => {
  const covered = CONTENT_TABLES.map(({ table, columns, laterColumns = {} }) => [
    table,
    [...columns, ...Object.keys(laterColumns)].toSorted(),
  ]);
  const tables = VERSIONED_TABLES.filter((table) => table !== 'reference');
  expect(covered.toSorted()).toEqual(
    tables.map((table) => [table, Object.keys(columnsOf(table)).toSorted()]).toSorted(),
  );
});
