import type { Requests } from './requests.ts';
import type { ConfigSelection } from './selection.ts';
import { ForeignResponse, isFinal, StrataError } from './strata-error.ts';
import { backoffOf, Deadline, pause, type Times } from './times.ts';
import type { ProgramReport } from './wire.ts';

const RESPONSE_MS = 10_000;

/** Reports which configuration the program runs. One request at a time; the latest report replaces those that wait. */
export class ProgramReporter {
  private latest: ProgramReport | null = null;
  private isPending = false;
  private isSending = false;
  private hasFailed = false;

  constructor(
    private readonly instance: string,
    private readonly requests: Requests,
    private readonly selection: ConfigSelection,
    private readonly times: Times,
    private readonly signal: AbortSignal,
    private readonly onError: (error: StrataError) => void,
  ) {}

  report(report: ProgramReport): void {
    this.latest = report;
    this.isPending = true;
    if (!this.isSending) void this.sendAll();
  }

  /** Repeats the last report, because Strata forgets programs that do not report. */
  repeat(): void {
    if (this.latest !== null) this.report(this.latest);
  }

  private async sendAll(): Promise<void> {
    this.isSending = true;
    for (let failures = 0; this.isPending && !this.signal.aborted; ) {
      this.isPending = false;
      const error = await this.send();
      failures = error === null ? 0 : failures + 1;
      this.note(error);
      // An earlier release of Strata has no reports; other requests return the same errors and end the program's connection.
      if (error === null || isFinal(error) || error instanceof ForeignResponse) continue;
      this.isPending = true;
      await pause(Math.max(backoffOf(failures, this.times.backoffMs), error.retryAfterMs), this.signal);
    }
    this.isSending = false;
  }

  private async send(): Promise<StrataError | null> {
    const { project, environment, names, reveal } = this.selection;
    const deadline = new Deadline(this.signal);
    deadline.restart(RESPONSE_MS);
    try {
      const body = { project, environment, instance: this.instance, names, reveal, ...this.latest };
      await this.requests.send('rollouts/', { method: 'POST', body, signal: deadline.signal });
      return null;
    } catch (error) {
      return error as StrataError;
    } finally {
      deadline.end();
    }
  }

  /** Passes on the first of several failures. */
  private note(error: StrataError | null): void {
    if (error !== null && !this.hasFailed && !this.signal.aborted) {
      this.onError(
        new StrataError('report_failed', `Strata did not accept the report of the program: ${error.message}`),
      );
    }
    this.hasFailed = error !== null;
  }
}
