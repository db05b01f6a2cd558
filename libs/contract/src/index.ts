export {
  AccessExplanation,
  AccessExplanationPage,
  AccessExplanationQuery,
  ExplainedAccessCandidate,
  ExplainedScopeAccess,
} from './access-explanation.ts';
export {
  ACCESS_REQUEST_STATES,
  AccessRequest,
  AccessRequestCreate,
  AccessRequestDecision,
  AccessRequestListQuery,
  AccessRequestPage,
  TEMPORARY_ACCESS_LIMITS,
} from './access-request.ts';
export { AuditListQuery, AuditPage, AuditSummary, AuditTrail, DeniedRequest } from './audit.ts';
export { AuditCheckpoint, AuditProof } from './audit-evidence.ts';
export {
  AUDIT_CLOSE_CODES,
  AuditStreamBookmark,
  AuditStreamClose,
  AuditStreamQuery,
  AuditStreamRecord,
} from './audit-stream.ts';
export { AuthToken, AuthTokenRequest, SIGN_IN_SECONDS, TOKEN_SECONDS_MIN } from './auth-token.ts';
export { BackupQuery, BackupSnapshot } from './backup.ts';
export { BATCH_LIMITS, type BatchedRead, BatchRequest, BatchResponse, BatchResult } from './batch.ts';
export { type ChangesetOperation, ChangesetRequest } from './changeset.ts';
export { CHANGESET_LIMITS } from './changeset-limits.ts';
export { changesetUse, isChange } from './changeset-operations.ts';
export {
  AppliedChangeset,
  AppliedOperation,
  ChangesetChange,
  ChangesetListQuery,
  ChangesetPage,
  OperationError,
  RecordedChangeset,
} from './changeset-response.ts';
export {
  DESTINATION_LIMITS,
  DESTINATION_TYPES,
  Destination,
  DestinationCreate,
  DestinationCreated,
  DestinationDelivery,
  DestinationDeliveryListQuery,
  DestinationListQuery,
  DestinationPatch,
  ReplayRequest,
  ReplayResult,
  SecretRotation,
} from './destination.ts';
export {
  Difference,
  DifferenceCell,
  DifferenceColumn,
  DifferenceParameter,
  DifferenceSide,
  Differences,
  DifferencesQuery,
  DifferenceToSet,
} from './difference.ts';
export { Effective, EffectiveQuery } from './effective.ts';
export {
  type CompleteEffectiveBatchValue,
  EFFECTIVE_BATCH_LIMITS,
  EffectiveBatch,
  EffectiveBatchError,
  EffectiveBatchQuery,
  EffectiveBatchResult,
  EffectiveBatchValue,
} from './effective-batch.ts';
export { EffectiveChange, EffectiveChangeQuery } from './effective-change.ts';
export {
  EFFECTIVE_MESSAGES,
  EffectiveBookmark,
  EffectiveClose,
  EffectiveDelta,
  type EffectiveMessage,
  EffectiveProblem,
  EffectiveReset,
  EffectiveSnapshot,
  EffectiveSource,
  EffectiveSourceScope,
  EffectiveStreamQuery,
  EffectiveValueChange,
  MISSED_REVISIONS_MAX,
} from './effective-stream.ts';
export {
  Environment,
  EnvironmentCreate,
  EnvironmentListQuery,
  EnvironmentPage,
  EnvironmentPatch,
  EnvironmentSummary,
  SUMMARIZED_ENVIRONMENTS_MAX,
  SummarizedEnvironment,
} from './environment.ts';
export { AnyErrorBody } from './error-bodies.ts';
export { ErrorEntry } from './error-members.ts';
export {
  Bookmark,
  ChangeAction,
  CLOSE_CODES,
  Event,
  EventListQuery,
  EventPage,
  EventStreamQuery,
  FeedEventTypeName,
  StreamClose,
} from './event.ts';
export { ExpirationAction } from './expiration.ts';
export {
  EXPLANATION_LIMITS,
  ExplainedAbsence,
  ExplainedCandidate,
  ExplainedChange,
  ExplainedDependent,
  ExplainedExternal,
  ExplainedNext,
  ExplainedProject,
  ExplainedPush,
  ExplainedReference,
  ExplainedSource,
  ExplainedValue,
  Explanation,
} from './explanation.ts';
export { ExplanationQuery } from './explanation-query.ts';
export { Features } from './features.ts';
export { LIMITS } from './fields.ts';
export {
  FLAG_ERROR_CODES,
  FlagErrorBody,
  type FlagErrorCode,
  FlagEvaluation,
  FlagEvaluationRequest,
  FlagSet,
} from './flag.ts';
export {
  ConfirmationQuery,
  CredentialConfirmation,
  FORWARDED_READ_LIMITS,
  ForwardedRead,
  ForwardedReads,
  ForwardedReadsResult,
} from './forwarded-read.ts';
export { Grant, GrantCreate, GrantListQuery, GrantMultiQuery, GrantPatch } from './grant.ts';
export { Group, GroupCreate, GroupListQuery, GroupPatch } from './group.ts';
export {
  AnyIntegrationListQuery,
  AnyIntegrationPage,
  AwsPush,
  INTEGRATIONS,
  type Integration,
  type IntegrationInput,
  PROVIDERS,
  Provider,
  type ProviderName,
  type ProviderShapes,
  type Pull,
  type PullInput,
  type Push,
  type PushInput,
} from './integration.ts';
export { type IntegrationTask, TaskStep } from './integration-fields.ts';
export {
  ConnectionTest,
  DiscoveryResult,
  EnvironmentPushListQuery,
  ExploreQuery,
  IntegrationDeleteQuery,
  IntegrationNode,
  ParameterPushListQuery,
  PullListQuery,
  PullSyncRequest,
  PushListQuery,
  StepListQuery,
  TaskListQuery,
} from './integration-queries.ts';
export {
  Invitation,
  InvitationAccept,
  InvitationCreate,
  InvitationCreated,
  InvitationListQuery,
  InvitationOffer,
  InvitationOfferRequest,
  InvitationPage,
  InvitationPatch,
} from './invitation.ts';
export { DeletionQuery, ReadBy } from './last-read.ts';
export { LintedEnvironment, LintFinding, LintKind, LintPage, LintQuery, LintReason, MendOperation } from './lint.ts';
export { BY_NAME, listCursor, NEWEST_FIRST, type SortedBy, sortKey } from './list-cursor.ts';
export {
  MATRIX_LIMITS,
  Matrix,
  MatrixCell,
  MatrixEnvironment,
  MatrixGroup,
  MatrixName,
  MatrixNext,
  MatrixQuery,
} from './matrix.ts';
export { Membership, MembershipCreate, MembershipListQuery, MembershipPatch } from './membership.ts';
export {
  type CopiedFrom,
  isReference,
  type NameOrReference,
  type ResolvedValue,
  type SettableValue,
} from './named-values.ts';
export { openApiDocument } from './openapi.ts';
export type { ApiNoun, Operation } from './operation.ts';
export { ENABLE_WEBHOOK, OPERATIONS, WEBHOOKS } from './operations.ts';
export { APPLY_CHANGESET, PLAN_CHANGESET, PUT_VALUES } from './operations-changesets.ts';
export {
  ENVIRONMENTS,
  EXPLAIN,
  PARAMETERS,
  PROJECT_OVERVIEW,
  PROJECTS,
  SUMMARIZE_ENVIRONMENTS,
  TAGS,
  VALUES,
} from './operations-configuration.ts';
export {
  DESTINATIONS,
  ENABLE_DESTINATION,
  REPLAY_EVENTS,
  ROTATE_DESTINATION_SECRET,
} from './operations-destinations.ts';
export { CONFIRM_CREDENTIAL, FORWARD_READS } from './operations-edges.ts';
export { EVALUATE_FLAG, EVALUATE_FLAGS } from './operations-flags.ts';
export {
  AUDIT,
  AUDIT_CHECKPOINT,
  AUDIT_LOG_CHECKPOINT,
  AUDIT_LOG_LONG_TILE,
  AUDIT_LOG_PARTIAL_TILE,
  AUDIT_LOG_TILE,
  AUDIT_PROOF,
} from './operations-history.ts';
export { LINT, SEARCH } from './operations-insight.ts';
export { DIFFERENCES, MATRIX } from './operations-matrix.ts';
export {
  CHANGE_OWN_ACCOUNT,
  CHANGE_PASSWORD,
  END_TOKENS,
  MEMBERSHIPS,
  ORGANIZATIONS,
  READ_ABILITIES,
  READ_CALLER,
  READ_SIGN_IN_METHODS,
  REKEY_SERVICE_ACCOUNT,
  SERVICE_ACCOUNTS,
  USERS,
} from './operations-people.ts';
export {
  ADD_FAVOURITE,
  COLLAPSE_ENVIRONMENT,
  DELETE_VIEW,
  EXPAND_ENVIRONMENT,
  READ_PREFERENCES,
  RECORD_VISIT,
  REMOVE_FAVOURITE,
  SAVE_VIEW,
} from './operations-preferences.ts';
export { PLAN_CHANGESET_REVERT, PLAN_REVERT, REVERT, REVERT_CHANGESET } from './operations-reverts.ts';
export {
  ACCESS_REQUESTS,
  ADD_TO_GROUP,
  APPROVE_ACCESS,
  DECLINE_ACCESS,
  EXPLAIN_ACCESS,
  GRANTS,
  GROUPS,
  INVITATIONS,
  LIST_UNUSED_ACCESS,
  REMOVE_FROM_GROUP,
  REMOVE_GRANTS,
  RESEND_INVITATION,
  REVOKE_ACCESS,
} from './operations-rights.ts';
export {
  ABORT_ROTATION,
  DISMISS_INSTANCES,
  ROTATIONS,
  START_ROTATION,
} from './operations-rotations.ts';
export {
  CHANGE_SIGN_IN_POLICY,
  CREATE_SIGN_IN_CODE,
  CREATE_TRUST_RULE,
  DELETE_TRUST_RULE,
  END_OWN_SESSION,
  END_SESSION,
  LIST_SESSIONS,
  LIST_TRUST_RULES,
  READ_SIGN_IN_POLICY,
} from './operations-sign-in.ts';
export { TEMPLATES } from './operations-templates.ts';
export { BACK_UP, COPY_ENVIRONMENT, COPY_PARAMETER, COPY_PROJECT, IMPORT } from './operations-transfer.ts';
export {
  PARAMETER_RULES,
  PARAMETERS_OF_TYPE,
  TYPE_RULES,
  TYPE_USAGE,
  TYPES,
  VALIDATE_AS_PARAMETER,
  VALIDATE_AS_TYPE,
} from './operations-types.ts';
export {
  Organization,
  OrganizationCreate,
  OrganizationListQuery,
  OrganizationPage,
  OrganizationPatch,
} from './organization.ts';
export { CallerAbilities, OwnAccountPatch, PasswordChange, ScopeAbilities, SignInMethods } from './own-account.ts';
export { type Page, pageSchema } from './page.ts';
export {
  Parameter,
  ParameterCreate,
  ParameterListQuery,
  ParameterPage,
  ParameterPatch,
  ParameterQuery,
} from './parameter.ts';
export { ParameterDuality, ParameterDualityQuery } from './parameter-duality.ts';
export { ParameterExport, ParameterExportQuery } from './parameter-export.ts';
export { ParameterType, ParameterTypeCreate, ParameterTypeListQuery, ParameterTypePatch } from './parameter-type.ts';
export { parseBody, parseQuery } from './parse.ts';
export { GeneratedPassword, GeneratePasswordQuery } from './password.ts';
export {
  AccessChange,
  BlockingReference,
  CellAccessChange,
  NotifiedDestination,
  Plan,
  PlanDifference,
  PlanEntryDifferences,
  PlannedChange,
  PlannedObject,
  PlanTotals,
  RestartedExpiration,
  StartedPush,
  ToldWebhook,
  Uncovered,
} from './plan.ts';
export {
  ColumnWidth,
  MatrixView,
  MatrixViewSave,
  PREFERENCES_MAX,
  Preferences,
  Shortcut,
} from './preferences.ts';
export { ProblemDetails } from './problem-details.ts';
export { Project, ProjectCreate, ProjectListQuery, ProjectPatch } from './project.ts';
export {
  ExpiringValue,
  LastProjectChange,
  OVERVIEW_LIMITS,
  OverviewProject,
  ProjectInstances,
  ProjectOverview,
  ProjectOverviewQuery,
} from './project-overview.ts';
export {
  BY_KEY,
  PUSH_LIMITS,
  PushCreateQuery,
  PushKey,
  PushKeyListQuery,
  PushKeyPage,
  PushPolicy,
  PushPolicyPatch,
  PushRun,
  PushRunPlan,
} from './push-key.ts';
export { PutValue, PutValuesAnswer, PutValuesQuery } from './put-values.ts';
export { LIST_START, type OrderBy, PageQuery } from './query.ts';
export {
  REVERT_LIMITS,
  RevertChangesetRequest,
  Reverted,
  type RevertPolicy,
  RevertRequest,
  type RevertScopeKind,
} from './revert.ts';
export { NotRevertible, RevertConflict } from './revert-conflict.ts';
export { ROLES, Role } from './role.ts';
export {
  INSTANCE_HEADER,
  INSTANCE_LIMITS,
  INSTANCE_STATUSES,
  InstanceName,
  InstanceReport,
  Rollout,
  RolloutAccount,
  RolloutInstance,
  RolloutQuery,
} from './rollout.ts';
export {
  AwsIamUser,
  COPY_REASON_TEXTS,
  CommandInput,
  GRACE_SECONDS_DEFAULT,
  InstanceDismissal,
  PostgresqlConnection,
  ROTATION_LIMITS,
  ROTATORS,
  Rotation,
  RotationCreate,
  RotationInstance,
  RotationListQuery,
  RotationPage,
  RotationPatch,
  RotationPush,
} from './rotation.ts';
export {
  ParameterRule,
  ParameterTypeRule,
  RULE_KINDS,
  type RuleCreate,
  RuleListQuery,
  type RulePatch,
  RuleQuery,
  RuleType,
} from './rule.ts';
export { SearchedEnvironment, SearchHit, SearchMatch, SearchPage, SearchQuery, SearchWin } from './search.ts';
export { SeenPlan } from './seen-plan.ts';
export {
  ApiKey,
  ServiceAccount,
  ServiceAccountCreate,
  ServiceAccountCreated,
  ServiceAccountListQuery,
  ServiceAccountRekey,
  ServiceAccountUpdate,
} from './service-account.ts';
export {
  ACCESS_TOKEN_TYPE,
  ExchangedToken,
  SESSIONS_MAX,
  Session,
  SessionEnd,
  SessionPage,
  SessionStart,
  SIGN_IN_CODE_SECONDS,
  SIGN_IN_METHODS,
  SignInCode,
  SignInCodeCreate,
  type SignInMethod,
  SUBJECT_TOKEN_TYPES,
  TOKEN_EXCHANGE_GRANT_TYPE,
  TokenExchange,
  WORKLOAD_SECONDS,
} from './session.ts';
export { SignInPolicy, SignInPolicyUpdate, SignInProvider } from './sign-in-policy.ts';
export { parseSnapshotFile, type SnapshotFile, type SnapshotParsed } from './snapshot-file.ts';
export { Tag, TagCreate, TagListQuery, TagPatch, TagUsage } from './tag.ts';
export {
  Template,
  TemplateCreate,
  TemplateListQuery,
  TemplatePage,
  TemplatePatch,
  TemplatePreview,
  TemplatePreviewQuery,
  TemplatePreviewRequest,
  TemplateQuery,
} from './template.ts';
export {
  ParameterTimeline,
  ParameterTimelineEntry,
  ParameterTimelineQuery,
  TemplateTimeline,
  TemplateTimelineEntry,
  TimelineEnvironment,
  TimelineParameter,
  TimelineQuery,
  TimelineState,
  TimelineTemplate,
  TimelineVersions,
} from './timeline.ts';
export {
  EnvironmentCopyRequest,
  ImportAction,
  ImportParameter,
  ImportQuery,
  ImportRequest,
  ImportResponse,
  ParameterCopy,
  ProjectCopyRequest,
} from './transfer.ts';
export { TrustRule, TrustRuleCreate, TrustRuleListQuery, TrustRulePage } from './trust-rule.ts';
export {
  ParameterOfType,
  ParameterOfTypeListQuery,
  TextValidationResult,
  TextViolation,
  TypeUsage,
  TypeUse,
} from './type-use.ts';
export type {
  ListId,
  OperationArguments,
  OperationClient,
  OperationId,
  OperationRequest,
  OperationResponse,
  QueryValue,
  Routes,
  RowOf,
} from './typed-operations.ts';
export { UNUSED_RIGHTS, UnusedAccess, UnusedAccessPage, UnusedAccessQuery } from './unused-access.ts';
export { User, UserListQuery } from './user.ts';
export {
  presentExternalSource,
  Value,
  ValueCreate,
  ValueListQuery,
  ValuePatch,
  ValueQuery,
  ValueUpdate,
} from './value.ts';
export { findVocabulary, type Vocabulary, vocabulary } from './vocabulary.ts';
export {
  DELIVERY_STATUSES,
  Delivery,
  DeliveryAttempt,
  DeliveryListQuery,
  Webhook,
  WebhookConfiguration,
  WebhookCreate,
  WebhookListQuery,
  WebhookPage,
  WebhookPatch,
} from './webhook.ts';
