import { Injectable } from '@nestjs/common';
import {
  type EnvironmentId,
  type ExternalError,
  type ExternalSource,
  externalSource,
  Failure,
  isWithin,
  type ParameterId,
  type ProjectId,
  SYSTEM_PERMISSIONS,
} from '@strata/domain';
import { ProviderError, retryDelay } from '@strata/providers';
import { DataSource } from 'typeorm';
import { UnitOfWork } from '../../../platform/ledger/unit-of-work.ts';
import { poolOf } from '../../../platform/postgres/data-source.ts';
import { createSystemCaller } from '../../../platform/system-caller.ts';
import { Vault } from '../../../platform/vault/vault.ts';
import { type ContentConnection, ExternalContents } from '../../external/external-contents.ts';
import { ValueChanges } from '../../parameters/values/value-changes.ts';
import { toRunError } from './push-outcome.ts';
import type { RunLease } from './run-lease.ts';
import { RunSettings } from './run-settings.ts';
import type { ClaimedTask, SyncOutcome } from './run-store.ts';
import { type NewStep, TaskSteps } from './task-steps.ts';

/** The maximum number of external values that one run reads. A run keeps their texts in memory. */
const VALUES_MAX = 5_000;
/** The number of values between two renewals of the lease. */
const RENEW_AFTER = 20;

interface ExternalRow {
  readonly id: string;
  readonly ledger_id: string;
  readonly text: string | null;
  readonly sealed: string | null;
  readonly source: ExternalSource;
  readonly environmentId: EnvironmentId;
  readonly parameterId: ParameterId;
  readonly projectId: ProjectId;
  readonly task_age_ms: number;
}

const EXTERNAL_VALUES = `
select value.id, value.ledger_id, value.text, value.sealed::text, value.source, value.environment_id as "environmentId",
       parameter.id as "parameterId", parameter.project_id as "projectId",
       (select extract(epoch from clock_timestamp() - task.created_at)::float8 * 1000 from task
         where task.organization_id = $1 and task.id = $2) as task_age_ms
  from value join parameter on parameter.organization_id = $1 and parameter.id = value.parameter_id
 where value.organization_id = $1 and value.source is not null and starts_with(lower(value.source ->> 'fqn'), lower($3))
 order by value.id limit ${VALUES_MAX}`;

const REJECTED: ExternalError = {
  code: 'external_content_rejected',
  detail:
    'The content does not satisfy the type and rules of the parameter, or a text that refers to it. The last accepted text is kept.',
};

/** The kinds of failures that are about the text. */
const REJECTIONS: ReadonlySet<Failure['kind']> = new Set(['invalid', 'unprocessable', 'conflict']);
const NOT_STORED = 'The text could not be stored now. The next run tries again.';

/** The result of a read at the location of a value. */
type Reading =
  | { readonly is: 'read'; readonly text: string }
  /** The value is marked as possibly outdated. */
  | { readonly is: 'failed'; readonly error: ExternalError }
  /** The provider is not available now. The run is repeated. */
  | { readonly is: 'delayed'; readonly error: ProviderError };

/** Runs the mapped pull of an integration: reads the contents of all its external values again. */
@Injectable()
export class PullRuns {
  constructor(
    private readonly dataSource: DataSource,
    private readonly contents: ExternalContents,
    private readonly values: ValueChanges,
    private readonly unitOfWork: UnitOfWork,
    private readonly vault: Vault,
    private readonly steps: TaskSteps,
    private readonly settings: RunSettings,
  ) {}

  async run(task: ClaimedTask, lease: RunLease): Promise<SyncOutcome> {
    const { organizationId, provider, settings, fqn } = task;
    const rows = await this.externalValues(task);
    const open = await this.vault.valueOpener(organizationId, rows);
    const connection = this.contents.connect({ organizationId, provider, settings, fqn });
    const steps: NewStep[] = [];
    let delay: ProviderError | null = null;
    try {
      for (const [index, row] of rows.entries()) {
        if (index % RENEW_AFTER === 0) await lease.renew();
        const reading = await read(connection, row);
        if (reading.is === 'delayed') delay ??= reading.error;
        const step = await this.store(task, row, reading, open(row));
        if (step) steps.push(step);
      }
    } finally {
      connection.close();
    }
    await this.steps.add(task, steps);
    const failed = steps.filter(({ success }) => !success);
    if (delay) return { error: toRunError(delay), retryInMs: retryDelay(delay, task.failures + 1, Math.random) };
    return { error: failed.length === 0 ? null : unreadableValues(failed.length), retryInMs: null };
  }

