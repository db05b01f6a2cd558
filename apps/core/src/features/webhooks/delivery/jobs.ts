/** The name of our one kind of job; its payload names the webhook to work on. */
export const DELIVER = 'deliver';

export interface DeliverJob {
  readonly organizationId: string;
  readonly webhookId: string;
}

/**
 * SQL that enqueues work for the row `w` of webhook, at most one waiting job per webhook. `preserve_run_at` lets a job
 * that waits for its time keep it; `replace` sets the time anew.
 */
export function addJob(mode: 'preserve_run_at' | 'replace', runAt = 'null'): string {
  return `(graphile_worker.add_job('${DELIVER}',
    json_build_object('organizationId', w.organization_id, 'webhookId', w.id),
    run_at => ${runAt}, job_key => 'webhook:' || w.id, job_key_mode => '${mode}')).id`;
}
