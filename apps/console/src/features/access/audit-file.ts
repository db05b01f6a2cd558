import { type AuditRecord, auditVerb, describeDeniedRequest } from '../../data/audit.ts';
import { nameOf } from '../../data/people.ts';
import { nounOf } from '../../kit/history/changeset-words.ts';

const HEAD = [
  'when',
  'who',
  'e-mail',
  'user id',
  'did',
  'to',
  'name',
  'object id',
  'project',
  'environment',
  'revision',
  'refusal',
];

/** Returns the location of a changed object, such as `shop › production`. */
export const locationOfRecord = ({ objectType, projectName, environmentName }: AuditRecord): string =>
  [objectType !== 'Project' && projectName, objectType !== 'Environment' && environmentName]
    .filter(Boolean)
    .join(' › ');

/** Returns the records as CSV, with the wording of the page. */
export function csvOf(records: readonly AuditRecord[]): string {
  const lines = records.map(({ timestamp, user, action, objectType, objectName, objectId, changeset, ...record }) => [
    timestamp,
    nameOf(user),
    user.email ?? '',
    user.id,
    auditVerb(action),
    nounOf(objectType),
    objectName,
    objectId,
    record.projectName ?? '',
    record.environmentName ?? '',
    String(changeset),
    describeDeniedRequest(record),
  ]);
  return `${[HEAD, ...lines].map((cells) => cells.map(cellOf).join(',')).join('\r\n')}\r\n`;
}

/** Returns the records as JSON. */
export const jsonOf = (records: readonly AuditRecord[]): string => `${JSON.stringify(records, null, 2)}\n`;

/** Prefixes texts that spreadsheets would evaluate as formulas. */
function cellOf(text: string): string {
  const harmless = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
