import { nounOf } from '../history/changeset-words.ts';
import type { AuditRecordsQuery } from './audit.graphql.ts';
import { auditVerb } from './audit.ts';
import { nameOf } from './people.ts';

export type AuditRecord = AuditRecordsQuery['audit']['edges'][number]['node'];

const HEAD = ['when', 'who', 'e-mail', 'user id', 'did', 'to', 'name', 'object id', 'revision'];

/** For spreadsheets and for people; the same words as on the page. */
export function csvOf(records: readonly AuditRecord[]): string {
  const lines = records.map(({ timestamp, user, action, objectType, objectName, objectId, changeset }) => [
    timestamp,
    nameOf(user),
    user.email ?? '',
    user.id,
    auditVerb(action),
    nounOf(objectType),
    objectName,
    objectId,
    String(changeset),
  ]);
  return `${[HEAD, ...lines].map((cells) => cells.map(cellOf).join(',')).join('\r\n')}\r\n`;
}

/** For programs. */
export const jsonOf = (records: readonly AuditRecord[]): string => `${JSON.stringify(records, null, 2)}\n`;

/** A spreadsheet runs what begins like a formula, and names are what somebody chose. */
function cellOf(text: string): string {
  const harmless = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
