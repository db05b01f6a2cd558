import type { QueryResult, ResultVersion } from '../../platform/http/response-cache.ts';
import type { TextRecord, ViewedParameter } from './snapshot.ts';
import type { VersionedSnapshot } from './snapshots.ts';

type AnySnapshot = VersionedSnapshot<ViewedParameter, TextRecord>;

/** Returns the result of a query that is presented from a snapshot. */
export function toQueryResult(snapshot: AnySnapshot, write: QueryResult['write']): QueryResult {
  return { ...toResultVersion(snapshot), write };
}

/** Returns the version of a response that is presented from a snapshot. */
export function toResultVersion({ head, contentVersion, values }: AnySnapshot): ResultVersion {
  // A dynamic value may depend on other rows, so only an equal head proves that the response is unchanged.
  const isLiteral = values.every(({ interpolated }) => !interpolated);
  const currentVersion = contentVersion === null ? null : { head, contentVersion: isLiteral ? contentVersion : null };
  return { revision: head.revision, currentVersion };
}
