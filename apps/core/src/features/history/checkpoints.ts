import { Injectable } from '@nestjs/common';
import type { AuditCheckpoint } from '@strata/contract';
import type { OrganizationId, Revision } from '@strata/domain';
import { ledgerOrigin } from '@strata/evidence';
import { CheckpointSigner } from './checkpoint-signer.ts';
import { LedgerTree } from './ledger-tree.ts';

/** Creates checkpoints of ledgers. The checkpoint of a revision never changes. */
@Injectable()
export class Checkpoints {
  constructor(
    private readonly signer: CheckpointSigner,
    private readonly tree: LedgerTree,
  ) {}

  async create(organizationId: OrganizationId, revision: Revision): Promise<AuditCheckpoint> {
    this.signer.assertEnabled();
    const all = [{ start: 0, end: revision }];
    const [root = NONE] = await this.tree.hashes(organizationId, revision, all);
    const [contents = NONE] = await this.tree.hashes(organizationId, revision, all, 'contents');
    const origin = ledgerOrigin(organizationId);
    const signed = this.signer.sign({ origin, size: revision, root, contents });
    const hashes = { root_hash: root.toString('base64'), contents_root_hash: contents.toString('base64') };
    return { origin, revision, ...hashes, ...signed };
  }
}

const NONE = Buffer.alloc(0);
