export { type ChainLink, changesetHash, nextLink } from './chain-link.ts';
export { CHANGE_COLUMNS, type ChangesetRecord, type ColumnTexts } from './changeset-bytes.ts';
export { type Checkpoint, CheckpointError, CheckpointKey, ledgerOrigin, readCheckpoints } from './checkpoint.ts';
export { TILE_SIZE } from './contents-verifier.ts';
export type { LedgerQuery } from './ledger-query.ts';
export {
  type LedgerProblem,
  LedgerVerifier,
  type LinkedRecord,
  type RevisionRange,
  type StoredHead,
  type VerifiedLedger,
} from './ledger-verifier.ts';
export { ENTRY_BYTES_MAX, entryBundle, readTilePath, type TileName, tileSubtrees } from './log-tiles.ts';
export {
  consistencyPath,
  inclusionPath,
  isConsistent,
  type LeafRange,
  rootOfInclusion,
  TreeEdge,
  type TreeHead,
} from './merkle-tree.ts';
export { CONTENT_TABLES, readAllContents, readNamedContents } from './stored-contents.ts';
export { type ChangesetLeaf, readVerifiedLeaves, verifyStoredLedger } from './stored-ledger.ts';
export { versionRules } from './version-rules.ts';
export { assertCosigned, cosignatureRequest, readCosignatures, readWitnessKey, type WitnessKey } from './witness.ts';
