import { AUDIT_LOG_CHECKPOINT, AUDIT_LOG_LONG_TILE, AUDIT_LOG_PARTIAL_TILE, AUDIT_LOG_TILE } from '@strata/contract';
import { Failure, sentence } from '@strata/domain';
import { ENTRY_BYTES_MAX, entryBundle, readTilePath, type TileName, tileSubtrees } from '@strata/evidence';
import { actionController } from '../../platform/http/action-controller.ts';
import type { PathParameters } from '../../platform/http/operation-controller.ts';
import type { Call } from '../../platform/http/request.ts';
import { Heads } from '../../platform/ledger/heads.ts';
import { CheckpointSigner } from './checkpoint-signer.ts';
import { Checkpoints } from './checkpoints.ts';
import { LedgerTree } from './ledger-tree.ts';
import { PublishedCheckpoints } from './published-checkpoints.ts';

/** The bytes of a tile never change. */
const IMMUTABLE = 'private, max-age=31536000, immutable';

/** Serves the ledger as a transparency log (c2sp.org/tlog-tiles). */
export const AuditLogController = actionController(
  'AuditLogController',
  {
    checkpoint: AUDIT_LOG_CHECKPOINT,
    tile: AUDIT_LOG_TILE,
    partialTile: AUDIT_LOG_PARTIAL_TILE,
    longTile: AUDIT_LOG_LONG_TILE,
  },
  {
    ...{ heads: Heads, checkpoints: Checkpoints, published: PublishedCheckpoints },
    ...{ signer: CheckpointSigner, tree: LedgerTree },
  },
  ({ heads, checkpoints, published, signer, tree }) => {
    const readHashes = async ({ caller: { organizationId } }: Call, tile: TileName): Promise<Buffer> => {
      const subtrees = tileSubtrees(tile);
      const { revision } = await heads.required(organizationId);
      const end = subtrees.at(-1)?.end ?? 0;
      if (end > revision) throw unknownTileError();
      if (tile.level !== 'entries') return Buffer.concat(await tree.hashes(organizationId, end, subtrees));
      const bundle = entryBundle(await tree.entries(organizationId, { start: subtrees[0]?.start ?? 0, end }));
      if (bundle === null) throw entryTooLongError();
      return bundle;
    };
    const sendTile = async ({
      call,
      path,
    }: {
      readonly call: Call;
      readonly path: PathParameters;
    }): Promise<Buffer> => {
      signer.assertEnabled();
      const { level, group, index, width } = path;
      const tile = readTilePath([level, group, index, width].filter((part) => part !== undefined).join('/'));
      if (tile === null) throw unknownTileError();
      const bytes = await readHashes(call, tile);
      call.reply.headers({ 'content-type': 'application/octet-stream', 'cache-control': IMMUTABLE });
      return bytes;
    };
    return {
      checkpoint: async ({ call, caller: { organizationId } }) => {
        signer.assertEnabled();
        const { revision } = await heads.required(organizationId);
        const publishedNote = published.hasWitnesses ? await published.latestNote(organizationId) : null;
        const note = publishedNote ?? (await checkpoints.create(organizationId, revision)).note;
        call.reply.header('content-type', 'text/plain; charset=utf-8');
        return note;
      },
      tile: sendTile,
      partialTile: sendTile,
      longTile: sendTile,
    };
  },
);

function unknownTileError(): Failure {
  return new Failure({
    kind: 'not_found',
    code: 'unknown_tile',
    message: 'The log has no such tile. Read the checkpoint first: its size says which tiles there are.',
  });
}

function entryTooLongError(): Failure {
  return new Failure({
    kind: 'conflict',
    code: 'entry_too_long',
    message: sentence`A changeset of this bundle is longer than the ${{ limit: ENTRY_BYTES_MAX }} bytes that the format allows. The tile of level 0 has its hash.`,
  });
}
