/** Runs a query. A verification of a whole ledger needs a transaction that sees one state of the database throughout. */
export type LedgerQuery = <Row extends object>(text: string, values: readonly unknown[]) => Promise<readonly Row[]>;
