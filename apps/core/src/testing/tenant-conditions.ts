import type { parse } from 'libpg-query';
import { moduleOfCore } from './core-in-process.ts';

type Node = Readonly<Record<string, unknown>>;

/** One `select`, `update`, `delete` or `insert`: its tables by alias, and the aliases whose organization is compared. */
interface Scope {
  readonly tables: Map<string, string>;
  readonly compared: Set<string>;
  readonly queries: Set<string>;
  readonly outer: Scope | null;
}

const ORGANIZATION = 'organization_id';
const STATEMENTS: ReadonlySet<string> = new Set(['SelectStmt', 'UpdateStmt', 'DeleteStmt', 'InsertStmt']);
const EQUALITIES: ReadonlySet<unknown> = new Set(['AEXPR_OP', 'AEXPR_OP_ANY', 'AEXPR_IN', 'AEXPR_NOT_DISTINCT']);

/**
 * Returns the tables of tenants that a statement reads or changes without comparing their `organization_id` with something.
 * PostgreSQL's own parser reads the statement.
 */
export async function findTablesWithoutOrganization(
  text: string,
  tenantTables: ReadonlySet<string>,
): Promise<readonly string[]> {
  const unlimitedTables: string[] = [];
  const visit = (node: unknown, scope: Scope | null): void => {
    if (Array.isArray(node)) for (const item of node) visit(item, scope);
    else if (typeof node === 'object' && node !== null)
      for (const [name, child] of Object.entries(node)) visitMember(name, child, scope);
  };
  const visitMember = (name: string, child: unknown, scope: Scope | null) => {
    if (STATEMENTS.has(name) || name === 'larg' || name === 'rarg') visitStatement(name, child as Node, scope);
    else {
      if (scope && name === 'A_Expr' && EQUALITIES.has((child as Node).kind)) compare(child as Node, scope);
      if (scope && name === 'SubLink') addCompared((child as Node).testexpr, scope);
      if (scope && name === 'JoinExpr') compareShared(child as Node, scope);
      visit(child, scope);
    }
  };
  const visitStatement = (name: string, statement: Node, outer: Scope | null) => {
    const scope: Scope = { tables: new Map(), compared: new Set(), queries: new Set(), outer };
    for (const query of listQueries(statement)) scope.queries.add(query);
    for (const table of [statement.fromClause, statement.usingClause]) addTables(table, scope);
    if (name === 'InsertStmt') {
      const columns = JSON.stringify(statement.cols ?? []);
      if (!columns.includes(`"${ORGANIZATION}"`)) addTable(statement.relation as Node, scope);
    } else if (statement.relation) addTable(statement.relation as Node, scope);
    visit(statement, scope);
    for (const [alias, table] of scope.tables)
      if (tenantTables.has(table) && !scope.compared.has(alias)) unlimitedTables.push(table);
  };
  const parser = await moduleOfCore<{ readonly parse: typeof parse }>('libpg-query');
  visit((await parser.parse(text)).stmts, null);
  return unlimitedTables;
}

/** Returns the names of the queries in `with`. */
function listQueries(statement: Node): readonly string[] {
  const { ctes = [] } = (statement.withClause ?? {}) as { ctes?: readonly { CommonTableExpr: { ctename: string } }[] };
  return ctes.map(({ CommonTableExpr: { ctename } }) => ctename);
}

function addTables(node: unknown, scope: Scope): void {
  if (Array.isArray(node)) for (const item of node) addTables(item, scope);
  else if (typeof node === 'object' && node !== null) {
    const { RangeVar: table, JoinExpr: join } = node as { RangeVar?: Node; JoinExpr?: Node };
    if (table) addTable(table, scope);
    if (join) addTables([join.larg, join.rarg], scope);
  }
}

function addTable(table: Node, scope: Scope): void {
  const name = table.relname as string;
  for (let at: Scope | null = scope; at; at = at.outer) if (at.queries.has(name)) return;
  scope.tables.set((table.alias as { aliasname?: string } | undefined)?.aliasname ?? name, name);
}

function compare({ name, lexpr, rexpr }: Node, scope: Scope): void {
  if (JSON.stringify(name).includes('"="')) addCompared([lexpr, rexpr], scope);
}

/** `using (organization_id)` compares the tables of both sides. */
function compareShared({ usingClause, larg, rarg }: Node, scope: Scope): void {
  if (!JSON.stringify(usingClause ?? []).includes(`"${ORGANIZATION}"`)) return;
  const joined: Scope = { ...scope, tables: new Map() };
  addTables([larg, rarg], joined);
  for (const alias of joined.tables.keys()) scope.compared.add(alias);
}

/** Adds the organizations among compared columns and rows of columns. */
function addCompared(node: unknown, scope: Scope): void {
  if (Array.isArray(node)) for (const item of node) addCompared(item, scope);
  else if (typeof node === 'object' && node !== null) {
    const { ColumnRef: column, RowExpr: row } = node as { ColumnRef?: { fields: readonly Node[] }; RowExpr?: Node };
    if (row) addCompared(row.args, scope);
    if (column)
      addColumn(
        column.fields.map((field) => (field.String as { sval?: string } | undefined)?.sval ?? ''),
        scope,
      );
  }
}

function addColumn(names: readonly string[], scope: Scope): void {
  const [alias, ...others] = names.slice(0, -1);
  if (names.at(-1) !== ORGANIZATION || others.length > 0) return;
  for (let at: Scope | null = scope; at; at = at.outer) {
    // a column without an alias belongs to the only table of the nearest statement that has tables
    const owners = [...at.tables.keys()].filter((table) => alias === undefined || table === alias);
    if (owners.length === 0) continue;
    if (owners.length === 1) for (const owner of owners) at.compared.add(owner);
    return;
  }
}
