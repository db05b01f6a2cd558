import pg from 'pg';

/** What pg's connection tells its queries and its types do not. */
interface Wire {
  readonly parsedStatements: Readonly<Record<string, string>>;
  readonly submittedNamedStatements: Record<string, string>;
  _send(part: Buffer): void;
  describe(what: unknown): void;
  sync(): void;
}

/** What pg makes of the description of a statement's rows. */
interface Shape {
  readonly fields: readonly unknown[];
  readonly _parsers: unknown;
  readonly _prebuiltEmptyResultObject: unknown;
}

/**
 * How the rows of a connection's prepared statements look, by their names. PostgreSQL tells it once; it refuses to run a
 * statement whose rows have come to look otherwise since.
 */
export type Shapes = Map<string, Shape>;

/** One statement on its way, as pg's client speaks to it. */
export interface Step {
  name?: string | undefined;
  readonly text: string;
  readonly _result: Shape & { _types?: unknown };
  _accumulateRows?: boolean;
  prepare(wire: Wire): void;
  handleRowDescription(message: unknown): void;
  handleDataRow(message: unknown): void;
  handleCommandComplete(message: unknown, wire: Wire): void;
  handleReadyForQuery(wire: Wire): void;
  handleError(error: Error, wire: Wire): void;
}

type Settle = (error: Error | null, result: pg.QueryResult) => void;
/** Three arguments are taken as they are, one is copied. */
const Query = pg.Query as unknown as new (text: string, values: readonly unknown[], settle: Settle) => Step;

/** A statement as a step, prepared if it has a name; `types` are its client's. */
export function stepOf(
  {
    name,
    text,
    values,
  }: { readonly name: string | undefined; readonly text: string; readonly values: readonly unknown[] },
  types: unknown,
  settle: Settle,
): Step {
  const step = new Query(text, values, settle);
  step.name = name;
  step._result._types = types;
  return step;
}

/**
 * Several statements in one piece, with one end. pg ends each statement by itself, and PostgreSQL then answers each with a
 * packet of its own, which wakes this process every time. With one end there is one answer; after a statement that fails
 * none is run.
 */
export class Batch extends pg.Query {
  declare name: string | undefined;
  declare text: string;
  private at = 0;

  constructor(
    private readonly steps: readonly Step[],
    private readonly shapes: Shapes,
  ) {
    super('');
    this.turnTo(0);
  }

  get texts(): readonly string[] {
    return this.steps.map(({ text }) => text);
  }

  override submit = (connection: unknown): void => {
    const wire = connection as Wire;
    const parts: Buffer[] = [];
    const gathering = { _send: { value: (part: Buffer) => void parts.push(part) }, sync: { value: () => undefined } };
    const describing: Wire = Object.create(wire, gathering);
    const knowing: Wire = Object.create(describing, { describe: { value: () => undefined } });
    for (const step of this.steps) step.prepare(this.isShaped(step) ? knowing : describing);
    wire.sync.call(describing);
    wire._send(Buffer.concat(parts));
  };

  handleRowDescription(message: unknown): void {
    const step = this.steps[this.at];
    step?.handleRowDescription(message);
    if (step?.name !== undefined) this.shapes.set(step.name, shapeOf(step));
  }

  handleDataRow(message: unknown): void {
    this.steps[this.at]?.handleDataRow(message);
  }

  handleCommandComplete(message: unknown, wire: Wire): void {
    const step = this.steps[this.at];
    step?.handleCommandComplete(message, wire);
    // it has no rows
    if (step?.name !== undefined && !this.shapes.has(step.name)) this.shapes.set(step.name, shapeOf(step));
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

  /** If so, its answer will come without a description. */
  private isShaped(step: Step): boolean {
    const shape = step.name === undefined ? undefined : this.shapes.get(step.name);
    if (!shape) return false;
    Object.assign(step._result, shape);
    step._accumulateRows = true;
    return true;
  }

  /** The client notes by name and text which statement was parsed just now. */
  private turnTo(at: number): void {
    this.at = at;
    this.name = this.steps[at]?.name;
    this.text = this.steps[at]?.text ?? '';
  }
}

function shapeOf({ _result: { fields, _parsers, _prebuiltEmptyResultObject } }: Step): Shape {
  return { fields, _parsers, _prebuiltEmptyResultObject };
}
