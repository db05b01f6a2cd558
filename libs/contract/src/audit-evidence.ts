import { z } from 'zod';
import { countParameter } from './query.ts';

const revisionParameter = (description: string) => countParameter(1, Number.MAX_SAFE_INTEGER, description);

const hash = z.string().meta({ description: 'SHA-256 in base64.' });

export const AuditCheckpointQuery = z.object({
  revision: revisionParameter('The last revision that the checkpoint covers. Default: the latest.').optional(),
});

export const AuditCheckpoint = z
  .object({
    origin: z.string().meta({ description: 'Names the ledger of the organization.' }),
    revision: z.int().meta({ description: 'The last revision that the checkpoint covers, and the size of the tree.' }),
    root_hash: hash.meta({ description: 'Root hash of the Merkle tree of the changesets (RFC 9162), in base64.' }),
    contents_root_hash: hash.meta({
      description: 'Root hash of the Merkle tree of what each revision has written: values, parameters and the like.',
    }),
    key: z.string().meta({ description: 'The public key that has signed the note, in the format of signed notes.' }),
    note: z.string().meta({ description: 'The signed note (c2sp.org/tlog-checkpoint). Keep it outside of Strata.' }),
  })
  .meta({
    id: 'AuditCheckpoint',
    description: 'A signed state of the ledger, against which it can be verified later.',
  });
export type AuditCheckpoint = z.infer<typeof AuditCheckpoint>;

export const AuditProofQuery = z.object({
  revision: revisionParameter('The changeset.'),
  checkpoint: revisionParameter('The last revision of the checkpoint. Default: the latest.').optional(),
  since: revisionParameter('The last revision of an earlier checkpoint.').optional(),
});

export const AuditProof = z
  .object({
    revision: z.int().meta({ description: 'The changeset.' }),
    changeset_hash: hash.meta({ description: 'The hash of the changeset: its leaf in the Merkle tree, in base64.' }),
    inclusion: z.array(hash).meta({ description: 'Proves that the checkpoint covers the changeset.' }),
    since: z.int().nullable().meta({ description: 'The last revision of the earlier checkpoint; null without one.' }),
    consistency: z
      .array(hash)
      .nullable()
      .meta({ description: 'Proves that the checkpoint continues the earlier one; null without one.' }),
    checkpoint: AuditCheckpoint,
  })
  .meta({ id: 'AuditProof', description: 'Proofs about one changeset and one checkpoint (RFC 9162).' });
export type AuditProof = z.infer<typeof AuditProof>;
