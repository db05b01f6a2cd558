import type { AuditAction } from './audit.ts';
import type { ChangeAction, EventType, FurtherEventType, FurtherNoun } from './event.ts';

/** The kinds of places that a change can have happened in. */
export type ScopeKind = 'project' | 'environment' | 'parameter';

interface ObjectKind {
  /** In audit lists; what is not is in the ledger like everything else, but the contract has no word for it. */
  readonly isAudited: boolean;
  /** What its events are called by; absent: nobody subscribes to it. */
  readonly event?: 'environment' | 'project' | 'parameter' | 'value';
  /** What its further events are called by. */
  readonly further?: FurtherNoun;
  /** It is such a place itself. */
  readonly scope?: ScopeKind;
  /** Only what it holds: a change of it says nothing about who may do what. */
  readonly isContent?: true;
  /** It shows in no configuration: neither in lists of parameters nor in effective values. What does not say so does. */
  readonly isBesideConfiguration?: true;
  /** Lists of parameters show it, and which value applies does not depend on it. */
  readonly isBesideValues?: true;
}

/** Every kind of object that the ledger tells of, by name. A new kind is a line here. */
const OBJECT_KINDS = {
  AwsIntegration: { isAudited: true, isBesideConfiguration: true },
  Environment: { isAudited: true, event: 'environment', scope: 'environment' },
  GitHubIntegration: { isAudited: true, isBesideConfiguration: true },
  Grant: { isAudited: true, further: 'grant', isBesideConfiguration: true },
  Invitation: { isAudited: true, further: 'invitation', isBesideConfiguration: true },
  Membership: { isAudited: true, further: 'membership', isBesideConfiguration: true },
  Organization: { isAudited: true, further: 'organization' },
  Parameter: { isAudited: true, event: 'parameter', scope: 'parameter', isContent: true },
  ParameterRule: { isAudited: true, isBesideValues: true },
  ParameterType: { isAudited: true, further: 'type', isBesideValues: true },
  ParameterTypeRule: { isAudited: true, further: 'type', isBesideValues: true },
  Project: { isAudited: true, event: 'project', scope: 'project' },
  Pull: { isAudited: true, isBesideConfiguration: true },
  Push: { isAudited: true, isBesideConfiguration: true },
  ServiceAccount: { isAudited: true, further: 'service_account', isBesideConfiguration: true },
  Tag: { isAudited: true, further: 'tag', isBesideConfiguration: true },
  Task: { isAudited: true, isBesideConfiguration: true },
  Template: { isAudited: true, further: 'template', isBesideValues: true },
  Value: { isAudited: true, event: 'value', isContent: true },
  AzureKeyVaultIntegration: { isAudited: false, isBesideConfiguration: true },
  Group: { isAudited: false, further: 'group', isBesideConfiguration: true },
  Webhook: { isAudited: false, further: 'webhook', isBesideConfiguration: true },
} as const satisfies Record<string, ObjectKind>;

type Kinds = typeof OBJECT_KINDS;

/** What a change can have happened to. */
export type ObjectType = keyof Kinds;

/** What an audit list can tell of. Existing clients refuse a word that is not among these. */
export type AuditObjectType = { [T in ObjectType]: Kinds[T]['isAudited'] extends true ? T : never }[ObjectType];

const kindOf: (type: ObjectType) => ObjectKind = (type) => OBJECT_KINDS[type];
const TYPES = Object.keys(OBJECT_KINDS) as ObjectType[];

/** In the order in which the contract names them. */
export const AUDIT_OBJECT_TYPES = TYPES.filter(
  (type) => kindOf(type).isAudited,
) as readonly ObjectType[] as readonly AuditObjectType[];

/** Their changes say nothing about who may do what; all others may, a project by what it depends on. */
export const CONTENT_TYPES: readonly ObjectType[] = TYPES.filter((type) => kindOf(type).isContent);

/** Their changes leave every list of parameters and every effective value as it is. */
export const TYPES_BESIDE_CONFIGURATION: readonly ObjectType[] = TYPES.filter(
  (type) => kindOf(type).isBesideConfiguration,
);

/** Their changes leave every effective value as it is, and not every list of parameters. */
export const TYPES_BESIDE_VALUES: readonly ObjectType[] = TYPES.filter((type) => kindOf(type).isBesideValues);

/** The place that an object of this type is itself, if it is one. */
export function scopeKindOf(type: ObjectType): ScopeKind | null {
  return kindOf(type).scope ?? null;
}

/**
 * The event that subscribers hear of a change. Whoever follows a parameter hears of its rules as of changes of itself; only
 * the twelve events of the contract exist.
 */
export function eventOf(type: ObjectType, action: AuditAction): EventType | null {
  if (type === 'ParameterRule') return 'parameter_updated';
  const { event } = kindOf(type);
  return event && (action === 'create' || action === 'update' || action === 'delete') ? `${event}_${action}d` : null;
}

/** Their changes raise further events. */
export const FURTHER_OBJECT_TYPES: readonly ObjectType[] = TYPES.filter((type) => kindOf(type).further);

/**
 * The further event of a change. It follows from the ledger alone, so nothing is kept for it, and what disappears together with
 * something else raises one too. Whoever follows types hears of their rules as of changes of themselves.
 */
export function furtherEventOf(type: ObjectType, action: ChangeAction): FurtherEventType | null {
  const { further } = kindOf(type);
  if (!further) return null;
  return type === 'ParameterTypeRule' ? 'type_updated' : `${further}_${action}d`;
}
