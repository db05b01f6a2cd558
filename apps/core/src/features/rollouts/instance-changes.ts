import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { OrganizationId } from '@strata/domain';
import { SnapshotReader } from '../../platform/postgres/snapshot-reader.ts';
import { InstanceReports } from '../instances/instance-reports.ts';
import type { RolloutScope } from './rollout-scopes.ts';
import { FINGERPRINTS } from './rollout-statements.ts';

/** How late a request notices a report that another process has stored. */
const POLL_MS = 500;

interface WatchedScope extends Pick<RolloutScope, 'project_id' | 'environment_id'> {
  readonly organizationId: OrganizationId;
}

interface WatchedInstances {
  readonly scope: WatchedScope;
  readonly waiting: Set<{ readonly fingerprint: string; readonly wake: () => void }>;
}

/**
 * Notifies requests that wait for reports. All of them share one statement, which reads the fingerprints of the
 * instances they wait for.
 */
@Injectable()
export class InstanceChangeWaiter implements OnModuleDestroy {
  private readonly watched = new Map<string, WatchedInstances>();
  private timer: NodeJS.Timeout | null = null;
  private isReading = false;
  private isOver = false;

  constructor(
    private readonly reader: SnapshotReader,
    reports: InstanceReports,
  ) {
    reports.onStored(() => this.schedule(0));
  }

  /** Ends all waits, so that the server can stop. */
  onModuleDestroy(): void {
    this.isOver = true;
    if (this.timer) clearTimeout(this.timer);
    for (const { waiting } of this.watched.values()) for (const { wake } of waiting) wake();
  }

  /** Waits until the fingerprint differs from the known one, at most for this time. */
  async since(scope: WatchedScope, fingerprint: string, timeoutMs: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted || this.isOver) return;
    const key = JSON.stringify([scope.organizationId, scope.project_id, scope.environment_id]);
    const watchedScope = this.watched.get(key) ?? { scope, waiting: new Set() };
    this.watched.set(key, watchedScope);
    const { promise, resolve } = Promise.withResolvers<void>();
    const wake = () => resolve();
    const entry = { fingerprint, wake };
    watchedScope.waiting.add(entry);
    const timeout = setTimeout(wake, timeoutMs);
    signal.addEventListener('abort', wake, { once: true });
    this.schedule(POLL_MS);
    await promise;
    clearTimeout(timeout);
    signal.removeEventListener('abort', wake);
    watchedScope.waiting.delete(entry);
    if (watchedScope.waiting.size === 0) this.watched.delete(key);
  }

  private schedule(afterMs: number): void {
    if (this.watched.size === 0 || this.isOver || this.isReading) return;
    if (this.timer && afterMs > 0) return;
    if (this.timer) clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.read(), afterMs).unref();
  }

  private async read(): Promise<void> {
    this.timer = null;
    this.isReading = true;
    const watchedScopes = [...this.watched.values()];
    const rows = await this.reader.unlimited
      .query<{ n: number; fingerprint: string }>(FINGERPRINTS, [
        watchedScopes.map(({ scope }) => scope.organizationId),
        watchedScopes.map(({ scope }) => scope.project_id),
        watchedScopes.map(({ scope }) => scope.environment_id),
      ])
      .catch(() => []); // the next statement tries again
    for (const { n, fingerprint } of rows) {
      for (const { fingerprint: lastFingerprint, wake } of watchedScopes[n]?.waiting ?? [])
        if (lastFingerprint !== fingerprint) wake();
    }
    this.isReading = false;
    this.schedule(POLL_MS);
  }
}