  private async externalValues({ organizationId, id, fqn }: ClaimedTask): Promise<readonly ExternalRow[]> {
    const { rows } = await poolOf(this.dataSource).query<ExternalRow>(EXTERNAL_VALUES, [organizationId, id, fqn]);
    return rows.filter((row) => externalSource(row) !== null && isWithin(row.source.fqn, fqn));
  }

  /** Stores a changed text, or why the text may be outdated. Returns the step of the value; null if nothing changed. */
  private async store(
    task: ClaimedTask,
    row: ExternalRow,
    reading: Reading,
    current: string | null,
  ): Promise<NewStep | null> {
    const error = this.describeError(reading, row);
    const text = reading.is === 'read' ? reading.text : null;
    const isSameText = text === null || text === current;
    const isSame = isSameText && error?.code === row.source.error?.code && error?.detail === row.source.error?.detail;
    if (isSame) return error && toStep(row, error);
    if (task.dryRun) return { ...toStep(row, error), summary: 'Planned: update.' };
    try {
      await this.write(task, row, { text, error });
      return toStep(row, error);
    } catch (thrown) {
      if (!(thrown instanceof Failure)) throw thrown;
      // The value was deleted meanwhile.
      if (thrown.kind === 'not_found') return null;
      if (!REJECTIONS.has(thrown.kind)) return toStep(row, { code: thrown.code, detail: NOT_STORED });
      return this.reject(task, row);
    }
  }

  private async reject(task: ClaimedTask, row: ExternalRow): Promise<NewStep> {
    try {
      await this.write(task, row, { text: null, error: REJECTED });
    } catch (thrown) {
      // One value must not stop the others. The step shows the error, and the next run tries again.
      if (!(thrown instanceof Failure)) throw thrown;
    }
    return toStep(row, REJECTED);
  }

  /** A provider that is not available does not make a text outdated at once. */
  private describeError(reading: Reading, row: ExternalRow): ExternalError | null {
    if (reading.is === 'read') return null;
    if (reading.is === 'failed') return reading.error;
    return row.task_age_ms < this.settings.externalAgeMs ? row.source.error : toRunError(reading.error);
  }

  private async write(
    { organizationId }: ClaimedTask,
    { id, parameterId, projectId, ledger_id: replaces, source: { fqn, filter } }: ExternalRow,
    change: { readonly text: string | null; readonly error: ExternalError | null },
  ): Promise<void> {
    const caller = createSystemCaller(organizationId, { id: 'integrations', name: 'Integrations' });
    const key = { organizationId, permissions: SYSTEM_PERMISSIONS, projectId, id: parameterId };
    await this.unitOfWork.run(this.values.refresh(caller, key, id, { fqn, filter, replaces, ...change }));
  }
}

async function read(connection: ContentConnection, { source: { fqn, filter } }: ExternalRow): Promise<Reading> {
  try {
    return { is: 'read', text: await connection.read(fqn, filter) };
  } catch (error) {
    if (error instanceof Failure) return { is: 'failed', error: { code: error.code, detail: error.message } };
    if (!(error instanceof ProviderError)) throw error;
    return error.isTemporary ? { is: 'delayed', error } : { is: 'failed', error: toRunError(error) };
  }
}

const unreadableValues = (count: number) => ({
  code: 'external_values_outdated',
  detail: `The content of ${count === 1 ? 'one value' : `${count} values`} cannot be read or was rejected. The values keep their last text. The steps have the reasons.`,
});

function toStep({ source, environmentId, projectId, parameterId }: ExternalRow, error: ExternalError | null): NewStep {
  const place = { fqn: source.fqn, environmentId, projectId, parameterId, summary: null };
  if (error === null) return { ...place, operation: 'update', success: true, errorCode: null, errorDetail: null };
  return { ...place, operation: 'read', success: false, errorCode: error.code, errorDetail: error.detail };
}
