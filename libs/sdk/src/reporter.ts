import type { Requests } from './requests.ts';
import type { ConfigSelection } from './selection.ts';
import { ForeignResponseError, isFinal, StrataError } from './strata-error.ts';
import { backoffDelay, Deadline, pause, type Times } from './times.ts';
import type { ProgramReport } from './wire.ts';

const RESPONSE_MS = 10_000;

export interface ReporterContext {
  readonly instance: string;
  readonly requests: Requests;
  readonly selection: ConfigSelection;
  readonly times: Times;
  readonly signal: AbortSignal;
  readonly onError: (error: StrataError) => void;
}

/** Reports which configuration the program runs. One request at a time; the latest report replaces those that wait. */
export class ProgramReporter {
  readonly #context: ReporterContext;
  #latest: ProgramReport | null = null;
  /** Whether the latest report has to be sent. */
  #isPending = false;
  #isSending = false;
  #hasFailed = false;

  constructor(context: ReporterContext) {
    this.#context = context;
  }

  report(report: ProgramReport): void {
    this.#latest = report;
    this.#isPending = true;
    if (!this.#isSending) void this.#sendAll();
  }

  /** Repeats the last report, because Strata forgets programs that do not report. */
  repeat(): void {
    if (this.#latest !== null) this.report(this.#latest);
  }

  async #sendAll(): Promise<void> {
    const { times, signal } = this.#context;
    this.#isSending = true;
    for (let failures = 0; this.#isPending && !signal.aborted; ) {
      this.#isPending = false;
      const error = await this.#send();
      failures = error === null ? 0 : failures + 1;
      this.#note(error);
      // An earlier release of Strata has no reports; other requests return the same errors and end the program's connection.
      if (error === null || isFinal(error) || error instanceof ForeignResponseError) continue;
      this.#isPending = true;
      await pause(Math.max(backoffDelay(failures, times.backoffMs), error.retryAfterMs), signal);
    }
    this.#isSending = false;
  }

  async #send(): Promise<StrataError | null> {
    const { instance, requests, selection, signal } = this.#context;
    const { project, environment, names, reveal } = selection;
    const deadline = new Deadline(signal);
    deadline.restart(RESPONSE_MS);
    try {
      const body = { project, environment, instance, names, reveal, ...this.#latest };
      await requests.send('rollouts/', { method: 'POST', body, signal: deadline.signal });
      return null;
    } catch (error) {
      return error as StrataError;
    } finally {
      deadline.end();
    }
  }

  /** Passes on the first of several failures. */
  #note(error: StrataError | null): void {
    if (error !== null && !this.#hasFailed && !this.#context.signal.aborted) {
      this.#context.onError(
        new StrataError('report_failed', `Strata did not accept the report of the program: ${error.message}`),
      );
    }
    this.#hasFailed = error !== null;
  }
}
