export { type ChainLink, changesetHash, nextLink } from './chain-link.ts';
export { CHANGE_COLUMNS, type ChangesetRecord, type ColumnTexts } from './changeset-bytes.ts';
export { type Checkpoint, CheckpointError, CheckpointKey, ledgerOrigin, readCheckpoints } from './checkpoint.ts';
export {
  type LedgerProblem,
  LedgerVerifier,
  type LinkedRecord,
  type RevisionRange,
  type StoredHead,
  type VerifiedLedger,
} from './ledger-verifier.ts';
export {
  consistencyPath,
  inclusionPath,
  isConsistent,
  type LeafRange,
  rootOfInclusion,
  TreeEdge,
  type TreeHead,
} from './merkle-tree.ts';
export { type LedgerQuery, readVerifiedLeaves, verifyStoredLedger } from './stored-ledger.ts';
