import { Injectable } from '@nestjs/common';

/** Runs one job. The signal is aborted when the process stops. */
export type JobTask = (payload: unknown, signal: AbortSignal) => Promise<void>;

/** The kinds of jobs of the queue. Features add theirs when they are created, before the workers start. */
@Injectable()
export class JobTasks {
  private readonly tasks = new Map<string, JobTask>();

  add(name: string, task: JobTask): void {
    this.tasks.set(name, task);
  }

  all(signal: AbortSignal): Record<string, (payload: unknown) => Promise<void>> {
    return Object.fromEntries(
      [...this.tasks].map(([name, task]) => [name, (payload: unknown) => task(payload, signal)]),
    );
  }
}
