export {
  type AppliedPart,
  applyImport,
  type ImportResult,
  type RejectedItem,
} from './apply-import.ts';
export { completePlatform, planFor } from './complete-platform.ts';
export { type EnvLine, type EnvPreview, NAMES_MAX, parseEnvPreview, secretReason } from './env-lines.ts';
export { FILE_FORMATS, SEPARATORS, type Separator, type SourceFormat } from './file-formats.ts';
export {
  type ImportItem,
  type ImportOperation,
  ITEM_KINDS,
  type ItemEffect,
  type ItemKind,
  needsConfirmation,
} from './import-item.ts';
export {
  type CurrentCell,
  type ExistingName,
  type ImportLine,
  importLines,
  listImportedValues,
  willBeStored,
} from './import-lines.ts';
export {
  createSource,
  environmentsInName,
  type ImportPart,
  type ImportSource,
  loadStructured,
  type ReadStructured,
  splitParts,
} from './import-sources.ts';
export {
  filterResolvable,
  findProposedSecrets,
  lineReferences,
  type TextReferences,
  textReferences,
} from './line-references.ts';
export {
  describeSecrets,
  describeTypes,
  type InferredTypes,
  inferImportedTypes,
  inferTypes,
} from './new-parameters.ts';
export { planImport } from './plan-import.ts';
export type {
  Platform,
  PlatformEnvironment,
  PlatformParameter,
  PlatformProject,
  PlatformRules,
  PlatformType,
  PlatformValue,
  PlatformWebhook,
} from './platform.ts';
export {
  type ChangesetOutcome,
  type ExistingContents,
  type ExistingScope,
  type ExistingState,
  type ImportClient,
  readExistingState,
} from './present.ts';
export { rulesByKind, treeByName } from './present-rows.ts';
export { rejectionMessage } from './rejection.ts';
export { type RestConnection, restImportClient } from './rest-client.ts';
export { readSnapshot, type SnapshotReading } from './snapshot-platform.ts';
