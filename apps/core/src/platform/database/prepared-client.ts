import { Socket } from 'node:net';
import pg from 'pg';
import { Batch, type Shapes, type Step, stepOf } from './batch.ts';

/** A prepared statement keeps its plan in PostgreSQL's memory; what a caller can vary at will must not fill that. */
const PREPARED_MAX = 250;

export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** pg's way to write a value down, which its types do not tell. */
const { prepareValue } = (pg as unknown as { readonly utils: { prepareValue(value: unknown): unknown } }).utils;

/**
 * The statement with its values as they travel. One that cannot be written down is found out here: among statements that
 * travel together pg would leave it out, and send those after it, COMMIT included.
 */
function writable({ text, values }: Statement): Statement {
  return { text, values: values.map((value) => prepareValue(value)) };
}

type Answer = Promise<pg.QueryResult>;

/**
 * A connection on which every statement with parameters is prepared once: parsed and planned the first time, only run
 * from then on, whoever sends it. Statements that are sent without waiting for each other travel in one packet.
 */
export class PreparedClient extends pg.Client {
  private readonly names = new Map<string, string>();
  private readonly shapes: Shapes = new Map();
  private deferred: Step[] = [];

  constructor(config: pg.ClientConfig = {}) {
    const socket = new Socket();
    super({ ...config, pipeline: true, stream: () => socket });
    const send = this.query.bind(this) as (...parts: unknown[]) => unknown;
    this.query = ((question: unknown, values: unknown, ...rest: unknown[]) => {
      socket.cork();
      process.nextTick(() => socket.uncork());
      if (!(question instanceof Batch)) this.sendDeferred();
      return typeof question === 'string' && Array.isArray(values) && values.length > 0
        ? send({ name: this.nameOf(question), text: question, values }, ...rest)
        : send(question, values, ...rest);
    }) as typeof this.query;
  }

  /** Runs statements that need not wait for each other, and are answered together. After one that fails none is run. */
  async together(statements: readonly Statement[]): Promise<pg.QueryResult[]> {
    const answers = statements.map(writable).map((statement) => this.deferWritable(statement));
    this.sendDeferred();
    return Promise.all(answers);
  }

  /**
   * Sends a statement with the next one, or when nothing else is to be sent for the moment. Throws at once if it cannot be
   * sent at all.
   */
  defer(statement: Statement): Answer {
    return this.deferWritable(writable(statement));
  }

  private deferWritable({ text, values }: Statement): Answer {
    if (this.deferred.length === 0) setImmediate(() => this.sendDeferred());
    const named = { name: this.nameOf(text), text, values };
    return new Promise((resolve, reject) => {
      const { _types: types } = this as unknown as { readonly _types: unknown };
      this.deferred.push(stepOf(named, types, (error, result) => (error ? reject(error) : resolve(result))));
    });
  }

  private sendDeferred(): void {
    if (this.deferred.length === 0) return;
    const steps = this.deferred;
    this.deferred = [];
    this.query(new Batch(steps, this.shapes));
  }

  /** Undefined once there are too many: those are planned each time. */
  private nameOf(text: string): string | undefined {
    const known = this.names.get(text);
    if (known !== undefined || this.names.size >= PREPARED_MAX) return known;
    const name = `s${this.names.size}`;
    this.names.set(text, name);
    return name;
  }
}
