import { randomUUID } from 'node:crypto';
import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { EXPIRES_SOON, type OrganizationId } from '@strata/domain';
import type { ReminderValue } from '@strata/webhooks';
import { DataSource, type EntityManager } from 'typeorm';
import { EXPIRES_AT, wireTimeSql } from '../../../platform/postgres/versioned-table.ts';
import { Backlog } from './backlog.ts';
import { Channels, type TargetRow } from './channels.ts';
import { DeliveryQueue } from './delivery-queue.ts';
import { toFilter } from './delivery-store.ts';

const RUN_INTERVAL_MS = 300_000;
/** The number of reminders per run. Later runs send the others. */
const REMINDERS_MAX = 1_000;
/** The number of values in one message. */
const VALUES_MAX = 100;

interface DueRow {
  readonly organization_id: OrganizationId;
  readonly destination_id: string;
  readonly value: ReminderValue;
}

/** A destination of some due reminders, with the columns that its channel requires. */
type ReminderTarget = TargetRow & Parameters<typeof toFilter>[0];

const named = (table: string) => `json_build_object('id', ${table}.id, 'name', ${table}.name)`;

/**
 * Selects the values that expire soon at $1, each with the shortest lead time that has begun. So a value that a
 * destination reports late has one reminder and not one for each lead time.
 */
const DUE = `
select destination.organization_id, destination.id as destination_id,
       json_build_object('id', value.id, 'project', ${named('project')}, 'environment', ${named('environment')},
                         'parameter', ${named('parameter')}, 'secret', parameter.secret,
                         'expires_at', ${wireTimeSql(EXPIRES_AT)}, 'days', lead.days) as value
  from destination
  join organization on organization.id = destination.organization_id and not maintenance and deleted_at is null
  join parameter on parameter.organization_id = destination.organization_id and parameter.expires is not null
  join value on value.organization_id = parameter.organization_id and value.parameter_id = parameter.id
  join project on project.organization_id = parameter.organization_id and project.id = parameter.project_id
  join environment on environment.organization_id = value.organization_id and environment.id = value.environment_id
 cross join lateral (
   select min(days) as days from unnest(destination.expiry_days) days
    where ${EXPIRES_AT} - days * interval '1 day' <= $1::timestamptz) lead
 where destination.state = 'active' and '${EXPIRES_SOON}' = any(destination.event_types) and lead.days is not null
   and not value.interpolated and (value.text is not null or value.sealed is not null) and ${EXPIRES_AT} > $1::timestamptz
   and not exists (
     select from expiry_reminder reminder
      where reminder.organization_id = destination.organization_id and reminder.destination_id = destination.id
        and reminder.value_id = value.id and reminder.expires_at = ${EXPIRES_AT} and reminder.days = lead.days)
 order by destination.organization_id, destination.id, value.id limit ${REMINDERS_MAX}`;

/** Returns the ids of those values that no other process has recorded. */
const RECORD = `
with recorded as (
  insert into expiry_reminder (organization_id, destination_id, value_id, expires_at, days)
  select $1, $2, reminder.id, reminder.expires_at, reminder.days
    from jsonb_to_recordset($3::jsonb) reminder(id uuid, expires_at timestamptz, days integer)
  on conflict do nothing returning value_id)
select value_id as id from recorded`;

const QUEUE = `
insert into delivery (organization_id, destination_id, id, kind, status, event_types, events, text, content)
values ($1, $2, $3, 'reminder', 'queued', '{${EXPIRES_SOON}}', $4, $5, $6)`;

/**
 * Reminds destinations of values that expire soon: once per lead time, even if several processes find them. Records a reminder
 * also if the filter excludes the value, so that later runs do not read it again.
 */
@Injectable()
export class ExpiryReminders implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger('reminders');
  private timer: NodeJS.Timeout | null = null;
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly dataSource: DataSource,
    private readonly backlog: Backlog,
    private readonly channels: Channels,
    private readonly queue: DeliveryQueue,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => {
      this.running = this.run().catch((error: unknown) => {
        this.logger.warn(`could not find expiring values: ${(error as { code?: string }).code ?? 'no code'}`);
      });
    }, RUN_INTERVAL_MS).unref();
  }

  async onModuleDestroy(): Promise<void> {
    if (this.timer) clearInterval(this.timer);
    await this.running;
  }

  /** Queues the reminders of all organizations that are due at an instant. */
  async run(at: string = new Date().toISOString()): Promise<void> {
    const dueRows = await this.dataSource.query<DueRow[]>(DUE, [at]);
    const byDestination = Map.groupBy(dueRows, ({ destination_id: id }) => id);
    for (const [id, rows] of byDestination) {
      const [first] = rows;
      if (first)
        await this.remind(
          first.organization_id,
          id,
          rows.map(({ value }) => value),
        );
    }
  }

  private async remind(organizationId: OrganizationId, id: string, values: readonly ReminderValue[]): Promise<void> {
    const [target] = await this.dataSource.query<ReminderTarget[]>(
      'select * from destination where organization_id = $1 and id = $2',
      [organizationId, id],
    );
    if (!target) return;
    const matches = await this.backlog.matcher(organizationId, toFilter(target));
    const isSelected = ({ project, environment, parameter }: ReminderValue) =>
      matches({ type: EXPIRES_SOON, project, environment, parameter });
    await this.dataSource.transaction(async (em) => {
      const parameters = [organizationId, id, JSON.stringify(values)];
      const recordedRows = await em.query<{ id: string }[]>(RECORD, parameters);
      const ids = new Set(recordedRows.map((row) => row.id));
      const selectedValues = values.filter((value) => ids.has(value.id) && isSelected(value));
      for (let start = 0; start < selectedValues.length; start += VALUES_MAX) {
        await this.enqueue(em, target, selectedValues.slice(start, start + VALUES_MAX));
      }
      if (selectedValues.length > 0) await this.queue.enqueueNow(em, 'destination', organizationId, id);
    });
  }

  private async enqueue(em: EntityManager, target: ReminderTarget, values: readonly ReminderValue[]): Promise<void> {
    const { organization_id: organizationId, id } = target;
    const text = this.channels.of('destination', target).describe({ kind: 'expirations', values });
    await em.query(QUEUE, [organizationId, id, randomUUID(), values.length, text, JSON.stringify(values)]);
  }
}
