import { Inject, Injectable } from '@nestjs/common';
import type { SignInPolicy, SignInPolicyUpdate } from '@strata/contract';
import { Failure, type OrganizationId, type UserId } from '@strata/domain';
import { filterProviders } from '@strata/issuers';
import type { EntityManager } from 'typeorm';
import type { Caller } from '../../platform/caller.ts';
import type { Env } from '../../platform/env.ts';
import type { Command } from '../../platform/ledger/command.ts';
import { objectChange } from '../../platform/ledger/object-change.ts';
import { SnapshotReader } from '../../platform/postgres/snapshot-reader.ts';
import { ENV } from '../../platform/tokens.ts';
import { userIdOfLink } from './people.ts';

/** Decides whether members of an organization must sign in with its identity provider. */
@Injectable()
export class SignInPolicies {
  constructor(
    private readonly snapshotReader: SnapshotReader,
    @Inject(ENV) private readonly env: Env,
  ) {}

  async read(caller: Caller, id: string, reader = this.snapshotReader): Promise<SignInPolicy> {
    assertOwn(caller, id);
    const [row] = await reader.query<{ break_glass_owner: UserId }>(
      `select membership.person_id as break_glass_owner
         from sso_only join membership on membership.organization_id = sso_only.organization_id and membership.id = sso_only.break_glass_owner
        where sso_only.organization_id = $1`,
      [caller.organizationId],
    );
    return {
      sso_only: row !== undefined,
      break_glass_owner: row?.break_glass_owner ?? null,
      providers: this.listProviders(caller.organizationId),
    };
  }

  change(caller: Caller, id: string, input: SignInPolicyUpdate): Command<SignInPolicy> {
    assertOwn(caller, id);
    return {
      operation: 'organizations_sign_in_update',
      caller,
      run: async ({ caller, em, record }) => {
        const reader = SnapshotReader.within(em);
        const row = await this.read(caller, id, reader);
        const { organizationId } = caller;
        if (input.sso_only) await this.require(em, organizationId, input.break_glass_owner);
        else await em.query('delete from sso_only where organization_id = $1', [organizationId]);
        const changedPolicy = await this.read(caller, id, reader);
        if (changedPolicy.sso_only === row.sso_only && changedPolicy.break_glass_owner === row.break_glass_owner)
          return row;
        const [organization] = await em.query<{ name: string }[]>('select name from organization where id = $1', [
          organizationId,
        ]);
        record(objectChange('update', 'Organization', { id: organizationId, name: organization?.name ?? '' }));
        return changedPolicy;
      },
    };
  }

  private async require(em: EntityManager, organizationId: OrganizationId, owner: string | null | undefined) {
    if (this.listProviders(organizationId).length === 0) {
      throw Failure.field(
        'no_provider',
        'sso_only',
        'This organization has no identity provider. Ask the operator to add one to STRATA_IDENTITY_PROVIDERS.',
      );
    }
    if (!owner) {
      throw Failure.field('required', 'break_glass_owner', 'Choose the owner who may still sign in with a password.');
    }
    const [storedPolicy] = await em.query<object[]>(
      `insert into sso_only (organization_id, break_glass_owner)
       select membership.organization_id, membership.id from membership join person on person.id = membership.person_id
        where membership.organization_id = $1 and person.id = $2 and membership.role = 'OWNER' and person.type = 'interactive'
          and person.password_hash is not null
       on conflict (organization_id) do update set break_glass_owner = excluded.break_glass_owner returning 1`,
      [organizationId, userIdOfLink(owner)],
    );
    if (storedPolicy) return;
    throw Failure.field('invalid', 'break_glass_owner', 'Choose an OWNER of this organization who has a password.');
  }

  private listProviders(organizationId: OrganizationId): SignInPolicy['providers'] {
    const providers = filterProviders(this.env.STRATA_IDENTITY_PROVIDERS, organizationId);
    return providers.map(({ id, name, domains }) => ({ id, name, domains: [...domains] }));
  }
}

/** Other organizations do not exist for a credential. */
function assertOwn({ organizationId }: Caller, id: string): void {
  if (id.toLowerCase() !== organizationId) throw Failure.notFound('Organization');
}

/** Throws if the member is the one whose password must work when the identity provider fails. */
export async function assertNotBreakGlassOwner(
  em: EntityManager,
  { organizationId }: Caller,
  membershipId: string,
): Promise<void> {
  const [exemptPerson] = await em.query<object[]>(
    'select 1 from sso_only where organization_id = $1 and break_glass_owner = $2',
    [organizationId, membershipId],
  );
  if (!exemptPerson) return;
  throw Failure.invalid(
    'break_glass_owner',
    'This member may sign in with a password if the identity provider fails. Choose another owner for that first.',
  );
}
