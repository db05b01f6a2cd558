import { Injectable } from '@nestjs/common';
import { decidePull, Failure, formatCount, type PullSkip } from '@strata/domain';
import { findProvider, ProviderError } from '@strata/providers';
import { DataSource } from 'typeorm';
import type { Command } from '../../../platform/ledger/command.ts';
import { UnitOfWork } from '../../../platform/ledger/unit-of-work.ts';
import { poolOf } from '../../../platform/postgres/data-source.ts';
import { ExternalContents, type StoreConnection } from '../../external/external-contents.ts';
import { limitRequests, ProviderSetup, TOO_MANY_KEYS } from '../../external/provider-environment.ts';
import { listPatternKeys, type MatchingKey, type SkippedKey } from '../pattern-keys.ts';
import { type KeyOutcome, PatternImport, PullChanged, type ReadKey } from './pattern-import.ts';
import { readPatternState } from './pattern-state.ts';
import { shorten, toRunError } from './push-outcome.ts';
import type { RunLease } from './run-lease.ts';
import { type ClaimedTask, PULL_CHANGED, type RunError, type SyncOutcome } from './run-store.ts';
import { type NewStep, TaskSteps } from './task-steps.ts';

/** The number of keys of one changeset, whose contents a run keeps in memory. Other writers wait for a changeset. */
const CHANGESET_KEYS = 200;
/** The number of contents that are read between two renewals of the lease. */
const RENEW_AFTER = 20;
/** The requests for a list. The smallest pages of a provider have 25 keys. */
export const LIST_REQUESTS_MAX = 500;

export const SKIPS: Readonly<Record<PullSkip, string>> = {
  value_set: 'The value was set in Strata, so the pull does not change it. Delete it to import the key.',
  value_of_another_key: 'The value has another location or a filter, so the pull does not change it.',
  value_inherited:
    'The parameter inherits a value, so the pull does not change it. Set the value in the environment, or delete the inherited one.',
  no_environment: 'The environment does not exist, and create_environments of the pull is false.',
  no_project: 'The project does not exist, and create_projects of the pull is false.',
};

const NOT_ALLOWED: RunError = {
  code: 'pull_not_allowed',
  detail:
    'The member who started the run may not manage integrations or reveal secrets any more. Start it as another member.',
};

/** Runs a pattern pull: creates external values for the keys of a store whose names match. */
@Injectable()
export class PatternPullRuns {
  constructor(
    private readonly dataSource: DataSource,
    private readonly contents: ExternalContents,
    private readonly setup: ProviderSetup,
    private readonly imports: PatternImport,
    private readonly unitOfWork: UnitOfWork,
    private readonly steps: TaskSteps,
  ) {}

  /** A run that was interrupted is repeated. Values that it has created exist then. */
  async run(task: ClaimedTask, lease: RunLease): Promise<SyncOutcome> {
    const steps: NewStep[] = [];
    try {
      await this.unitOfWork.dryRun(this.imports.check(task), () => Promise.resolve());
      const { matching, skipped } = await this.list(task, lease);
      steps.push(...skipped.map(skippedStep));
      for (let start = 0; start < matching.length; start += CHANGESET_KEYS) {
        const outcomes = await this.import(task, lease, matching.slice(start, start + CHANGESET_KEYS));
        const openOutcomes = outcomes.filter((outcome) => task.dryRun || !isCreated(outcome));
        steps.push(...toSteps(openOutcomes, task));
      }
    } catch (error) {
      if (error instanceof PullChanged) return { error: PULL_CHANGED, retryInMs: null };
      if (error instanceof ProviderError && error.code === TOO_MANY_KEYS)
        return { error: { code: TOO_MANY_KEYS, detail: error.detail }, retryInMs: null };
      const isDenied = error instanceof Failure && (error.kind === 'forbidden' || error.kind === 'bad_credential');
      if (!isDenied) throw error;
      return { error: NOT_ALLOWED, retryInMs: null };
    } finally {
      await this.steps.add(task, steps, { keepsCreated: !task.dryRun });
    }
    const failedCount = steps.filter(({ success }) => !success).length;
    return { error: failedCount === 0 ? null : failedKeys(failedCount), retryInMs: null };
  }

