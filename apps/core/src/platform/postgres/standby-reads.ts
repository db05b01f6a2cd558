import type { OnApplicationShutdown } from '@nestjs/common';
import type { OrganizationId } from '@strata/domain';
import { currentLimits } from '../limits/request-limits.ts';
import { coreObserver } from '../observer.ts';
import type { Statement } from './prepared-client.ts';
import { type ComparedHead, type LogPosition, Standby, type UnansweredReason } from './standby.ts';
import { requiredState } from './standby-rows.ts';
import type { TenantTokens } from './tenants.ts';

/** Why the primary server answers a read. `other_work` is a request that writes, or work of the service. */
type PrimaryReason = UnansweredReason | 'other_work' | 'rows' | 'skipped' | 'no_head';

export interface StandbySettings {
  readonly urls: readonly string[];
  readonly timeoutSeconds: number;
  readonly tenantTokens: TenantTokens;
}

/** Reads the head of an organization on the primary server, not older than the call. */
type HeadOnPrimary = (organizationId: OrganizationId) => Promise<(ComparedHead & Partial<LogPosition>) | null>;

/**
 * Reads of standbys. A standby answers a read only if it has exactly the head that the primary server has during the read,
 * so clients cannot distinguish the servers. All other reads are left to the primary server
 * (docs/adr/0133-reads-from-standbys.md).
 */
export class StandbyReads implements OnApplicationShutdown {
  private readonly standbys: readonly Standby[];
  private next = 0;

  constructor(
    { urls, timeoutSeconds, tenantTokens }: StandbySettings,
    private readonly headOnPrimary: HeadOnPrimary,
  ) {
    this.standbys = urls.map((url) => new Standby(url, timeoutSeconds, tenantTokens));
  }

  get isConfigured(): boolean {
    return this.standbys.length > 0;
  }

  /** Returns the rows of a statement, or null if the primary server must run it. A failure of a standby is no error. */
  async read(organizationId: OrganizationId, statement: Statement): Promise<object[] | null> {
    const result = await this.attempt(organizationId, statement);
    const isAnswered = typeof result !== 'string';
    coreObserver?.read(isAnswered ? null : result);
    return isAnswered ? result : null;
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.standbys.map((standby) => standby.close()));
  }

  private async attempt(organizationId: OrganizationId, statement: Statement): Promise<object[] | PrimaryReason> {
    if (!currentLimits()?.isReadOnly) return 'other_work';
    const state = requiredState(statement.text);
    if (state === 'primary') return 'rows';
    const standby = this.choose();
    if (!standby) return 'skipped';
    const head = await this.headOnPrimary(organizationId);
    if (!head) return 'no_head';
    const { logEnd = null, timeline = null } = head;
    return standby.read({ organizationId, head: { ...head, logEnd, timeline }, needsLog: state === 'log' }, statement);
  }

  /** Returns the standbys in turn, without those that had a fault a short time ago. */
  private choose(): Standby | undefined {
    for (let count = 0; count < this.standbys.length; count += 1) {
      const standby = this.standbys[this.next % this.standbys.length];
      this.next += 1;
      if (standby?.isUsable()) return standby;
    }
    return undefined;
  }
}
