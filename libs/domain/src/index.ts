export { CHANGE_ACTIONS, type ChangeAction, EVENT_TYPES, type Event, type EventType, type Named } from './event.ts';
export { Failure, type FailureKind, type FailureShape, type Problem } from './failure.ts';
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
