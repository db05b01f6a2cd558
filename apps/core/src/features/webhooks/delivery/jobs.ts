/** The tables of the objects that messages are sent to. Their columns for the progress of deliveries are the same. */
export type TargetTable = 'webhook' | 'destination';

/**
 * The names of the jobs. The previous release knows only the first one, so its workers leave the jobs of destinations to
 * others.
 */
export const DELIVER: Readonly<Record<TargetTable, string>> = {
  webhook: 'deliver',
  destination: 'deliver_to_destination',
};

/** The payload of a job. The id is that of a webhook or of a destination, depending on the name of the job. */
export interface DeliverJob {
  readonly organizationId: string;
  readonly webhookId: string;
  /** The W3C trace context of the change that caused the job: 55 characters. */
  readonly traceparent?: string;
}

/**
 * Returns SQL that creates a job for the row `target` of the table. There is at most one waiting job per row.
 * `preserve_run_at` keeps the time of a waiting job; `replace` sets a new one. `trace` is an expression with the
 * traceparent.
 */
export function addJob(
  table: TargetTable,
  mode: 'preserve_run_at' | 'replace',
  { runAt = 'null', trace = 'null' } = {},
): string {
  return `(graphile_worker.add_job('${DELIVER[table]}',
    json_strip_nulls(json_build_object('organizationId', target.organization_id, 'webhookId', target.id, 'traceparent', ${trace})),
    run_at => ${runAt}, job_key => '${table}:' || target.id, job_key_mode => '${mode}')).id`;
}
