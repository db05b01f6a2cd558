import { Inject, Injectable } from '@nestjs/common';
import { Failure, isUuid, type OrganizationId, type UserId } from '@strata/domain';
import { filterProviders } from '@strata/issuers';
import { DeniedRequestLog } from '../../platform/access-log/denied-request-log.ts';
import { permittedBySsoRuleSql } from '../../platform/auth/sso-rule.ts';
import type { Env } from '../../platform/env.ts';
import { lastSegment, unknownLinkError } from '../../platform/http/links.ts';
import { SnapshotReader } from '../../platform/postgres/snapshot-reader.ts';
import { acrossOrganizations } from '../../platform/postgres/tenants.ts';
import { ENV } from '../../platform/tokens.ts';

/** Chooses the organization of a sign-in: the requested one, or the one that the person joined first. */
@Injectable()
export class OrganizationChoice {
  constructor(
    private readonly reader: SnapshotReader,
    private readonly deniedRequests: DeniedRequestLog,
    @Inject(ENV) private readonly env: Env,
  ) {}

  /**
   * Throws if the person does not belong to the organization, and `sso_required` if it requires single sign-on. The
   * provider is the one that the person signed in with, if they did.
   */
  async of(personId: UserId, requestedOrganization?: string, provider: string | null = null): Promise<OrganizationId> {
    const id = requestedOrganization === undefined ? null : lastSegment(requestedOrganization).toLowerCase();
    if (id !== null && !isUuid(id)) throw unknownLinkError('organization', 'organizations');
    const signInProviders = this.env.STRATA_IDENTITY_PROVIDERS.filter((candidate) => candidate.id === provider)
      .flatMap(({ organizations }) => organizations)
      .map(({ organization }) => organization);
    const [row] = await acrossOrganizations(() =>
      this.reader.query<{ id: OrganizationId; is_permitted: boolean }>(
        `select membership.organization_id as id, ${permittedBySsoRuleSql('membership.organization_id = any($3::uuid[])')} as is_permitted
         from membership
        where membership.person_id = $1 and ($2::uuid is null or membership.organization_id = $2)
        order by is_permitted desc, membership.created_at, membership.organization_id limit 1`,
        [personId, id, signInProviders],
      ),
    );
    if (row?.is_permitted) return row.id;
    if (row) {
      this.deniedRequests.signIn({ account: { personId }, rule: 'sso_required', organizationId: row.id });
      throw this.ssoRequired(row.id);
    }
    if (id !== null) {
      this.deniedRequests.signIn({ account: { personId }, rule: 'membership_ended', organizationId: id });
      throw unknownLinkError('organization', 'organizations');
    }
    throw new Failure({
      kind: 'forbidden',
      code: 'no_organization',
      message: 'You do not belong to any organization.',
    });
  }

  private ssoRequired(organizationId: OrganizationId): Failure {
    const names = filterProviders(this.env.STRATA_IDENTITY_PROVIDERS, organizationId).map(({ name }) => name);
    const signInMethod =
      names.length === 0
        ? 'Ask the operator to configure its identity provider.'
        : `Sign in with ${names.join(' or ')}.`;
    return new Failure({
      kind: 'forbidden',
      code: 'sso_required',
      message: `This organization requires single sign-on. ${signInMethod}`,
      params: names.length === 0 ? {} : { names },
    });
  }
}
