import { CHANGE_ACTIONS } from './event.ts';
import type { OrganizationId, Revision, Uuid } from './ids.ts';

/** The actions that an audit record can have (behaviour.md §9). */
export const AUDIT_ACTIONS = [...CHANGE_ACTIONS, 'pull', 'push'] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/** The actions that only the access log records. They do not change the configuration. */
export const ACCESS_ACTIONS = [
  'reveal',
  'change_password',
  'change_name',
  'sign_out_everywhere',
  'request_refused',
  'sign_in_refused',
] as const;
export type AccessLogAction = (typeof ACCESS_ACTIONS)[number];

/** Ordinals from this number on belong to the access log. */
const ACCESS_ORDINAL = 1_000_000_000;

/** Returns whether the position belongs to the access log rather than to a change. */
export function isInAccessLog({ ordinal }: LedgerPosition): boolean {
  return ordinal >= ACCESS_ORDINAL;
}

/** The position of a change in its organization's ledger. */
export interface LedgerPosition {
  readonly revision: Revision;
  /** Starts at 1 in each revision. */
  readonly ordinal: number;
}

const REVISION_DIGITS = 12;
const ORDINAL_DIGITS = 8;
const REVISION_MAX = 2 ** 48 - 1;
const ORDINAL_MAX = 2 ** 32 - 1;

/**
 * Returns the id of a change's audit record. The id encodes the position of the change and ten hexadecimal digits of
 * the organization id as a UUID of version 8. Records of different organizations therefore never share an id, no id
 * needs to be stored, and the ledger's own key finds the record of an id.
 */
export function auditId(organizationId: OrganizationId, { revision, ordinal }: LedgerPosition): Uuid {
  if (revision > REVISION_MAX || ordinal > ORDINAL_MAX) throw new Error('The ledger is too long for audit ids.');
  const digits = (value: number, length: number) => value.toString(16).padStart(length, '0');
  const organizationPart = organizationSegment(organizationId);
  const revisionPart = digits(revision, REVISION_DIGITS);
  const number = digits(ordinal, ORDINAL_DIGITS);
  return [
    revisionPart.slice(0, 8),
    revisionPart.slice(8),
    `8${organizationPart.slice(0, 3)}`,
    `8${organizationPart.slice(3, 6)}`,
    organizationPart.slice(6, 10) + number,
  ].join('-');
}

/** Returns the position that an audit id encodes, or null if the id does not belong to this organization. */
export function positionOfAuditId(organizationId: OrganizationId, id: Uuid): LedgerPosition | null {
  const digits = id.toLowerCase().replaceAll('-', '');
  const revisionPart = {
    revision: Number.parseInt(digits.slice(0, REVISION_DIGITS), 16),
    ordinal: Number.parseInt(digits.slice(-ORDINAL_DIGITS), 16),
  };
  return auditId(organizationId, revisionPart) === id.toLowerCase() ? revisionPart : null;
}

function organizationSegment(organizationId: OrganizationId): string {
  return organizationId.replaceAll('-', '').slice(0, 10);
}
