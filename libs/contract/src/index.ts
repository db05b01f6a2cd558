export { AuditListQuery, AuditPage, AuditSummary, AuditTrail } from './audit.ts';
export { AuthToken, AuthTokenRequest, SIGN_IN_SECONDS, TOKEN_SECONDS_MIN } from './auth-token.ts';
export { BATCH_LIMITS, BatchRequest, BatchResponse, BatchResult } from './batch.ts';
export { type ChangesetOperation, ChangesetRequest, OPERATION_KINDS } from './changeset.ts';
export {
  AppliedChangeset,
  AppliedOperation,
  ChangesetChange,
  ChangesetListQuery,
  ChangesetPage,
  RecordedChangeset,
  RefusedOperation,
} from './changeset-answer.ts';
export { CHANGESET_LIMITS } from './changeset-limits.ts';
export { type ChangesetUse, changesetUse } from './changeset-operations.ts';
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
  Environment,
  EnvironmentCreate,
  EnvironmentListQuery,
  EnvironmentPage,
  EnvironmentPatch,
  EnvironmentQuery,
  EnvironmentSummary,
  EnvironmentUpdate,
  SUMMARIZED_ENVIRONMENTS_MAX,
  SummarizedEnvironment,
} from './environment.ts';
export {
  Bookmark,
  ChangeAction,
  CLOSE_CODES,
  EVENT_LIMIT_DEFAULT,
  EVENT_LIMIT_MAX,
  EVENT_WAIT_MAX_SECONDS,
  Event,
  EventListQuery,
  EventPage,
  EventStreamQuery,
  FeedEventTypeName,
  StreamClose,
} from './event.ts';
export { ExpirationAction, type ExpiredStatus } from './expiration.ts';
export {
  ABSENCE_CODES,
  EXPLANATION_LIMITS,
  ExplainedAbsence,
  ExplainedCandidate,
  ExplainedChange,
  ExplainedDependent,
  ExplainedNext,
  ExplainedProject,
  ExplainedReference,
  ExplainedSource,
  ExplainedValue,
  Explanation,
  ExplanationPage,
  ExplanationQuery,
} from './explanation.ts';
export { Features } from './features.ts';
export { LIMITS, linkIn } from './fields.ts';
export { Grant, GrantCreate, GrantListQuery, GrantMultiQuery, GrantPage, GrantPatch, GrantUpdate } from './grant.ts';
export { Group, GroupCreate, GroupListQuery, GroupMemberQuery, GroupPage, GroupPatch, GroupUpdate } from './group.ts';
export {
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
export {
  AWS_SERVICES,
  INTEGRATION_STATUSES,
  type IntegrationTask,
  PULL_MODES,
  STEP_OPERATIONS,
  TASK_STATES,
  TaskStep,
} from './integration-fields.ts';
export {
  type DiscoveryResult,
  EnvironmentPushListQuery,
  ExploreQuery,
  IN_USE,
  IntegrationDeleteQuery,
  IntegrationNode,
  IntegrationQuery,
  NODE_TYPES,
  ParameterPushListQuery,
  PullListQuery,
  PullSync,
  PushListQuery,
  StepListQuery,
  TaskListQuery,
} from './integration-queries.ts';
export {
  INVITATION_STATES,
  Invitation,
  InvitationAccept,
  InvitationCreate,
  InvitationCreated,
  InvitationListQuery,
  InvitationOffer,
  InvitationOfferRequest,
  InvitationPage,
  InvitationPatch,
  InvitationUpdate,
} from './invitation.ts';
export {
  LintedEnvironment,
  LintFinding,
  LintKind,
  LintPage,
  LintQuery,
  LintReason,
  MendOperation,
} from './lint.ts';
export { BY_NAME, keyOfRow, listCursor, NEWEST_FIRST, type SortedBy } from './list-cursor.ts';
export {
  MATRIX_LIMITS,
  Matrix,
  MatrixCell,
  MatrixEnvironment,
  MatrixName,
  MatrixQuery,
} from './matrix.ts';
export {
  Membership,
  MembershipCreate,
  MembershipListQuery,
  MembershipPage,
  MembershipPatch,
  MembershipUpdate,
} from './membership.ts';
export {
  type CopiedFrom,
  isReference,
  type KnownValue,
  type Place,
  type PromoteValues,
  type Reference,
  type SettableValue,
  type SetValues,
  type UnsetValues,
} from './named-values.ts';
export { type OpenApiInfo, openApiDocument } from './openapi.ts';
export type { ApiNoun, HttpMethod, Operation, Requirement } from './operation.ts';
export { ENABLE_WEBHOOK, OPERATIONS, REDELIVER, TEST_WEBHOOK, WEBHOOKS } from './operations.ts';
export {
  APPLY_CHANGESET,
  LIST_CHANGESETS,
  PLAN_CHANGESET,
  PUT_VALUES,
  READ_CHANGESET,
} from './operations-changesets.ts';
export {
  ENVIRONMENTS,
  EXPLAIN,
  JUDGE_AS_PARAMETER,
  JUDGE_AS_TYPE,
  PARAMETER_RULES,
  PARAMETERS,
  PARAMETERS_OF_TYPE,
  PROJECTS,
  SUMMARIZE_ENVIRONMENTS,
  TAGS,
  TYPE_RULES,
  TYPE_USAGE,
  TYPES,
  VALUES,
} from './operations-configuration.ts';
export { AUDIT } from './operations-history.ts';
export { LINT, SEARCH } from './operations-insight.ts';
export { DIFFERENCES, MATRIX } from './operations-matrix.ts';
export {
  CHANGE_PASSWORD,
  END_TOKENS,
  MEMBERSHIPS,
  ORGANIZATIONS,
  READ_ABILITIES,
  READ_CALLER,
  REKEY_SERVICE_ACCOUNT,
  SERVICE_ACCOUNTS,
  USERS,
} from './operations-people.ts';
export { PLAN_CHANGESET_REVERT, PLAN_REVERT, REVERT, REVERT_CHANGESET } from './operations-reverts.ts';
export {
  ADD_TO_GROUP,
  GRANTS,
  GROUPS,
  INVITATIONS,
  REMOVE_FROM_GROUP,
  REMOVE_GRANTS,
  RESEND_INVITATION,
} from './operations-rights.ts';
export { TEMPLATES } from './operations-templates.ts';
export { BACK_UP, COPY_ENVIRONMENT, COPY_PARAMETER, COPY_PROJECT, IMPORT } from './operations-transfer.ts';
export {
  Organization,
  OrganizationCreate,
  OrganizationListQuery,
  OrganizationPage,
  OrganizationPatch,
  OrganizationUpdate,
} from './organization.ts';
export { CallerAbilities, PasswordChange, ScopeAbilities } from './own-account.ts';
export { type Page, pageOf } from './page.ts';
export {
  Parameter,
  ParameterCreate,
  ParameterListQuery,
  ParameterPage,
  ParameterPatch,
  ParameterQuery,
  ParameterUpdate,
} from './parameter.ts';
export { ParameterDuality, ParameterDualityPage, ParameterDualityQuery } from './parameter-duality.ts';
export { ParameterExport, ParameterExportQuery } from './parameter-export.ts';
export {
  ParameterType,
  ParameterTypeCreate,
  ParameterTypeListQuery,
  ParameterTypePage,
  ParameterTypePatch,
  ParameterTypeQuery,
  ParameterTypeUpdate,
} from './parameter-type.ts';
export { parseBody, parseQuery } from './parse.ts';
export { GeneratedPassword, GeneratePasswordQuery, PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN } from './password.ts';
export {
  AccessChange,
  BlockingReference,
  Plan,
  PlanDifference,
  PlanEntriesBetween,
  PlannedChange,
  PlannedObject,
  PlanTotals,
  RestartedExpiration,
  ToldWebhook,
  Uncovered,
} from './plan.ts';
export {
  Project,
  ProjectCreate,
  ProjectListQuery,
  ProjectPage,
  ProjectPatch,
  ProjectQuery,
  ProjectUpdate,
} from './project.ts';
export { PutValue, PutValues, PutValuesAnswer, PutValuesQuery } from './put-values.ts';
export { LIST_START, type OrderBy, PageQuery } from './query.ts';
export { Refusal, RefusalDetail, RefusalEvaluation, RefusalFields, RefusalList } from './refusal.ts';
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
  ParameterRule,
  ParameterRuleCreate,
  ParameterRulePage,
  ParameterRulePatch,
  ParameterRuleUpdate,
  ParameterTypeRule,
  ParameterTypeRuleCreate,
  ParameterTypeRulePage,
  ParameterTypeRulePatch,
  ParameterTypeRuleUpdate,
  RULE_KINDS,
  RuleCreate,
  RuleListQuery,
  RulePatch,
  RuleQuery,
  RuleType,
  RuleUpdate,
} from './rule.ts';
export {
  SearchedEnvironment,
  SearchHit,
  SearchMatch,
  SearchPage,
  SearchPlace,
  SearchQuery,
  SearchWin,
  WALK_LIMITS,
} from './search.ts';
export { SeenPlan } from './seen-plan.ts';
export {
  ApiKey,
  ServiceAccount,
  ServiceAccountCreate,
  ServiceAccountCreated,
  ServiceAccountListQuery,
  ServiceAccountPage,
  ServiceAccountRekey,
  ServiceAccountUpdate,
} from './service-account.ts';
export { Tag, TagCreate, TagListQuery, TagPage, TagPatch, TagUpdate, TagUsage } from './tag.ts';
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
  TemplateUpdate,
} from './template.ts';
export {
  HISTORY_MODELS,
  HISTORY_TYPES,
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
  BackupSnapshot,
  EnvironmentCopy,
  IMPORT_ACTIONS,
  ImportAction,
  ImportParameter,
  ImportQuery,
  ImportRequest,
  ImportResponse,
  ParameterCopy,
  ProjectCopy,
} from './transfer.ts';
export {
  ParameterOfType,
  ParameterOfTypeListQuery,
  ParameterOfTypePage,
  TextToJudge,
  TextVerdict,
  TextViolation,
  TypeUsage,
  TypeUse,
} from './type-use.ts';
export { USER_TYPES, User, UserListQuery, UserPage } from './user.ts';
export {
  Value,
  ValueCreate,
  ValueListQuery,
  ValuePage,
  ValuePatch,
  ValueQuery,
  ValueUpdate,
  ValueWriteQuery,
} from './value.ts';
export { type Vocabulary, vocabulary, vocabularyOf } from './vocabulary.ts';
export {
  DELIVERY_STATUSES,
  Delivery,
  DeliveryAttempt,
  DeliveryListQuery,
  DeliveryPage,
  EventTypeName,
  WEBHOOK_STATES,
  Webhook,
  WebhookConfiguration,
  WebhookCreate,
  WebhookListQuery,
  WebhookPage,
  WebhookPatch,
  WebhookType,
  WebhookUpdate,
} from './webhook.ts';
