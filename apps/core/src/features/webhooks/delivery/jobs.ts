/** The name of the only kind of job. Its payload identifies the webhook. */
export const DELIVER = 'deliver';

export interface DeliverJob {
  readonly organizationId: string;
  readonly webhookId: string;
  /** The W3C trace context of the change that caused the job: 55 characters. */
  readonly traceparent?: string;
}

/**
 * Returns SQL that creates a job for the row `webhook`. There is at most one waiting job per webhook.
 * `preserve_run_at` keeps the time of a waiting job; `replace` sets a new one. `trace` is an expression with the
 * traceparent.
 */
export function addJob(mode: 'preserve_run_at' | 'replace', { runAt = 'null', trace = 'null' } = {}): string {
  return `(graphile_worker.add_job('${DELIVER}',
    json_strip_nulls(json_build_object('organizationId', webhook.organization_id, 'webhookId', webhook.id, 'traceparent', ${trace})),
    run_at => ${runAt}, job_key => 'webhook:' || webhook.id, job_key_mode => '${mode}')).id`;
}
