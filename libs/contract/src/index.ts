export { AuthToken, AuthTokenRequest } from './auth-token.ts';
export { Effective, EffectiveQuery } from './effective.ts';
export {
  Environment,
  EnvironmentCreate,
  EnvironmentListQuery,
  EnvironmentPage,
  EnvironmentPatch,
  EnvironmentUpdate,
} from './environment.ts';
export {
  Bookmark,
  CLOSE_CODES,
  EVENT_LIMIT_DEFAULT,
  EVENT_LIMIT_MAX,
  EVENT_WAIT_MAX_SECONDS,
  Event,
  EventListQuery,
  EventPage,
  EventStreamQuery,
  StreamClose,
} from './event.ts';
export { Features } from './features.ts';
export { LIMITS } from './fields.ts';
export {
  Membership,
  MembershipCreate,
  MembershipListQuery,
  MembershipPage,
  MembershipPatch,
  MembershipUpdate,
} from './membership.ts';
export { type OpenApiInfo, openApiDocument } from './openapi.ts';
export type { HttpMethod, Operation, Requirement } from './operation.ts';
export { OPERATIONS } from './operations.ts';
export {
  Organization,
  OrganizationCreate,
  OrganizationListQuery,
  OrganizationPage,
  OrganizationPatch,
  OrganizationUpdate,
} from './organization.ts';
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
export {
  ParameterRule,
  ParameterType,
  ParameterTypeListQuery,
  ParameterTypePage,
  ParameterTypeRule,
  RULE_KINDS,
  RuleKind,
} from './parameter-type.ts';
export { parseBody, parseQuery } from './parse.ts';
export { Project, ProjectCreate, ProjectListQuery, ProjectPage, ProjectPatch, ProjectUpdate } from './project.ts';
export { type OrderBy, PageQuery } from './query.ts';
export { Refusal, RefusalDetail, RefusalFields, RefusalList } from './refusal.ts';
export { ROLES, Role } from './role.ts';
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
export { EnvironmentPushesQuery, ParameterPushesQuery, TaskStep, TaskStepPage } from './task-step.ts';
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
