import { Injectable } from '@nestjs/common';
import {
  type EnvironmentId,
  type ExternalError,
  type ExternalSource,
  Failure,
  type ParameterId,
  type ProjectId,
  SYSTEM_PERMISSIONS,
} from '@strata/domain';
import { ProviderError } from '@strata/providers';
import { DataSource } from 'typeorm';
import { UnitOfWork } from '../../../platform/ledger/unit-of-work.ts';
import { poolOf } from '../../../platform/postgres/data-source.ts';
import { IS_INTERNAL } from '../../../platform/postgres/versioned-table.ts';
import { createSystemCaller } from '../../../platform/system-caller.ts';
import { readSealed } from '../../../platform/vault/sealed-text.ts';
import { Vault } from '../../../platform/vault/vault.ts';
import { ExternalContents, type StoreConnection } from '../../external/external-contents.ts';
import { ValueChanges } from '../../parameters/values/value-changes.ts';
import { REJECTED_CONTENT, toRunError } from './push-outcome.ts';
import type { RunLease } from './run-lease.ts';
import { RunSettings } from './run-settings.ts';
import type { ClaimedTask, SyncOutcome } from './run-store.ts';
import { type NewStep, TaskSteps } from './task-steps.ts';

/** The number of values whose texts a run keeps in memory. */
const PAGE = 500;
/** The number of values between two renewals of the lease. */
const RENEW_AFTER = 20;
/** The number of temporary errors in a row after which the rest waits for the next run. */
const TEMPORARY_ERRORS_MAX = 3;

interface ExternalRow {
  readonly id: string;
  readonly ledger_id: string;
  readonly text: string | null;
  readonly sealed: string | null;
  readonly source: ExternalSource;
  readonly environmentId: EnvironmentId;
  readonly parameterId: ParameterId;
  readonly projectId: ProjectId;
  /** Milliseconds since all values of the integration were read, or since the value was stored if that was later. */
  readonly read_ms_ago: number;
}

/** $2 is the pull, $3 the location of the integration, and $4 the last id of the page before. */
const EXTERNAL_VALUES = `
select value.id, value.ledger_id, value.text, ${readSealed('value')}::text as sealed, value.source, value.environment_id as "environmentId",
       parameter.id as "parameterId", parameter.project_id as "projectId",
       extract(epoch from clock_timestamp() - greatest(exchange.contents_read_at, value.modified_at))::float8 * 1000 as read_ms_ago
  from exchange join value on value.organization_id = $1
  join parameter on parameter.organization_id = $1 and parameter.id = value.parameter_id
 where exchange.organization_id = $1 and exchange.id = $2 and value.source is not null and not ${IS_INTERNAL}
   and starts_with(lower(value.source ->> 'fqn'), lower($3) || '/') and value.id > $4
 order by value.id limit ${PAGE}`;

const ALL_READ = `update exchange set contents_read_at = clock_timestamp() where organization_id = $1 and id = $2`;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

const REJECTED: ExternalError = {
  ...REJECTED_CONTENT,
  detail: `${REJECTED_CONTENT.detail} The last accepted text is kept.`,
};

/** The kinds of failures that are about the text. */
const REJECTIONS: ReadonlySet<Failure['kind']> = new Set(['invalid', 'unprocessable', 'conflict']);
const NOT_STORED = 'The text could not be stored now. The next run tries again.';

/** The result of a read at the location of a value. */
type Reading =
  | { readonly is: 'read'; readonly text: string }
  /** The value is marked as possibly outdated. */
  | { readonly is: 'failed'; readonly error: ExternalError }
  /** The provider is not available now. The next run reads the value. */
  | { readonly is: 'delayed'; readonly error: ProviderError };

/** The progress of a run. */
interface RunState {
  readonly task: ClaimedTask;
  readonly lease: RunLease;
  readonly connection: StoreConnection;
  readonly steps: NewStep[];
  /** The first temporary error. */
  delay: ProviderError | null;
  /** The number of temporary errors in a row. */
  temporaryErrors: number;
}

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

  /** A run is not repeated. The next scheduled one reads what was not available. */
  async run(task: ClaimedTask, lease: RunLease): Promise<SyncOutcome> {
    const { organizationId, provider, settings, fqn } = task;
    const connection = this.contents.connect({ organizationId, provider, settings, fqn });
    const steps: NewStep[] = [];
    const run: RunState = { task, lease, connection, steps, delay: null, temporaryErrors: 0 };
    try {
      let last = FIRST_ID;
      for (let rows = await this.page(task, last); rows.length > 0; rows = await this.page(task, last)) {
        await this.readPage(run, rows);
        last = rows.at(-1)?.id ?? last;
      }
    } finally {
      connection.close();
      await this.steps.add(task, steps);
    }
    if (run.delay) return { error: toRunError(run.delay), retryInMs: null };
    await poolOf(this.dataSource).query(ALL_READ, [organizationId, task.syncId]);
    const failed = steps.filter(({ success }) => !success);
    return { error: failed.length === 0 ? null : unreadableValues(failed.length), retryInMs: null };
  }

  private async page({ organizationId, syncId, fqn }: ClaimedTask, after: string): Promise<readonly ExternalRow[]> {
    const values = [organizationId, syncId, fqn, after];
    return (await poolOf(this.dataSource).query<ExternalRow>(EXTERNAL_VALUES, values)).rows;
  }

  private async readPage(run: RunState, rows: readonly ExternalRow[]): Promise<void> {
    const { task, lease, connection, steps } = run;
    const open = await this.vault.valueOpener(task.organizationId, rows);
    for (const [index, row] of rows.entries()) {
      if (index % RENEW_AFTER === 0) await lease.renew();
      const isStopped = run.delay !== null && run.temporaryErrors >= TEMPORARY_ERRORS_MAX;
      const reading: Reading =
        isStopped && run.delay ? { is: 'delayed', error: run.delay } : await read(connection, row);
      run.temporaryErrors = reading.is === 'delayed' ? run.temporaryErrors + 1 : 0;
      if (reading.is === 'delayed') run.delay ??= reading.error;
      const step = await this.store(task, row, reading, open(row));
      if (step) steps.push(step);
    }
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
    // The provider's sentence can differ each time, for example by the id of a request.
    const isSame = isSameText && error?.code === row.source.error?.code;
    if (isSame) return error && toStep(row, error);
    if (task.dryRun) return { ...toStep(row, error), summary: 'Planned: update.' };
    try {
      await this.write(task, row, { text, error });
      return toStep(row, error);
    } catch (writeError) {
      if (!(writeError instanceof Failure)) throw writeError;
      // The value was deleted meanwhile.
      if (writeError.kind === 'not_found') return null;
      if (!REJECTIONS.has(writeError.kind)) return toStep(row, { code: writeError.code, detail: NOT_STORED });
      return this.reject(task, row);
    }
  }

  private async reject(task: ClaimedTask, row: ExternalRow): Promise<NewStep> {
    try {
      await this.write(task, row, { text: null, error: REJECTED });
    } catch (writeError) {
      // One value must not stop the others. The step shows the error, and the next run tries again.
      if (!(writeError instanceof Failure)) throw writeError;
    }
    return toStep(row, REJECTED);
  }

  /** A provider that is not available does not make a text outdated at once. */
  private describeError(reading: Reading, row: ExternalRow): ExternalError | null {
    if (reading.is === 'read') return null;
    if (reading.is === 'failed') return reading.error;
    return row.read_ms_ago < this.settings.externalAgeMs ? row.source.error : toRunError(reading.error);
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

async function read(connection: StoreConnection, { source: { fqn, filter } }: ExternalRow): Promise<Reading> {
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
