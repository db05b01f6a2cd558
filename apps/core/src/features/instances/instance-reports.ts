import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { INSTANCE_LIMITS } from '@strata/contract';
import {
  type EnvironmentId,
  Failure,
  type OrganizationId,
  type ProjectId,
  type Revision,
  sentence,
} from '@strata/domain';
import { DataSource } from 'typeorm';
import type { Caller } from '../../platform/caller.ts';
import type { Call } from '../../platform/http/request.ts';
import { overloadedError } from '../../platform/limits/fair-queue.ts';
import { Transaction } from '../../platform/postgres/transaction.ts';
import { Vault } from '../../platform/vault/vault.ts';
import { describeCredential } from './describe-credential.ts';
import { type FollowedSelection, instanceDigest } from './instance-digest.ts';
import { readInstanceName } from './instance-header.ts';
import { DELETE_EXPIRED, LOCK_ORGANIZATIONS, type ReportOutcome, STORE_REPORTS } from './instance-statements.ts';

const FLUSH_MS = 250;
/** Limits memory while the database is slow. More reports are rejected, and more polls are not recorded. */
const WAITING_MAX = 2_000;
/** A poll that confirms the same digest again is recorded after this time, which is short compared with the lifetime. */
const SAME_POLL_MS = 10_000;
const POLLS_MAX = 10_000;

/** The report of an instance about the configuration of a project in an environment. */
export interface ReportedConfiguration extends FollowedSelection {
  readonly projectId: ProjectId;
  readonly environmentId: EnvironmentId;
  /** The name of the instance. */
  readonly instance: string;
  readonly revision: Revision;
  /** The digest as the client received it; null if it reports none. */
  readonly digest: string | null;
  /** Null if the instance runs the configuration. */
  readonly reason: string | null;
}

/** A row of the statement. Digests are keyed. */
interface ReportRow {
  readonly organization_id: OrganizationId;
  readonly person_id: string;
  readonly credential: string;
  readonly project_id: ProjectId;
  readonly environment_id: EnvironmentId;
  readonly name: string;
  readonly names: readonly string[] | null;
  readonly reveal: boolean;
  readonly confirmed_revision: Revision | null;
  readonly digest: string | null;
  readonly refused_revision: Revision | null;
  readonly refused_digest: string | null;
  readonly reason: string | null;
}

interface WaitingReport {
  readonly row: ReportRow;
  /** The requests that wait until it is stored. */
  readonly requests: readonly PromiseWithResolvers<void>[];
}

/**
 * Stores what instances report. Reports are collected and written a few times per second. A request that reports waits
 * until its report is stored; a poll does not.
 */
@Injectable()
export class InstanceReports implements OnModuleDestroy {
  private waiting = new Map<string, WaitingReport>();
  /** The digests that polls confirmed, and when, on the clock of `performance.now()`. */
  private readonly polls = new Map<string, { readonly digest: string | null; readonly at: number }>();
  private readonly listeners = new Set<() => void>();
  private writing: Promise<void> = Promise.resolve();
  private writtenAt = Number.NEGATIVE_INFINITY;
  private timer: NodeJS.Timeout | null = null;

  constructor(
    private readonly dataSource: DataSource,
    private readonly vault: Vault,
  ) {}

  /** Calls the listener whenever this process has stored reports. */
  onStored(listener: () => void): void {
    this.listeners.add(listener);
  }

  /** Stores a report. Throws 404 if the scope was deleted, and `too_many_instances` beyond the limits. */
  async store(caller: Caller, report: ReportedConfiguration): Promise<void> {
    const row = await this.toRow(caller, report);
    const request = Promise.withResolvers<void>();
    this.polls.delete(reportKey(row));
    if (!this.add({ row, requests: [request] })) throw overloadedError();
    return request.promise;
  }

  /**
   * Records that an instance runs the configuration that it polls, if the request names one. A report that cannot be
   * stored is lost.
   */
  confirmPoll({ caller, headers }: Call, report: Omit<ReportedConfiguration, 'instance' | 'reason'>): void {
    const instance = readInstanceName(headers);
    if (instance === null) return;
    this.toRow(caller, { ...report, instance, reason: null })
      .then((row) => {
        const [key, now] = [reportKey(row), performance.now()];
        const previous = this.polls.get(key);
        if (previous && previous.digest === row.digest && now - previous.at < SAME_POLL_MS) return;
        if (this.polls.size >= POLLS_MAX) this.polls.clear();
        if (this.add({ row, requests: [] })) this.polls.set(key, { digest: row.digest, at: now });
      })
      .catch(() => undefined); // the next poll confirms again
  }

