import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import {
  AuditReach,
  AuditRecords,
  type AuditRecordsQuery,
  type AuditRecordsQueryVariables,
} from '../graphql/audit.graphql.ts';
import { requestGraphql } from '../graphql/request.ts';
import { queryKeys } from './query-keys.ts';

const RECORDS = 50;

export type AuditRecord = AuditRecordsQuery['audit']['edges'][number]['node'];
export type AuditFilter = Omit<AuditRecordsQueryVariables, 'first'>;

export const auditKeys = queryKeys('audit', {}, (all) => ({
  list: (filter: AuditFilter) => [...all, 'list', filter],
  reach: [...all, 'reach'],
}));

/** The query for audit records: changes, and the records of the access log. */
export const auditQuery = (filter: AuditFilter) =>
  queryOptions({
    queryKey: auditKeys.list(filter),
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => (await requestGraphql(AuditRecords, { first: RECORDS, ...filter }, signal)).audit,
  });

/** The maximum number of records in an exported file. */
export const EXPORTED_RECORDS_MAX = 20_000;
const RECORDS_AT_ONCE = 200;

/** Returns all records up to the maximum, newest first. Reports the progress to `onProgress`. */
export async function auditRecords(filter: Omit<AuditFilter, 'after'>, onProgress: (count: number) => void) {
  const records: AuditRecord[] = [];
  for (let after: string | null = null; records.length < EXPORTED_RECORDS_MAX; ) {
    const { audit }: AuditRecordsQuery = await requestGraphql(AuditRecords, {
      ...filter,
      first: RECORDS_AT_ONCE,
      after,
    });
    records.push(...audit.edges.map(({ node }) => node));
    onProgress(records.length);
    after = audit.pageInfo.endCursor;
    if (!audit.pageInfo.hasNextPage || after === null) break;
  }
  return records;
}

export const auditSummaryQuery = queryOptions({
  queryKey: auditKeys.reach,
  staleTime: 60_000,
  queryFn: async ({ signal }) => (await requestGraphql(AuditReach, {}, signal)).auditSummary,
});

export const ACTIONS = [
  'create',
  'update',
  'delete',
  'reveal',
  'change_password',
  'change_name',
  'sign_out_everywhere',
  'request_refused',
  'sign_in_refused',
  'pull',
  'push',
] as const;
export type AuditedAction = (typeof ACTIONS)[number];
export const parseAuditedAction = (text: string | undefined): AuditedAction | undefined =>
  ACTIONS.find((action) => action === text);

/** The types of objects in the audit log. */
export const OBJECT_TYPES = [
  'Environment',
  'Grant',
  'Invitation',
  'Membership',
  'Organization',
  'Parameter',
  'ParameterRule',
  'ParameterType',
  'ParameterTypeRule',
  'Project',
  'ServiceAccount',
  'Tag',
  'Template',
  'Value',
  'AwsIntegration',
  'GitHubIntegration',
  'Pull',
  'Push',
  'Task',
] as const;

const VERBS: Readonly<Record<AuditedAction, string>> = {
  create: 'created',
  update: 'changed',
  delete: 'deleted',
  reveal: 'revealed',
  change_password: 'changed the password',
  change_name: 'changed the name',
  sign_out_everywhere: 'signed out everywhere',
  request_refused: 'was denied',
  sign_in_refused: 'failed to sign in',
  pull: 'pulled',
  push: 'pushed',
};
export const auditVerb = (action: AuditedAction): string => VERBS[action];

/** Actions of users on their own accounts have no other object. */
export const isAccountAction = (action: AuditedAction): boolean =>
  ['change_password', 'change_name', 'sign_out_everywhere', 'sign_in_refused'].includes(action);

/** Actions that change no configuration belong to no revision. */
export const isAccess = (action: AuditedAction): boolean =>
  isAccountAction(action) || action === 'reveal' || action === 'request_refused';

/** Describes a denied request, such as `forbidden · POST /api/v1/webhooks/ · 3 requests`; empty for other records. */
export function describeDeniedRequest({ refusal: deniedRequest }: Pick<AuditRecord, 'refusal'>): string {
  if (!deniedRequest) return '';
  const { rule, operation, requests } = deniedRequest;
  return [rule, operation, requests > 1 && `${requests.toLocaleString()} requests`].filter(Boolean).join(' · ');
}
