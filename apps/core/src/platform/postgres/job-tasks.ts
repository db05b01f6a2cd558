import { Injectable } from '@nestjs/common';
import type { OrganizationId } from '@strata/domain';
import { withinOrganization } from './tenants.ts';

/** Runs a job of one organization, of which each statement may use only the rows of this organization. */
export function runConfined<Result>(payload: unknown, run: () => Result): Result {
  return withinOrganization((payload as { readonly organizationId: OrganizationId }).organizationId, run);
}

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
      [...this.tasks].map(([name, task]) => [
        name,
        (payload: unknown) => runConfined(payload, () => task(payload, signal)),
      ]),
    );
  }
}