  async onModuleDestroy(): Promise<void> {
    if (this.timer) clearTimeout(this.timer);
    await this.flush();
  }

  private async toRow(caller: Caller, report: ReportedConfiguration): Promise<ReportRow> {
    const { organizationId, id: personId } = caller;
    const { projectId, environmentId, instance, names, reveal, revision, digest, reason } = report;
    const owner = { organizationId, personId, names, reveal };
    const keyed = digest === null ? null : await instanceDigest(this.vault, owner, digest);
    const isNack = reason !== null;
    return {
      organization_id: organizationId,
      person_id: personId,
      credential: describeCredential(caller),
      project_id: projectId,
      environment_id: environmentId,
      name: instance,
      names,
      reveal,
      confirmed_revision: isNack ? null : revision,
      digest: isNack ? null : keyed,
      refused_revision: isNack ? revision : null,
      refused_digest: isNack ? keyed : null,
      reason,
    };
  }

  /** Returns false if too many reports wait. */
  private add({ row, requests }: WaitingReport): boolean {
    const key = reportKey(row);
    const previous = this.waiting.get(key);
    if (!previous && this.waiting.size >= WAITING_MAX) return false;
    this.waiting.set(key, {
      row: previous ? latest(previous.row, row) : row,
      requests: [...(previous?.requests ?? []), ...requests],
    });
    const wait = Math.max(0, this.writtenAt + FLUSH_MS - performance.now());
    this.timer ??= setTimeout(() => void this.flush(), wait).unref();
    return true;
  }

  private flush(): Promise<void> {
    this.timer = null;
    this.writing = this.writing.then(async () => {
      const reports = [...this.waiting.values()];
      this.waiting = new Map();
      if (reports.length === 0) return;
      try {
        const outcomes = await this.write(reports.map(({ row }) => row));
        for (const [index, report] of reports.entries()) this.settle(report, outcomes.get(index) ?? 'deleted');
        for (const listener of this.listeners) listener();
      } catch (error) {
        for (const { row, requests } of reports) {
          this.polls.delete(reportKey(row));
          for (const { reject } of requests) reject(error);
        }
      } finally {
        this.writtenAt = performance.now();
      }
    });
    return this.writing;
  }

  private settle({ row, requests }: WaitingReport, outcome: ReportOutcome): void {
    if (outcome !== 'stored') this.polls.delete(reportKey(row));
    if (outcome === 'locked' && requests.length > 0) {
      const newestRow = this.waiting.get(reportKey(row))?.row ?? row;
      if (this.add({ row: newestRow, requests })) return;
    }
    for (const { resolve, reject } of requests) {
      if (outcome === 'stored') resolve();
      else reject(REPORT_ERRORS[outcome]());
    }
  }

  private async write(rows: readonly ReportRow[]): Promise<ReadonlyMap<number, ReportOutcome>> {
    const organizations = [...new Set(rows.map(({ organization_id: id }) => id))].toSorted();
    const [, , outcomes = []] = await Transaction.run(this.dataSource, (transaction) =>
      transaction.send(
        { text: LOCK_ORGANIZATIONS, values: [organizations] },
        { text: DELETE_EXPIRED, values: [organizations] },
        { text: STORE_REPORTS, values: [JSON.stringify(rows.map((row, n) => ({ ...row, n })))] },
      ),
    );
    return new Map((outcomes as { n: number; outcome: ReportOutcome }[]).map(({ n, outcome }) => [n, outcome]));
  }
}

function reportKey({ organization_id, person_id, credential, project_id, environment_id, name }: ReportRow): string {
  return JSON.stringify([organization_id, person_id, credential, project_id, environment_id, name]);
}

/** Returns the row to store for two reports of one instance. A nack does not undo an earlier confirmation. */
function latest(previous: ReportRow, row: ReportRow): ReportRow {
  if (row.confirmed_revision !== null) return row;
  return { ...row, confirmed_revision: previous.confirmed_revision, digest: previous.digest };
}

const REPORT_ERRORS: Readonly<Record<Exclude<ReportOutcome, 'stored'>, () => Failure>> = {
  too_many: () =>
    new Failure({
      kind: 'limited',
      code: 'too_many_instances',
      message: sentence`At most ${{ limit: INSTANCE_LIMITS.perCredential }} instances of a credential and ${{ organization_limit: INSTANCE_LIMITS.perOrganization }} of an organization are stored. Instances that do not report for ${{ minutes: INSTANCE_LIMITS.lifetimeMinutes }} minutes are removed.`,
      retryAfterSeconds: 60,
    }),
  deleted: () => Failure.notFound('Project'),
  locked: overloadedError,
};
