export { acceptedEncoding, type Encoding } from './accepted-encoding.ts';
export {
  ABILITIES,
  type Ability,
  ROLES,
  type Role,
  roleIncludes,
} from './access.ts';
export {
  CELL_ACTIONS,
  type CellDifference,
  type ComparedScopes,
  compareCellAccess,
} from './access-comparison.ts';
export {
  ACCESS_CANDIDATE_KINDS,
  type AccessCandidate,
  type AccessState,
  CANDIDATE_REPLACEMENTS,
  type CellAccess,
  explainAccess,
  KEY_DENIALS,
  type MemberGrant,
  type MemberRights,
  type ScopeAccess,
} from './access-explanation.ts';
export {
  type AffectedScopes,
  type AffectingChange,
  affectedScopes,
  type ChangedScopes,
  type DependencyScopes,
  mayAffect,
} from './affected.ts';
export {
  ACCESS_ACTIONS,
  type AccessLogAction,
  AUDIT_ACTIONS,
  type AuditAction,
  auditId,
  isInAccessLog,
  type LedgerPosition,
  positionOfAuditId,
} from './audit.ts';
export { AWS_REGIONS } from './aws-regions.ts';
export { BASE_TYPES, type BaseType, isBaseType } from './base-type.ts';
export { clientNetwork } from './client-network.ts';
export { comparisonNumber } from './comparison-number.ts';
export { copyConflict, copyPlan, type PlannedCopy } from './copy-plan.ts';
export {
  type AuditPosition,
  decodeAuditCursor,
  decodeCursor,
  decodeEffectiveCursor,
  type EffectivePosition,
  encodeAuditCursor,
  encodeCursor,
  encodeEffectiveCursor,
  type Position,
} from './cursor.ts';
export { type DecodedText, decodeText } from './decoded-text.ts';
export {
  DESTINATION_EVENT_TYPES,
  type DestinationEventType,
  type DestinationFilter,
  EXPIRES_SOON,
  passesFilter,
} from './destination-filter.ts';
export { digestedText } from './digested-text.ts';
export { type DotenvEntry, dotenvLines, parseDotenv } from './dotenv.ts';
export { type DriftedText, type DriftTarget, findImportObstacle, type ImportObstacle } from './drift-import.ts';
export { type Duration, expirationProblem, expiryTime, instantAfter, parseDuration } from './duration.ts';
export { type EffectiveCell, type EffectiveCellChange, effectiveDifference } from './effective-difference.ts';
export {
  type CredentialLimit,
  effectivePermissions,
  isRaisedAboveWorkloads,
  isWorkloadRole,
  type TemporaryRights,
} from './effective-permissions.ts';
export { type EffectiveView, effectiveView, indexAfter, viewAfter } from './effective-view.ts';
export { etagMatches, etagOfEncoding, etagWithoutEncoding } from './entity-tag.ts';
export {
  DOTENV_READERS,
  type DotenvReader,
  exportFile,
  namesThatCollide,
  type OmittedNames,
  writeEnvFile,
} from './env-file.ts';
export { ERROR_PARAMS, type ErrorCode, type ParamName, pickDeclaredParams } from './error-codes.ts';
export type { ErrorData, ProblemData } from './error-data.ts';
export { ERROR_INPUTS, listCausingMembers, PATH } from './error-inputs.ts';
export {
  type EvaluableReference,
  type EvaluationStep,
  evaluationSteps,
  type Input,
  stepKey,
  type TextInEnvironment,
  TooManyStepsError,
} from './evaluation.ts';
export {
  CHANGE_ACTIONS,
  type ChangeAction,
  type ConfigurationEvent,
  EVENT_TYPES,
  type EventType,
  FEED_EVENT_TYPES,
  type FeedEvent,
  type FeedEventType,
  isRequestedType,
  type NamedObject,
  type NonContractNoun,
} from './event.ts';
export { canReceive, type Subscriber } from './event-access.ts';
export {
  CANDIDATE_STATES,
  type Candidate,
  type CandidateState,
  type ExplanationInputs,
  findCause,
  listCandidates,
  type NextValue,
  nextValue,
} from './explanation.ts';
export { buildExport, EXPORT_FORMATS, type ExportFormat, exportName } from './export.ts';
export { type ExternalError, type ExternalSource, externalSource } from './external-source.ts';
export {
  atInput,
  createProblemAt,
  type EvaluationProblem,
  Failure,
  type FailureFields,
  type FailureKind,
  type LocatedProblem,
  NON_FIELD_ERRORS,
  PlanOutdatedError,
  PreconditionFailedError,
  type PresentVersion,
  type Problem,
  pointerTo,
  RevertRejectedError,
  type StepError,
  StepsRejectedError,
  StillReferencedError,
} from './failure.ts';
export { toErrorData } from './failure-data.ts';
export { type FlagValue, parseFlagValue } from './flag-value.ts';
export { ForbiddenLookups, type LookupRows } from './forbidden-lookups.ts';
export { formatCount } from './format-count.ts';
export { isKnownScheme, isWithin, parseFqn, pathBelow } from './fqn.ts';
export { heapLimitProblem } from './heap-limit.ts';
export { withoutHidden } from './hidden-characters.ts';
export { compareNames } from './human-order.ts';
export {
  type EnvironmentId,
  isUuid,
  type OrganizationId,
  type ParameterId,
  type ProjectId,
  type Revision,
  type UserId,
  type Uuid,
  type ValueId,
} from './ids.ts';
export { type ImportAction, type ImportPlan, type ImportStep, type ImportTarget, importPlan } from './import-plan.ts';
export { inferType } from './inferred-type.ts';
export {
  decodeBody,
  isForbiddenKey,
  malformedBodyError,
  NUMBERS_AS_WRITTEN,
  parseJsonText,
  readMember,
} from './json-body.ts';
export { jsonPointer, pointerSegments } from './json-pointer.ts';
export { type ApiKeyLocation, type ApiKeyScope, KEY_SCOPES, type KeyLimit, PROPOSED_KEY_DAYS } from './key-scope.ts';
export {
  canExpire,
  type DependentName,
  findDependentsAffectedByRemoval,
  findEnvironmentsWithout,
  findRedundantValues,
  isLeftOutOfExports,
  LINT_KINDS,
  LINT_REASONS,
  type LintKind,
  type LintReason,
  listLeaves,
  mayBeUnreferenced,
  type Redundancy,
  unmarkedSecrets,
  unreferencedReason,
} from './lint.ts';
export { decodeListCursor, encodeListCursor, isListOf, type ListKey, type ListPosition } from './list-cursor.ts';
export {
  asciiPrototypes,
  computeSkeleton,
  escapeInvisible,
  findLookAlike,
  invisibleCharacter,
  invisibleCharacterProblem,
  isPlainName,
  type LookAlike,
} from './look-alikes.ts';
export { LruCache } from './lru-cache.ts';
export { MASK, maskText } from './mask.ts';
export {
  buildMatrix,
  CELL_STATES,
  type ComparableText,
  isSameText,
  isSetHere,
  listCellStates,
  MATRIX_STATES,
  type MatrixState,
  type NameMatrix,
} from './matrix.ts';
export { nameList } from './name-list.ts';
export { comparePrefixes, namePrefix, type PrefixRun, prefixRuns } from './name-prefix.ts';
export {
  isLongerThan,
  NAME_LENGTH_MAX,
  nameProblem,
  TEMPLATE_LENGTH_MAX,
  type TextProblem,
  textProblem,
  trimName,
  VALUE_LENGTH_MAX,
  valueTextProblem,
} from './names.ts';
export { nearestNames } from './nearest-names.ts';
export { type Dependents, findDependents, type NeededObjects, type ScopedName } from './needed-objects.ts';
export {
  AUDIT_OBJECT_TYPES,
  type AuditObjectType,
  CONTENT_TYPES,
  contractEventType,
  NON_CONTRACT_OBJECT_TYPES,
  nonContractEventType,
  type ObjectType,
  type ScopeKind,
  scopeKindOf,
  TYPES_BESIDE_CONFIGURATION,
  TYPES_BESIDE_EVALUATION,
  TYPES_BESIDE_VALUES,
  TYPES_READ_BY_PROGRAMS,
} from './object-type.ts';
export { isOrigin } from './origin.ts';
export {
  PAGE_SIZE_DEFAULT,
  PAGE_SIZE_MAX,
  type PageRequest,
  pageWindow,
  parsePage,
  parseQueryBoolean,
} from './page-request.ts';
export { type ParameterList, parameterList } from './parameter-list.ts';
export { generatePassword, passwordKinds } from './password.ts';
export { fillPlainText, listPaths, type PlainText, plainText, type TextScope } from './plain-text.ts';
export { type PrintedPlan, planText } from './plan-text.ts';
export { type Instant, NOW, parseInstant, type RequestedPointInTime } from './point-in-time.ts';
export { effectiveValueOfName, indexValues, type ValueIndex, type ValueRow, valuesOfName } from './precedence.ts';
export { PROMOTION_ACTIONS, type PromotionAction, type PromotionStep, promotionStep } from './promotion.ts';
export { type PublicAddressSettings, publicUrlWarning } from './public-url.ts';
export { createPullPattern, type PulledNames, type PullPattern, pullPatternProblem } from './pull-pattern.ts';
export { decidePull, type PullDecision, type PullOptions, type PullSkip, type PullTarget } from './pull-plan.ts';
export { commonPrefix, insertedNames, pushProblems, type ResourceNames, renderResource } from './push.ts';
export { closeScopes, type PushKeySource, sharedKeys } from './push-overlap.ts';
export { canDropBody, headerValues } from './raw-headers.ts';
export { isEquivalent } from './redundancy.ts';
export {
  type Binding,
  bindMentions,
  chainFrom,
  collectMentions,
  describeMention,
  type Mention,
  type Path,
  type ProjectLink,
  projectChain,
  RESERVED_WORDS,
  type Referable,
  type ReferenceKind,
  type ReservedWord,
} from './reference.ts';
export { findLoop, graphDepth, textGraph } from './reference-graph.ts';
export { RELEASE, type ReleaseInfo } from './release.ts';
export { findReservedWords } from './reserved-words.ts';
export {
  createResolver,
  type EnvironmentNode,
  effectiveValue,
  type ParameterRow,
  type Resolver,
  type VisibleParameter,
  visibleParameters,
} from './resolution.ts';
export {
  type DetectedConflict,
  describeRevertConflict,
  isRevertible,
  type ObjectState,
  REVERTIBLE_TYPES,
  type RevertContext,
  type RevertedObject,
  type RevertibleType,
  type RevertPlan,
  revertPlan,
} from './revert.ts';
export {
  type AcknowledgementPolicy,
  type AwaitedInstance,
  acknowledgementEvent,
  COPY_REASONS,
  type CopyFacts,
  type CopyReason,
  copyReason,
  isBlocking,
  isBlockingCopy,
  isUnpublished,
  nextStage,
  type PushedCopy,
  ROTATION_STAGES,
  type RotationEvent,
  type RotationStage,
  rotationStart,
  SILENT_POLICIES,
  type SilentPolicy,
} from './rotation.ts';
export {
  constraintProblem,
  duplicateRuleError,
  findContradiction,
  illegalKindMessage,
  isLegal,
  loosenedRule,
  type OwnedRule,
  type PatternMatcher,
  type Rule,
} from './rule.ts';
export { RULE_KINDS, type RuleKind } from './rule-kind.ts';
export {
  abilitiesOnScope,
  assertAbilityOnScope,
  assertIfControlled,
  can,
  canCall,
  canGrantOnScope,
  canGrantRole,
  canOnScope,
  canReadConfiguration,
  deniedCallError,
  findControllingProject,
  forbiddenScopes,
  haveEnded,
  intersectPermissions,
  keyScopeError,
  listAbilities,
  mayPassOnSecrets,
  mayReveal,
  NO_SCOPES,
  type PathScope,
  type Permissions,
  permissionsKey,
  resolveScopes,
  SCOPE_ABILITIES,
  type ScopeAbility,
  type ScopeId,
  type ScopeRow,
  type Scopes,
  SYSTEM_PERMISSIONS,
  withAssumedWrite,
} from './scope.ts';
export {
  createExcerpt,
  type EffectiveMatch,
  type FoundName,
  listWinStates,
  literalTest,
  matchAnywhere,
  matchName,
  SEARCH_FIELDS,
  SEARCH_MATCHES,
  type SearchField,
  type SearchMatch,
  type TextTest,
  WIN_STATES,
  type WinningCell,
} from './search.ts';
export { detectSecretIndicator, type SecretIndicator } from './secret-looks.ts';
export { asSentence, type Params, type Sentence, sentence } from './sentence.ts';
export { isLinkLocalHost, isLoopbackHost } from './service-host.ts';
export { listFolder, type StoreEntry } from './store-folder.ts';
export {
  type ApprovalConditions,
  type ApprovedKey,
  ERRORS_AFTER_LISTING,
  needsAttention,
  STOP_REASONS,
  type StopReason,
  stopAfterPlan,
  syncPlanText,
} from './sync-approval.ts';
export {
  type ApprovedDrift,
  DECISION_ACTIONS,
  type DesiredKey,
  DRIFT_POLICIES,
  type DriftPolicy,
  expectedHash,
  type ImportedText,
  KEY_ACTIONS,
  KEY_REASONS,
  KEY_STATES,
  type KeyAction,
  type KeyDecision,
  type KeyRecord,
  type KeyRemoval,
  type KeyState,
  keptImport,
  listResolvedDrift,
  mustReadKey,
  type PlannedKey,
  type PlannedKeyReason,
  planSync,
  type StartedWrite,
  type StoreKey,
  type SyncPlanInput,
} from './sync-plan.ts';
export { withoutTrailingSlashes } from './trailing-slashes.ts';
export { findChangedAncestors, indexById, inTreeOrder, listLineage, listSubtree, wouldMakeCycle } from './tree.ts';
export {
  acceptsWorkload,
  matchesSubject,
  subjectProblem,
  TRUST_RULES_MAX,
  trustRuleAdvice,
  validateTrustRule,
  type WorkloadClaims,
  type WorkloadTrust,
} from './trust-rule.ts';
export { assertNotBuiltIn, buildValueType, findBaseType, rulesOfChain, type TypeNode } from './type-chain.ts';
export { compareValueTexts } from './value-order.ts';
export { listEnvironmentsReached } from './value-reach.ts';
export { checkText, type ValueType, type Violation } from './value-type.ts';
export { parseVersion, versionOf } from './version.ts';
export { LANGUAGE_WORDS, parseWrittenReferences, type WrittenReference } from './written-references.ts';
export { yamlDocument } from './yaml.ts';
