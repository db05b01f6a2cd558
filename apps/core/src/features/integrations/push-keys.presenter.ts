import type { PushKey } from '@strata/contract';
import type { Links } from '../../platform/http/links.ts';
import type { PushKeyRow } from './push-keys.reader.ts';

export function presentPushKey(row: PushKeyRow, links: Links): PushKey {
  const { project_id: projectId, environment_id: environmentId, parameter_id: parameterId } = row;
  const { parameter_project_id: owner } = row;
  return {
    key: row.key,
    state: row.state,
    action: row.action,
    reason: row.reason,
    detail: row.detail,
    version: row.version,
    decisions: possibleDecisions(row),
    project: projectId && row.project_name !== null ? links.project(projectId) : null,
    project_id: projectId,
    project_name: row.project_name,
    environment: environmentId && row.environment_name !== null ? links.environment(environmentId) : null,
    environment_id: environmentId,
    environment_name: row.environment_name,
    parameter: parameterId && owner ? links.parameter(owner, parameterId) : null,
    parameter_id: parameterId,
    parameter_name: row.parameter_name,
    written_at: row.written_at,
    changed_at: row.changed_at,
    next_attempt_at: row.next_attempt_at,
  };
}

/** Returns the decisions that have an effect in the next run. */
function possibleDecisions({ state, action, reason, is_desired: isDesired }: PushKeyRow): PushKey['decisions'] {
  if (state === 'foreign' && reason === 'deleted_elsewhere') return ['leave'];
  if (state === 'foreign') return isDesired && action !== 'forget' ? ['overwrite', 'leave'] : [];
  if (state === 'drifted') return isDesired ? ['overwrite', 'leave'] : ['delete', 'leave'];
  if (reason === 'removal_undecided') return ['delete', 'leave'];
  return ['create', 'restore', 'update', 'delete'].includes(action) ? ['leave'] : [];
}
