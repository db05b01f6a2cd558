/** The name of the only kind of job; its payload names the webhook. */
export const DELIVER = 'deliver';

export interface DeliverJob {
  readonly organizationId: string;
  readonly webhookId: string;
}

/**
 * SQL that creates a job for the row `w` of webhook, with at most one waiting job per webhook. With `preserve_run_at`,
 * a waiting job keeps its time; `replace` sets it again.
 */
export function addJob(mode: 'preserve_run_at' | 'replace', runAt = 'null'): string {
  return `(graphile_worker.add_job('${DELIVER}',
    json_build_object('organizationId', w.organization_id, 'webhookId', w.id),
    run_at => ${runAt}, job_key => 'webhook:' || w.id, job_key_mode => '${mode}')).id`;
}
