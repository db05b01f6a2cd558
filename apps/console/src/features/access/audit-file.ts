import { type AuditRecord, auditVerb, describeDeniedRequest } from '../../data/audit.ts';
import { displayName } from '../../data/people.ts';
import { describeObjectType } from '../../kit/history/changeset-descriptions.ts';

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
export function formatCsv(records: readonly AuditRecord[]): string {
  const lines = records.map(({ timestamp, user, action, objectType, objectName, objectId, changeset, ...record }) => [
    timestamp,
    displayName(user),
    user.email ?? '',
    user.id,
    auditVerb(action),
    describeObjectType(objectType),
    objectName,
    objectId,
    record.projectName ?? '',
    record.environmentName ?? '',
    String(changeset),
    describeDeniedRequest(record),
  ]);
  return `${[HEAD, ...lines].map((cells) => cells.map(formatCell).join(',')).join('\r\n')}\r\n`;
}

/** Returns the records as JSON. */
export const formatJson = (records: readonly AuditRecord[]): string => `${JSON.stringify(records, null, 2)}\n`;

/** Prefixes texts that spreadsheets would evaluate as formulas. */
function formatCell(text: string): string {
  const safeText = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safeText) ? `"${safeText.replaceAll('"', '""')}"` : safeText;
}
