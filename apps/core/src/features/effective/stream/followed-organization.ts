import type { OrganizationId } from '@strata/domain';
import { coalesceRuns } from '../../../platform/coalesce-runs.ts';
import type { CurrentHead } from '../../../platform/ledger/heads.ts';
import type { ConfigurationLedger } from './changed-scopes.ts';
import type { FollowedConfiguration } from './followed-configuration.ts';

/** Reads the ledger of one organization for all configurations that are followed in it. */
export class FollowedOrganization {
  readonly configurations = new Map<string, FollowedConfiguration>();
  /** Resolves when the position in the ledger is known. Everything after it is reported to the configurations. */
  readonly ready: Promise<void>;
  private head: CurrentHead | null = null;

  constructor(
    readonly id: OrganizationId,
    private readonly ledger: ConfigurationLedger,
    start: Promise<CurrentHead>,
  ) {
    this.ready = start.then((head) => {
      this.head = head;
    });
    this.ready.catch(() => undefined);
  }

  /** Reads what has changed since the last poll. */
  readonly poll = coalesceRuns(
    () => this.read(),
    () => undefined, // Errors are temporary: the next poll follows within a second.
  );

  private async read(): Promise<void> {
    const { head: previous } = this;
    if (previous === null) return;
    const { head, changed } = await this.ledger.since(this.id, previous);
    this.head = head;
    const isReplaced = head.epoch !== previous.epoch || head.revision < previous.revision;
    for (const configuration of [...this.configurations.values()]) {
      if (changed !== null) configuration.report(head, changed);
      else configuration.end(isReplaced ? 'history_replaced' : 'too_far_behind');
    }
  }
}
