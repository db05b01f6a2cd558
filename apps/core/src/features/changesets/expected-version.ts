import { PreconditionFailed, type Revision } from '@strata/domain';
import type { EntityManager } from 'typeorm';
import type { Caller } from '../../platform/caller.ts';
import { presentVersions } from '../../platform/ledger/present-versions.ts';

/** What somebody expects an object to have been before the changeset: its version. */
export class ExpectedVersion {
  private found: string | null = null;
  private revision: Revision | undefined;

  constructor(
    readonly objectId: string,
    private readonly version: string,
  ) {}

  /** Told before the first step: what it is, null when it is not there, and the revision that is being written. */
  lookedUp(found: string | null, revision: Revision): void {
    this.found = found;
    this.revision = revision;
  }

  /** 412 where it is another one. */
  async assertFound(em: EntityManager, caller: Caller): Promise<void> {
    if (this.found === this.version) return;
    throw new PreconditionFailed(await presentVersions(em, caller, [this.objectId], this.revision));
  }
}