  private async list(task: ClaimedTask, lease: RunLease) {
    const { provider: name, fqn, sync } = task;
    const provider = findProvider(name);
    if (provider === null) throw new Error(`No provider is registered for ${name}.`);
    const environment = limitRequests(this.setup.fencedBy(lease), LIST_REQUESTS_MAX);
    const connection = this.contents.connect(task, environment);
    try {
      const location = { region: sync.region, service: sync.service };
      return await listPatternKeys(connection, { provider, fqn, location, resource: sync.resource ?? '' });
    } finally {
      connection.close();
    }
  }

  /** Reads the contents of keys without a value, and creates their values with one changeset. */
  private async import(task: ClaimedTask, lease: RunLease, matches: readonly MatchingKey[]): Promise<KeyOutcome[]> {
    const pool = poolOf(this.dataSource);
    const run = async <Row extends object>(sql: string, values: unknown[]) => (await pool.query<Row>(sql, values)).rows;
    const states = await readPatternState(run, task, matches);
    const outcomes: KeyOutcome[] = [];
    const readKeys: ReadKey[] = [];
    const connection = this.contents.connect(task, this.setup.fencedBy(lease));
    try {
      for (const [index, match] of matches.entries()) {
        if (index % RENEW_AFTER === 0) await lease.renew();
        const state = states[index];
        if (!state) continue;
        const decision = decidePull(state, task.sync.options);
        const content = decision === 'create' ? await readContent(connection, match.fqn) : null;
        if (typeof content === 'string') readKeys.push({ match, text: content });
        else outcomes.push({ match, state, result: content ?? decision });
      }
    } finally {
      connection.close();
    }
    if (readKeys.length === 0) return outcomes;
    await lease.renew();
    const command = this.command(task, readKeys);
    const createdKeys = task.dryRun
      ? await this.unitOfWork.dryRun(command, async (_context, result) => result)
      : (await this.unitOfWork.run(command)).result;
    return [...outcomes, ...createdKeys];
  }

  /** Returns the changeset of some keys, which also stores the steps of what it creates. */
  private command(task: ClaimedTask, readKeys: readonly ReadKey[]): Command<readonly KeyOutcome[]> {
    const command = this.imports.command(task, readKeys);
    return {
      ...command,
      run: async (context) => {
        const outcomes = await command.run(context);
        await this.steps.append(context.em, task, toSteps(outcomes.filter(isCreated), task));
        return outcomes;
      },
    };
  }
}

const isCreated = ({ result }: KeyOutcome): boolean => result === 'create';

const toSteps = (outcomes: readonly KeyOutcome[], { dryRun }: ClaimedTask): NewStep[] =>
  outcomes.flatMap((outcome) => toStep(outcome, dryRun) ?? []);

/** Returns the content of a key, or why it cannot be imported. Throws if the provider is not available. */
async function readContent(connection: StoreConnection, fqn: string): Promise<string | RunError> {
  try {
    return await connection.read(fqn, '');
  } catch (error) {
    if (error instanceof Failure) return { code: error.code, detail: error.message };
    if (!(error instanceof ProviderError) || error.isTemporary) throw error;
    return toRunError(error);
  }
}

const failedKeys = (count: number): RunError => ({
  code: 'failed_keys',
  detail: `${formatCount(count, 'key')} could not be imported. The steps name them.`,
});

/** The step of a key that was created, without its objects. */
const createStep = (fqn: string): NewStep => ({
  operation: 'create',
  success: true,
  fqn: shorten(fqn),
  summary: null,
  errorCode: null,
  errorDetail: null,
  environmentId: null,
  projectId: null,
  parameterId: null,
});

const skippedStep = ({ fqn, reason }: SkippedKey): NewStep => ({
  ...createStep(fqn),
  operation: 'read',
  summary: `Left out: ${reason}`,
});

/** A key whose value exists already has no step. */
function toStep({ match: { fqn, names }, state, result }: KeyOutcome, isDryRun: boolean): NewStep | null {
  if (result === 'none') return null;
  const { environmentId, projectId, parameterId } = state;
  const ids = { environmentId, projectId, parameterId, names };
  if (typeof result === 'object')
    return { ...createStep(fqn), ...ids, success: false, errorCode: result.code, errorDetail: result.detail };
  if (result !== 'create') return { ...skippedStep({ fqn, reason: SKIPS[result] }), ...ids };
  return { ...createStep(fqn), ...ids, summary: isDryRun ? 'Planned: create.' : null };
}
