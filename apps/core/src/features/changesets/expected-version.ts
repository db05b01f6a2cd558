import { PreconditionFailed, type Revision } from '@strata/domain';
import type { EntityManager } from 'typeorm';
import type { Caller } from '../../platform/caller.ts';
import { presentVersions } from '../../platform/ledger/present-versions.ts';

/** The version that an object must have had before the changeset. */
export class ExpectedVersion {
  private found: string | null = null;
  private revision: Revision | undefined;

  constructor(
    readonly objectId: string,
    private readonly version: string,
  ) {}

  /** Called before the first step with the object's version, or null if it does not exist, and the revision of the write. */
  setFound(found: string | null, revision: Revision): void {
    this.found = found;
    this.revision = revision;
  }

  /** Throws 412 if it was another one. */
  async assertFound(em: EntityManager, caller: Caller): Promise<void> {
    if (this.found === this.version) return;
    throw new PreconditionFailed(await presentVersions(em, caller, [this.objectId], this.revision));
  }
}
