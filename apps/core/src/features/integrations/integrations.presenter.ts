import type { Integration, IntegrationNode, TaskStep } from '@strata/contract';
import type { Links } from '../../platform/http/links.ts';
import { integrationLink, syncLink } from '../syncs/syncs.presenter.ts';
import type { IntegrationRow, TaskStepRow } from './integrations.reader.ts';

/** Describes the connection by the latest test or run that used it. */
function connectionStatus({ latest_contact: contact }: IntegrationRow) {
  if (contact === null) {
    const detail = 'No run has used this connection yet. Test it, or run a pull or a push.';
    return { status: 'unknown', status_detail: detail, status_last_checked_at: null } as const;
  }
  const { error, at } = contact;
  if (error === null) return { status: 'connected', status_detail: '', status_last_checked_at: at } as const;
  return { status: 'errored', status_detail: error, status_last_checked_at: at } as const;
}

export function presentIntegration(row: IntegrationRow, links: Links): Integration {
  return {
    url: integrationLink(links, row.provider, row.id),
    id: row.id,
    name: row.name,
    description: row.description,
    ...connectionStatus(row),
    created_at: row.created_at,
    modified_at: row.modified_at,
    fqn: row.fqn,
    type: row.provider,
    writable: row.writable,
    ...row.settings,
  };
}

export function presentStep(row: TaskStepRow, links: Links): TaskStep {
  const { environment_id: environment, project_id: project, parameter_id: parameter } = row;
  const exchange = syncLink(links, { ...row, id: row.exchange_id });
  return {
    url: `${exchange}tasks/${row.task_id}/steps/${row.id}/`,
    id: row.id,
    operation: row.operation,
    success: row.success,
    success_detail: null,
    fqn: row.fqn,
    environment: environment && row.has_environment ? links.environment(environment) : null,
    environment_id: environment,
    environment_name: row.environment_name,
    project: project && row.has_project ? links.project(project) : null,
    project_id: project,
    project_name: row.project_name,
    parameter: project && parameter && row.has_parameter ? links.parameter(project, parameter) : null,
    parameter_id: parameter,
    parameter_name: row.parameter_name,
    venue_id: null,
    venue_name: null,
    summary: row.summary,
    error_code: row.error_code,
    error_detail: row.error_detail,
    created_at: row.created_at,
    modified_at: row.created_at,
  };
}

/** Presents an integration as a root node of the explorer. */
export function presentBrowsingRoot(row: IntegrationRow): IntegrationNode {
  return {
    fqn: row.fqn,
    node_type: 'directory',
    secret: false,
    name: row.name,
    jmespath: null,
    content_type: null,
    content_data: null,
    content_size: null,
    content_keys: null,
    venue_id: null,
  };
}
