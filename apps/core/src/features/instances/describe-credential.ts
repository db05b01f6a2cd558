import type { Caller, VerifiedCredential } from '../../platform/caller.ts';

const WORKLOAD = 'workload:';
const KEY = 'key:';

/** Returns whether an instance belongs to a workload, which has fewer rights than its account may have. */
export const isWorkloadSql = (column: string): string => `${column} like '${WORKLOAD}%'`;

/** Returns SQL for the prefix of the API key of an instance; null for other credentials. */
export const keyPrefixSql = (column: string): string => `substring(${column} from '^${KEY}(.+)$')`;

/**
 * Identifies the credential of a caller without its secret. Programs sign in again every few minutes or hours, so a
 * session that was started with a key or by a trust rule counts as that key or rule.
 */
export function describeCredential({ authorization }: Pick<Caller, 'authorization'>): string {
  return authorization === null ? 'none' : credentialText(authorization.credential);
}

function credentialText({ keyPrefix, trustRuleId, sessionId }: VerifiedCredential): string {
  if (keyPrefix !== null) return `${KEY}${keyPrefix}`;
  if (trustRuleId !== null) return `${WORKLOAD}${trustRuleId}`;
  return sessionId === null ? 'token' : `session:${sessionId}`;
}
