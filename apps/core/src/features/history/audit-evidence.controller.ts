import { AUDIT_CHECKPOINT, AUDIT_PROOF, type AuditCheckpoint, type AuditProof } from '@strata/contract';
import { Failure, type OrganizationId, type Revision } from '@strata/domain';
import { consistencyPath, inclusionPath, ledgerOrigin } from '@strata/evidence';
import { actionController } from '../../platform/http/action-controller.ts';
import { PointsInTime } from '../../platform/http/points-in-time.ts';
import type { Call } from '../../platform/http/request.ts';
import { sendJson } from '../../platform/http/send-json.ts';
import { Heads } from '../../platform/ledger/heads.ts';
import { CheckpointSigner } from './checkpoint-signer.ts';
import { LedgerTree } from './ledger-tree.ts';

const base64 = (bytes: Buffer): string => bytes.toString('base64');

export const AuditEvidenceController = actionController(
  'AuditEvidenceController',
  { checkpoint: AUDIT_CHECKPOINT, proof: AUDIT_PROOF },
  { heads: Heads, signer: CheckpointSigner, pointsInTime: PointsInTime, tree: LedgerTree },
  ({ heads, signer, pointsInTime, tree }) => {
    /** Returns a revision that exists; by default the latest. */
    const resolve = async ({ caller }: Call, revision: Revision | undefined): Promise<Revision> => {
      const at = await pointsInTime.of(caller, { revision });
      return at === 'now' ? (await heads.required(caller.organizationId)).revision : at;
    };
    const createCheckpoint = (organizationId: OrganizationId, revision: Revision, root: Buffer): AuditCheckpoint => {
      const origin = ledgerOrigin(organizationId);
      return { origin, revision, root_hash: base64(root), ...signer.sign({ origin, size: revision, root }) };
    };
    return {
      checkpoint: async ({ call, caller: { organizationId }, query }) => {
        const revision = await resolve(call, query.revision);
        const [root] = await tree.hashes(organizationId, revision, [{ start: 0, end: revision }]);
        return sendJson(call, revision, createCheckpoint(organizationId, revision, root as Buffer));
      },
      proof: async ({ call, caller: { organizationId }, query: { revision, since, ...query } }) => {
        const size = await resolve(call, query.checkpoint);
        if (revision > size || (since ?? 0) > size) throw laterThanCheckpointError();
        const inclusion = inclusionPath(revision - 1, size);
        const consistency = since === undefined ? [] : consistencyPath(since, size);
        const subtrees = [
          { start: 0, end: size },
          { start: revision - 1, end: revision },
          ...inclusion,
          ...consistency,
        ];
        const [root, changeset, ...path] = await tree.hashes(organizationId, size, subtrees);
        const hashes = path.map(base64);
        return sendJson(call, size, {
          revision,
          changeset_hash: base64(changeset as Buffer),
          inclusion: hashes.slice(0, inclusion.length),
          since: since ?? null,
          consistency: since === undefined ? null : hashes.slice(inclusion.length),
          checkpoint: createCheckpoint(organizationId, size, root as Buffer),
        } satisfies AuditProof);
      },
    };
  },
);

function laterThanCheckpointError(): Failure {
  return new Failure({
    kind: 'not_found',
    code: 'unknown_revision',
    message: 'The checkpoint covers only earlier revisions. Name a later checkpoint, or none for the latest.',
  });
}
