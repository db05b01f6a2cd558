import { randomInt } from 'node:crypto';
import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { ExpirationAction } from '@strata/contract';
import { generatePassword, type OrganizationId, type ParameterId } from '@strata/domain';
import { DataSource } from 'typeorm';
import type { Command, WriteContext } from '../../../platform/ledger/command.ts';
import { UnitOfWork } from '../../../platform/ledger/unit-of-work.ts';
import { coreObserver } from '../../../platform/observer.ts';
import { EXPIRES_AT, IS_INTERNAL } from '../../../platform/postgres/versioned-table.ts';
import { createSystemCaller } from '../../../platform/system-caller.ts';
import { Vault } from '../../../platform/vault/vault.ts';
import { Validator } from '../../validation/validator.ts';
import { replaceContents, type ValueInContext } from '../values/value-writer.ts';

/** The interval of the job. The shortest duration of an expiration is one hour. */
const RUN_INTERVAL_MS = 60_000;
/** The number of values of one organization that one write replaces. Later runs replace the others. */
const VALUES_MAX = 200;
/** The number of organizations per run. */
const ORGANIZATIONS_MAX = 100;

interface DueRow {
  readonly id: string;
  readonly parameter_id: ParameterId;
  readonly parameter: string;
  readonly secret: boolean;
  readonly type: string;
  readonly expiration_action: object | null;
  readonly project_id: string;
  readonly project: string;
  readonly environment_id: string;
  readonly environment: string;
}

interface Status {
  readonly parameterId: ParameterId;
  readonly state: 'expired' | 'rotated' | 'failed';
  readonly detail: string;
}

/**
 * SQL for the literal values that have expired by $1 and still need handling. A value whose parameter has no action is
 * only reported once per text. A failed rotation is retried after a day. External values are not replaced.
 */
const DUE = `
  from parameter join value on value.organization_id = parameter.organization_id and value.parameter_id = parameter.id
 where parameter.expires is not null and not value.interpolated and (value.text is not null or value.sealed is not null)
   and ${EXPIRES_AT} <= $1::timestamptz
   and (parameter.expiration_action is null or ${IS_INTERNAL})
   and not exists (
     select from parameter_expiration expiration
      where expiration.organization_id = parameter.organization_id and expiration.parameter_id = parameter.id
        and ((expiration.state = 'expired' and parameter.expiration_action is null and expiration.at >= ${EXPIRES_AT})
          or (expiration.state = 'failed' and expiration.at > $1::timestamptz - interval '1 day' and expiration.at >= parameter.modified_at)))`;

