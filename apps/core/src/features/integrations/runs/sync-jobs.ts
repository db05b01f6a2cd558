/** The name of the jobs that run the tasks of one integration. */
export const SYNC = 'sync';

/** The number of stored tasks per pull or push. The audit contains all that a member started. */
export const TASKS_KEPT = 20;

/** SQL for the settings that decide what a pattern pull reads and creates; null for other rows of the table exchange. */
export const PULL_SETTINGS = `(case when exchange.direction = 'pull' and exchange.mode = 'pattern' then jsonb_build_object(
    'integration', integration.settings, 'region', exchange.region, 'service', exchange.service, 'resource', exchange.resource, 'options', exchange.options) end)`;

export interface SyncJob {
  readonly organizationId: string;
  readonly integrationId: string;
}

/**
 * Returns SQL that creates a job for a row of the table integration. There is at most one waiting job per
 * integration.
 */
export const addSyncJob = (runAt = 'null'): string => `(graphile_worker.add_job('${SYNC}',
    json_build_object('organizationId', integration.organization_id, 'integrationId', integration.id),
    run_at => ${runAt}, job_key => 'integration:' || integration.id, job_key_mode => 'replace')).id`;
