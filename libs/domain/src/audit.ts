import { CHANGE_ACTIONS } from './event.ts';
import type { OrganizationId, Revision, Uuid } from './ids.ts';

/** What an audit record can say that somebody did (behaviour.md §9). */
export const AUDIT_ACTIONS = [...CHANGE_ACTIONS, 'pull', 'push'] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/** What the access log adds to it: of what changes no configuration. */
export const ACCESS_ACTIONS = ['reveal', 'change_password', 'sign_out_everywhere'] as const;
export type AccessAction = (typeof ACCESS_ACTIONS)[number];

/** From here on the ordinals of a revision are those of the access log. */
const ACCESS_ORDINAL = 1_000_000_000;

/** Whether what stands there is in the access log, and no change. */
export function isInAccessLog({ ordinal }: LedgerPosition): boolean {
  return ordinal >= ACCESS_ORDINAL;
}

/** Where a change stands in the ledger of its organization. */
export interface LedgerPosition {
  readonly revision: Revision;
  /** From 1, within the revision. */
  readonly ordinal: number;
}

const REVISION_DIGITS = 12;
const ORDINAL_DIGITS = 8;
const REVISION_MAX = 2 ** 48 - 1;
const ORDINAL_MAX = 2 ** 32 - 1;

/**
 * The id of the audit record of a change. It is the change's place, written as a UUID of version 8, together with
 * ten hexadecimal digits of the organization, so that the records of two organizations never share an id: nothing
 * has to be stored, and one that is asked for is found by the ledger's own key.
 */
export function auditId(organizationId: OrganizationId, { revision, ordinal }: LedgerPosition): Uuid {
  if (revision > REVISION_MAX || ordinal > ORDINAL_MAX) throw new Error('The ledger is too long for audit ids.');
  const digits = (value: number, length: number) => value.toString(16).padStart(length, '0');
  const organizationPart = organizationPartOf(organizationId);
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

/** The place that an audit id stands for; null when it is none of this organization's. */
export function positionOfAuditId(organizationId: OrganizationId, id: Uuid): LedgerPosition | null {
  const digits = id.toLowerCase().replaceAll('-', '');
  const revisionPart = {
    revision: Number.parseInt(digits.slice(0, REVISION_DIGITS), 16),
    ordinal: Number.parseInt(digits.slice(-ORDINAL_DIGITS), 16),
  };
  return auditId(organizationId, revisionPart) === id.toLowerCase() ? revisionPart : null;
}

function organizationPartOf(organizationId: OrganizationId): string {
  return organizationId.replaceAll('-', '').slice(0, 10);
}
