import { AUDIT_CHECKPOINT, AUDIT_PROOF, type AuditProof } from '@strata/contract';
import { Failure, type Revision } from '@strata/domain';
import { consistencyPath, inclusionPath } from '@strata/evidence';
import { actionController } from '../../platform/http/action-controller.ts';
import { PointsInTime } from '../../platform/http/points-in-time.ts';
import type { Call } from '../../platform/http/request.ts';
import { sendJson } from '../../platform/http/send-json.ts';
import { Heads } from '../../platform/ledger/heads.ts';
import { Checkpoints } from './checkpoints.ts';
import { LedgerTree } from './ledger-tree.ts';

const base64 = (bytes: Buffer): string => bytes.toString('base64');

export const AuditEvidenceController = actionController(
  'AuditEvidenceController',
  { checkpoint: AUDIT_CHECKPOINT, proof: AUDIT_PROOF },
  { heads: Heads, checkpoints: Checkpoints, pointsInTime: PointsInTime, tree: LedgerTree },
  ({ heads, checkpoints, pointsInTime, tree }) => {
    /** Returns a revision that exists; by default the latest. */
    const resolve = async ({ caller }: Call, revision: Revision | undefined): Promise<Revision> => {
      const at = await pointsInTime.of(caller, { revision });
      return at === 'now' ? (await heads.required(caller.organizationId)).revision : at;
    };
    return {
      checkpoint: async ({ call, caller: { organizationId }, query }) => {
        const revision = await resolve(call, query.revision);
        return sendJson(call, revision, await checkpoints.create(organizationId, revision));
      },
      proof: async ({ call, caller: { organizationId }, query: { revision, since, ...query } }) => {
        const size = await resolve(call, query.checkpoint);
        if (revision > size || (since ?? 0) > size) throw laterThanCheckpointError();
        const inclusion = inclusionPath(revision - 1, size);
        const consistency = since === undefined ? [] : consistencyPath(since, size);
        const subtrees = [{ start: revision - 1, end: revision }, ...inclusion, ...consistency];
        const [changeset, ...path] = await tree.hashes(organizationId, size, subtrees);
        const hashes = path.map(base64);
        return sendJson(call, size, {
          revision,
          changeset_hash: base64(changeset as Buffer),
          inclusion: hashes.slice(0, inclusion.length),
          since: since ?? null,
          consistency: since === undefined ? null : hashes.slice(inclusion.length),
          checkpoint: await checkpoints.create(organizationId, size),
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
