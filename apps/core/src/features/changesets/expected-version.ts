import { PreconditionFailedError, type Revision } from '@strata/domain';
import type { EntityManager } from 'typeorm';
import type { Caller } from '../../platform/caller.ts';
import { presentVersions } from '../../platform/ledger/present-versions.ts';

/** The version that the client expects an object to have before the changeset. */
export class ExpectedVersion {
  private foundVersion: string | null = null;
  private revision: Revision | undefined;

  constructor(
    readonly objectId: string,
    private readonly version: string,
  ) {}

  /**
   * Sets the version of the object (null if it does not exist) and the revision of the write. Called before the first
   * step.
   */
  setFound(version: string | null, revision: Revision): void {
    this.foundVersion = version;
    this.revision = revision;
  }

  /** Throws 412 if the object had another version. */
  async assertFound(em: EntityManager, caller: Caller): Promise<void> {
    if (this.foundVersion === this.version) return;
    throw new PreconditionFailedError(await presentVersions(em, caller, [this.objectId], this.revision)).at(
      '/if_match',
    );
  }
}
