import type { AuditAction } from './audit.ts';
import type { ChangeAction, EventType, NonContractEventType, NonContractNoun } from './event.ts';

/** The kinds of scopes that a change can have. */
export type ScopeKind = 'project' | 'environment' | 'parameter';

interface ObjectKind {
  /** Whether audit lists include it. The ledger includes every type, but the contract has no name for the others. */
  readonly isAudited: boolean;
  /** The noun of its contract events; absent if it has none. */
  readonly event?: 'environment' | 'project' | 'parameter' | 'value';
  /** The noun of its events that are not among the contract's twelve. */
  readonly further?: NonContractNoun;
  /** The kind of scope that the object is, if it is one. */
  readonly scope?: ScopeKind;
  /** Whether the object is only content, so that changes to it never change permissions. */
  readonly isContent?: true;
  /** Whether it is absent from configurations: neither lists of parameters nor effective values depend on it. */
  readonly isBesideConfiguration?: true;
  /** Whether lists of parameters show it although effective values do not depend on it. */
  readonly isBesideValues?: true;
  /** Whether evaluated values do not depend on it. They can depend on templates, although stored values do not. */
  readonly isBesideEvaluation?: true;
  /** Whether programs read it as configuration, so that an organization can protect it from deletion. */
  readonly isReadByPrograms?: true;
}

/** Every type of object in the ledger, by name. To add a type, add a line. */
const OBJECT_KINDS = {
  AwsIntegration: { isAudited: true, isBesideConfiguration: true },
  Environment: { isAudited: true, event: 'environment', scope: 'environment', isReadByPrograms: true },
  GitHubIntegration: { isAudited: true, isBesideConfiguration: true },
  Grant: { isAudited: true, further: 'grant', isBesideConfiguration: true },
  Invitation: { isAudited: true, further: 'invitation', isBesideConfiguration: true },
  Membership: { isAudited: true, further: 'membership', isBesideConfiguration: true },
  Organization: { isAudited: true, further: 'organization' },
  Parameter: { isAudited: true, event: 'parameter', scope: 'parameter', isContent: true, isReadByPrograms: true },
  ParameterRule: { isAudited: true, isBesideValues: true, isBesideEvaluation: true },
  ParameterType: { isAudited: true, further: 'type', isBesideValues: true, isBesideEvaluation: true },
  ParameterTypeRule: { isAudited: true, further: 'type', isBesideValues: true, isBesideEvaluation: true },
  Project: { isAudited: true, event: 'project', scope: 'project', isReadByPrograms: true },
  Pull: { isAudited: true, isBesideConfiguration: true },
  Push: { isAudited: true, isBesideConfiguration: true },
  ServiceAccount: { isAudited: true, further: 'service_account', isBesideConfiguration: true },
  Tag: { isAudited: true, further: 'tag', isBesideConfiguration: true, isBesideEvaluation: true },
  Task: { isAudited: true, isBesideConfiguration: true },
  Template: { isAudited: true, further: 'template', isBesideValues: true },
  Value: { isAudited: true, event: 'value', isContent: true, isReadByPrograms: true },
  AccessRequest: { isAudited: false, further: 'access_request', isBesideConfiguration: true },
  AzureKeyVaultIntegration: { isAudited: false, isBesideConfiguration: true },
  GoogleSecretManagerIntegration: { isAudited: false, isBesideConfiguration: true },
  Group: { isAudited: false, further: 'group', isBesideConfiguration: true },
  Destination: { isAudited: false, further: 'destination', isBesideConfiguration: true },
  Rotation: { isAudited: false, further: 'rotation', isBesideConfiguration: true },
  Webhook: { isAudited: false, further: 'webhook', isBesideConfiguration: true },
} as const satisfies Record<string, ObjectKind>;

type Kinds = typeof OBJECT_KINDS;

/** The types of objects that can change. */
export type ObjectType = keyof Kinds;

/** The types that audit lists include. Existing clients reject any other name. */
export type AuditObjectType = { [T in ObjectType]: Kinds[T]['isAudited'] extends true ? T : never }[ObjectType];

const kindOf: (type: ObjectType) => ObjectKind = (type) => OBJECT_KINDS[type];
const TYPES = Object.keys(OBJECT_KINDS) as ObjectType[];

/** The audited types in the order of the contract. */
export const AUDIT_OBJECT_TYPES = TYPES.filter(
  (type) => kindOf(type).isAudited,
) as readonly ObjectType[] as readonly AuditObjectType[];

/**
 * Changes to these types never change permissions. Changes to the others may; a project's dependency, for instance,
 * does.
 */
export const CONTENT_TYPES: readonly ObjectType[] = TYPES.filter((type) => kindOf(type).isContent);

/** Changes to these types affect neither lists of parameters nor effective values. */
export const TYPES_BESIDE_CONFIGURATION: readonly ObjectType[] = TYPES.filter(
  (type) => kindOf(type).isBesideConfiguration,
);

/** Changes to these types may affect lists of parameters but not effective values. */
export const TYPES_BESIDE_VALUES: readonly ObjectType[] = TYPES.filter((type) => kindOf(type).isBesideValues);

/** Changes to these types do not affect evaluated values. */
export const TYPES_BESIDE_EVALUATION: readonly ObjectType[] = TYPES.filter(
  (type) => kindOf(type).isBesideConfiguration || kindOf(type).isBesideEvaluation,
);

/** Programs read objects of these types as configuration. */
export const TYPES_READ_BY_PROGRAMS: ReadonlySet<ObjectType> = new Set(
  TYPES.filter((type) => kindOf(type).isReadByPrograms),
);

/** Returns the kind of scope that an object of this type is, or null. */
export function scopeKindOf(type: ObjectType): ScopeKind | null {
  return kindOf(type).scope ?? null;
}

/**
 * Returns the event type of a change. A changed rule of a parameter is a `parameter_updated` event, because the
 * contract has only twelve event types.
 */
export function contractEventType(type: ObjectType, action: AuditAction): EventType | null {
  if (type === 'ParameterRule') return 'parameter_updated';
  const { event } = kindOf(type);
  return event && (action === 'create' || action === 'update' || action === 'delete') ? `${event}_${action}d` : null;
}

/** Changes to these types have events beyond the contract's twelve. */
export const NON_CONTRACT_OBJECT_TYPES: readonly ObjectType[] = TYPES.filter((type) => kindOf(type).further);

/**
 * Returns the event type of a change beyond the contract's twelve. It follows from the ledger alone, so nothing is
 * stored for it, and objects that are deleted together with another one have events too. A changed rule of a type is a
 * `type_updated` event.
 */
export function nonContractEventType(type: ObjectType, action: ChangeAction): NonContractEventType | null {
  const { further } = kindOf(type);
  if (!further) return null;
  return type === 'ParameterTypeRule' ? 'type_updated' : `${further}_${action}d`;
}
