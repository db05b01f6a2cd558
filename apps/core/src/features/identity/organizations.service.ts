import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import type { OrganizationCreate, OrganizationPatch } from '@strata/contract';
import { Failure, type OrganizationId } from '@strata/domain';
import type { Caller } from '../../platform/caller.ts';
import type { Precondition } from '../../platform/http/request.ts';
import type { Command } from '../../platform/ledger/command.ts';
import { objectChange } from '../../platform/ledger/object-change.ts';
import { UnitOfWork } from '../../platform/ledger/unit-of-work.ts';
import { patternProblem } from '../../platform/patterns/patterns.ts';
import { SnapshotReader } from '../../platform/postgres/snapshot-reader.ts';
import { acrossOrganizations } from '../../platform/postgres/tenants.ts';
import { NewOrganizations } from './new-organization.ts';
import { type OrganizationRow, OrganizationsReader } from './organizations.reader.ts';
import { assertMayGiveReveal } from './people.ts';

@Injectable()
export class OrganizationsService {
  constructor(
    private readonly newOrganizations: NewOrganizations,
    private readonly unitOfWork: UnitOfWork,
    private readonly reader: OrganizationsReader,
  ) {}

  create(caller: Caller, { name, mfa_enabled: mfa }: OrganizationCreate): Promise<OrganizationId> {
    if (caller.type !== 'interactive') throw Failure.forbidden('Service accounts cannot create organizations.');
    assertMfaUnavailable(mfa);
    const id = randomUUID();
    return this.unitOfWork.once(caller, id, (em) =>
      acrossOrganizations(() => this.newOrganizations.create(em, id, name, caller)),
    );
  }

  /** Changes the organization that the caller's credential belongs to, and no other one. */
  change(
    caller: Caller,
    id: OrganizationId,
    input: OrganizationPatch,
    precondition: Precondition,
  ): Command<OrganizationRow> {
    return {
      operation: 'organizations_update',
      caller,
      run: async ({ caller, em, at, record }) => {
        const reader = SnapshotReader.within(em);
        const currentRow = await this.readOwn(reader, caller, id);
        await precondition(em, caller);
        assertMfaUnavailable(input.mfa_enabled);
        const name = input.name ?? currentRow.name;
        const pattern = input.project_name_pattern ?? currentRow.project_name_pattern;
        assertPattern(pattern);
        const notifications = input.notification_config ?? currentRow.notification_config;
        const {
          read_protection_minutes: minutes = currentRow.read_protection_minutes,
          viewers_reveal_secrets: viewersReveal = currentRow.viewers_reveal_secrets,
        } = input;
        const isSame =
          name === currentRow.name &&
          pattern === currentRow.project_name_pattern &&
          minutes === currentRow.read_protection_minutes &&
          viewersReveal === currentRow.viewers_reveal_secrets;
        if (isSame && isDeepStrictEqual(notifications, currentRow.notification_config)) return currentRow;
        assertMayGiveReveal(caller, viewersReveal, currentRow.viewers_reveal_secrets);
        await em.query(
          `update organization set name = $2, project_name_pattern = $3, notification_config = $4, modified_at = $5,
                  read_protection_minutes = $6, viewers_reveal_secrets = $7
          where id = $1`,
          [id, name, pattern, JSON.stringify(notifications), at, minutes, viewersReveal],
        );
        record(objectChange('update', 'Organization', { id, name }));
        return (await this.reader.readOne(caller, id, reader)).row;
      },
    };
  }

  /**
   * Ends all access to the organization: deletes every credential, membership, invitation and grant. The content stays
   * in the database without being reachable through Strata, until the operator of the installation deletes it.
   */
  remove(caller: Caller, id: OrganizationId, precondition: Precondition): Command<void> {
    return {
      operation: 'organizations_destroy',
      caller,
      isLong: true,
      run: async ({ caller, em, at, record }) => {
        const { name } = await this.readOwn(SnapshotReader.within(em), caller, id);
        await precondition(em, caller);
        await em.query('delete from webhook where organization_id = $1', [id]);
        await em.query('delete from destination where organization_id = $1', [id]);
        await em.query('delete from rotation where organization_id = $1', [id]);
        await em.query('delete from invitation where organization_id = $1', [id]);
        await em.query('delete from member_group where organization_id = $1', [id]);
        await em.query('delete from sso_only where organization_id = $1', [id]);
        await acrossOrganizations(() => em.query(REMOVE_MEMBERS, [id]));
        await em.query('update organization set deleted_at = $2, modified_at = $2 where id = $1', [id, at]);
        record(objectChange('delete', 'Organization', { id, name }));
      },
    };
  }

  private async readOwn(reader: SnapshotReader, caller: Caller, id: OrganizationId): Promise<OrganizationRow> {
    const { row } = await this.reader.readOne(caller, id, reader);
    if (id !== caller.organizationId) {
      throw Failure.forbidden('Your credential is for another organization. Exchange it at auth/token/ first.');
    }
    return row;
  }
}

/**
 * Removes all members. Service accounts and keys are deleted with their person. People who belong to no other
 * organization are deleted.
 */
const REMOVE_MEMBERS = `
with gone as (delete from membership where organization_id = $1 returning person_id)
delete from person using gone
 where person.id = gone.person_id
   and not exists (select from membership where membership.person_id = person.id and membership.organization_id <> $1)`;

function assertPattern(pattern: string): void {
  const problem = patternProblem(pattern);
  if (problem) throw Failure.field('invalid', 'project_name_pattern', problem);
}

function assertMfaUnavailable(isRequested: boolean | undefined): void {
  if (!isRequested) return;
  throw Failure.field(
    'not_supported_yet',
    'mfa_enabled',
    'The identity provider in STRATA_JWKS_URL manages the second factor. Omit this field.',
  );
}
