import pg from 'pg';

/** What pg's connection tells its queries and its types do not. */
interface Wire {
  readonly parsedStatements: Readonly<Record<string, string>>;
  readonly submittedNamedStatements: Record<string, string>;
  sync(): void;
}

/** One statement on its way, as pg's client speaks to it. */
export interface Step {
  readonly name?: string | undefined;
  readonly text: string;
  readonly _result: { _types?: unknown };
  prepare(wire: Wire): void;
  handleRowDescription(message: unknown): void;
  handleDataRow(message: unknown): void;
  handleCommandComplete(message: unknown, wire: Wire): void;
  handleReadyForQuery(wire: Wire): void;
  handleError(error: Error, wire: Wire): void;
}

/** A prepared statement as a step; `types` are its client's. */
export function stepOf(
  statement: pg.QueryConfig,
  types: unknown,
  settle: (error: Error | null, result: pg.QueryResult) => void,
): Step {
  const step = new pg.Query(statement, settle as never) as unknown as Step;
  step._result._types = types;
  return step;
}

/**
 * Several statements with one end. pg ends each statement by itself, and PostgreSQL then answers each with a packet of its
 * own, which wakes this process every time. With one end there is one answer; after a statement that fails none is run.
 */
export class Batch extends pg.Query {
  declare name: string | undefined;
  declare text: string;
  private at = 0;

  constructor(private readonly steps: readonly Step[]) {
    super('');
    this.turnTo(0);
  }

  get texts(): readonly string[] {
    return this.steps.map(({ text }) => text);
  }

  override submit = (connection: unknown): void => {
    const wire = connection as Wire;
    const unended: Wire = Object.create(wire, { sync: { value: () => undefined } });
    for (const step of this.steps) step.prepare(unended);
    wire.sync();
  };

  handleRowDescription(message: unknown): void {
    this.steps[this.at]?.handleRowDescription(message);
  }

  handleDataRow(message: unknown): void {
    this.steps[this.at]?.handleDataRow(message);
  }

  handleCommandComplete(message: unknown, wire: Wire): void {
    this.steps[this.at]?.handleCommandComplete(message, wire);
    this.turnTo(this.at + 1);
  }

  handleReadyForQuery(wire: Wire): void {
    for (const step of this.steps) step.handleReadyForQuery(wire);
  }

  handleError(error: Error, wire: Wire): void {
    for (const step of this.steps) {
      const { name } = step;
      // those after the one that failed were not even parsed
      if (name !== undefined && wire.parsedStatements[name] === undefined) delete wire.submittedNamedStatements[name];
      step.handleError(error, wire);
    }
  }

  /** The client notes by name and text which statement was parsed just now. */
  private turnTo(at: number): void {
    this.at = at;
    this.name = this.steps[at]?.name;
    this.text = this.steps[at]?.text ?? '';
  }
}