/** Replaces texts that have expired (behaviour.md §5.5). An old value is never rejected or hidden. */
@Injectable()
export class Expirations implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger('expiration');
  private timer: NodeJS.Timeout | null = null;
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly dataSource: DataSource,
    private readonly vault: Vault,
    private readonly validator: Validator,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => {
      this.running = this.run().catch((error: unknown) => {
        this.logger.warn(`could not look: ${(error as { code?: string }).code ?? 'no code'}`);
      });
    }, RUN_INTERVAL_MS).unref();
  }

  async onModuleDestroy(): Promise<void> {
    if (this.timer) clearInterval(this.timer);
    await this.running;
  }

  /**
   * Handles the expired values of all organizations as of an instant; null means now. Several processes may run it at
   * the same time: the write selects the expired values again, and finds none that another process has already
   * replaced.
   */
  async run(at: string | null = null): Promise<void> {
    const organizations = await this.dataSource.query<{ id: OrganizationId; at: string }[]>(
      `select distinct due.organization_id as id, instant.at from (select coalesce($1::timestamptz, clock_timestamp())::text as at) instant,
       lateral (select parameter.organization_id ${DUE.replaceAll('$1', 'instant.at')}) due
         join organization on organization.id = due.organization_id and not organization.maintenance and organization.deleted_at is null limit ${ORGANIZATIONS_MAX}`,
      [at],
    );
    for (const { id, at: instant } of organizations) {
      // An error in one organization must not prevent the others from being handled.
      await this.renew(id, instant).catch((error: unknown) => {
        this.logger.warn(`could not renew in ${id}: ${(error as { code?: string }).code ?? 'no code'}`);
      });
    }
  }

  private async renew(organizationId: OrganizationId, at: string): Promise<void> {
    const { result: statuses } = await this.unitOfWork.run(this.renewal(organizationId, at));
    await this.storeStatuses(organizationId, statuses, at);
    for (const { state } of statuses) coreObserver?.expiration(state);
  }

  private renewal(organizationId: OrganizationId, at: string): Command<readonly Status[]> {
    return {
      operation: 'expiration',
      caller: expirationCaller(organizationId),
      isLong: true,
      run: async (context) => {
        const { em } = context;
        const dueRows = await em.query<DueRow[]>(
          `select value.id, parameter.id as parameter_id, parameter.name as parameter, parameter.secret, parameter.expiration_action,
                (select type.name from parameter_type type where type.organization_id = $2 and type.id = parameter.type_id) as type,
                parameter.project_id, (select project.name from project where project.organization_id = $2 and project.id = parameter.project_id) as project,
                value.environment_id,
                (select environment.name from environment where environment.organization_id = $2 and environment.id = value.environment_id) as environment
         ${DUE} and parameter.organization_id = $2 and value.organization_id = $2 order by parameter.id, value.id limit ${VALUES_MAX}`,
          [at, organizationId],
        );
        const markedRows = dueRows.filter(({ expiration_action: action }) => action === null);
        const statuses = markedRows.map(
          ({ parameter_id: parameterId }): Status => ({
            parameterId,
            state: 'expired',
            detail: 'A value has expired. Set a new one.',
          }),
        );
        return [...statuses, ...(await this.rotate(context, organizationId, dueRows))];
      },
    };
  }

  /**
   * Stores the statuses outside of the write, which is rolled back if it changed nothing. If a parameter has several
   * statuses, the last one is stored.
   */
  private async storeStatuses(organizationId: OrganizationId, statuses: readonly Status[], at: string): Promise<void> {
    const lastStatuses = [...new Map(statuses.map((status) => [status.parameterId, status])).values()];
    if (lastStatuses.length === 0) return;
    await this.dataSource.query(
      `insert into parameter_expiration (organization_id, parameter_id, state, at, detail)
       select $1, status.id, status.state, $2, status.detail from unnest($3::uuid[], $4::text[], $5::text[]) as status(id, state, detail)
         join parameter on parameter.organization_id = $1 and parameter.id = status.id
       on conflict (organization_id, parameter_id) do update set state = excluded.state, at = excluded.at, detail = excluded.detail`,
      [
        organizationId,
        at,
        lastStatuses.map(({ parameterId }) => parameterId),
        lastStatuses.map(({ state }) => state),
        lastStatuses.map(({ detail }) => detail),
      ],
    );
  }

  private async rotate(context: WriteContext, organizationId: OrganizationId, dueRows: readonly DueRow[]) {
    const changes = dueRows.flatMap((row) => {
      const { expiration_action: action } = row;
      return action === null ? [] : [{ row, text: newText(ExpirationAction.parse(action)) }];
    });
    const violations = await this.validator.findViolations(
      context.em,
      organizationId,
      changes.map(({ row, text }) => ({ text, name: row.parameter, type: row.type, parameterId: row.parameter_id })),
    );
    const values: ValueInContext[] = [];
    const statuses = new Map<ParameterId, Status>();
    for (const [index, { row, text }] of changes.entries()) {
      const { parameter_id: parameterId } = row;
      const [problem] = violations[index] ?? [];
      if (problem) {
        const detail = `No generated text fits. ${problem.message}`;
        statuses.set(parameterId, { parameterId, state: 'failed', detail });
        continue;
      }
      values.push(await this.toValueInContext(organizationId, row, text));
      if (!statuses.has(parameterId)) {
        statuses.set(parameterId, { parameterId, state: 'rotated', detail: 'The expired text was replaced.' });
      }
    }
    await replaceContents(context, organizationId, values);
    return statuses.values();
  }

  private async toValueInContext(organizationId: OrganizationId, row: DueRow, text: string): Promise<ValueInContext> {
    const { id, secret } = row;
    const context = {
      parameter: { id: row.parameter_id, name: row.parameter },
      project: { id: row.project_id, name: row.project },
      environment: { id: row.environment_id, name: row.environment },
    };
    const sealedText = secret ? await this.vault.sealValue(organizationId, id, text) : null;
    return { id, context, text: secret ? null : text, sealed: sealedText, interpolated: false };
  }
}

function newText(action: ExpirationAction): string {
  const input = {
    length: action.length,
    lowercase: action.require_lowercase,
    uppercase: action.require_uppercase,
    numbers: action.require_numbers,
    symbols: action.require_symbols,
    spaces: action.require_spaces,
  };
  return generatePassword(input, (bound) => randomInt(bound));
}

/** The actor of these writes. */
const expirationCaller = (organizationId: OrganizationId) =>
  createSystemCaller(organizationId, { id: 'expiration', name: 'Expiration' });
