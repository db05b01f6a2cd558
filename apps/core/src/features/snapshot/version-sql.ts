/**
 * Builds SQL for versions of rows, from a table and its history. $1 is the organization, $2 the last revision, and $3
 * the first one: versions that ended at or before it are left out.
 */

/** Returns SQL that selects every version with the given columns. */
export const versionsSql = (table: string, columns: string): string => `(
  select ${columns}, revision, null::bigint as "revisionTo" from ${table} where organization_id = $1 and revision <= $2
  union all
  select ${columns}, revision, revision_to from ${table}_history
   where organization_id = $1 and revision <= $2 and revision_to > $3)`;

/** SQL expressions by the name of the result column. */
export type ColumnsByName = Readonly<Record<string, string>>;

/**
 * Returns SQL that selects the columns with their revision ranges. Consecutive versions that differ only in other
 * columns are merged, so that readers of the history do not process unrelated changes.
 */
export function selectStates(table: string, columns: ColumnsByName): string {
  const selectedColumns = Object.entries(columns).map(([name, expression]) => `${expression} as "${name}"`);
  const names = Object.keys(columns).map((name) => `"${name}"`);
  const partitionSql = `partition by ${names.join()} order by revision`;
  return `(
  select ${names.join()}, min(revision) as revision,
         case when bool_and("revisionTo" is not null) then max("revisionTo") end as "revisionTo"
    from (select *, count(*) filter (where begins) over (${partitionSql}) as state
            from (select *, lag("revisionTo") over (${partitionSql}) is distinct from revision as begins
                    from ${versionsSql(table, selectedColumns.join())} version
                   where "revisionTo" is null or "revisionTo" > revision) version) version
   group by ${names.join()}, state)`;
}
