import { Inject, Injectable, Logger } from '@nestjs/common';
import type { OrganizationId } from '@strata/domain';
import { sendNotice } from '@strata/webhooks';
import { DataSource } from 'typeorm';
import type { Env } from '../../../platform/env.ts';
import type { Command } from '../../../platform/ledger/command.ts';
import { objectChange } from '../../../platform/ledger/object-change.ts';
import { UnitOfWork } from '../../../platform/ledger/unit-of-work.ts';
import { poolOf } from '../../../platform/postgres/data-source.ts';
import { createSystemCaller } from '../../../platform/system-caller.ts';
import { ENV } from '../../../platform/tokens.ts';
import { DeliverySettings } from './delivery-settings.ts';

/** The number of destinations per run. Later runs notify the owners of the others. */
const NOTICES_MAX = 100;

interface SuspendedRow {
  readonly organization_id: OrganizationId;
  readonly id: string;
}

/** A suspended destination, and the e-mail address of its owner if they have one. */
interface Notice {
  readonly id: string;
  readonly name: string;
  readonly reason: string;
  readonly email: string | null;
}

/**
 * Notifies the owners of suspended destinations: once, even if several processes look. The change is an event,
 * which refreshes the console. The e-mail is sent afterwards; if that fails, it is not repeated.
 */
@Injectable()
export class SuspensionNotices {
  private readonly logger = new Logger('destinations');

  constructor(
    private readonly dataSource: DataSource,
    private readonly unitOfWork: UnitOfWork,
    private readonly settings: DeliverySettings,
    @Inject(ENV) private readonly env: Env,
  ) {}

  /** Sends the notices that are due in the whole installation. Never throws: the next interval tries again. */
  async sendDue(): Promise<void> {
    try {
      const { rows } = await poolOf(this.dataSource).query<SuspendedRow>(
        `select destination.organization_id, destination.id from destination
           join organization on organization.id = destination.organization_id and not maintenance and deleted_at is null
          where notice_due limit $1`,
        [NOTICES_MAX],
      );
      for (const { organization_id: organizationId, id } of rows) {
        // An error in one organization must not stop the notices of the others.
        await this.notify(organizationId, id).catch((error: unknown) => this.reportFailure(error));
      }
    } catch (error) {
      this.reportFailure(error);
    }
  }

  private reportFailure(error: unknown): void {
    this.logger.warn(`could not send notices: ${(error as { code?: string }).code ?? 'no code'}`);
  }

  private async notify(organizationId: OrganizationId, id: string): Promise<void> {
    const { result: notice } = await this.unitOfWork.run(recordSuspension(organizationId, id));
    if (notice === null) return;
    this.logger.warn(`the destination ${id} is suspended: ${notice.reason}`);
    const { STRATA_SMTP_URL: url, STRATA_SMTP_FROM: from } = this.env;
    if (notice.email === null || url === undefined || from === undefined) return;
    const isSent = await sendNotice(notice.email, notice, { mail: { url, from }, timeoutMs: this.settings.timeoutMs });
    if (!isSent) this.logger.warn(`could not send the notice about the destination ${id}`);
  }
}

/** Records the suspension. Returns null if another process has done so, or if the destination was enabled meanwhile. */
function recordSuspension(organizationId: OrganizationId, id: string): Command<Notice | null> {
  return {
    operation: 'destinations_suspend',
    caller: createSystemCaller(organizationId, { id: 'delivery', name: 'Delivery' }),
    run: async (context) => {
      const [notice] = await context.em.query<Notice[]>(
        `with due as (
           update destination set notice_due = false
            where organization_id = $1 and id = $2 and notice_due and state = 'suspended'
           returning id, name, state_reason, owner_id)
         select due.id, due.name, due.state_reason as reason,
                (select person.email from person join membership on membership.person_id = person.id
                  where membership.organization_id = $1 and person.id = due.owner_id) as email
           from due`,
        [organizationId, id],
      );
      if (!notice) return null;
      context.record(objectChange('update', 'Destination', notice));
      return notice;
    },
  };
}
