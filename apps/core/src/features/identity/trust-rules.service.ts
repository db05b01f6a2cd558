import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { TrustRuleCreate } from '@strata/contract';
import {
  Failure,
  isRaisedAboveWorkloads,
  isWorkloadRole,
  type OrganizationId,
  type Role,
  sentence,
  TRUST_RULES_MAX,
  type UserId,
  validateTrustRule,
} from '@strata/domain';
import type { EntityManager } from 'typeorm';
import type { Caller } from '../../platform/caller.ts';
import type { Env } from '../../platform/env.ts';
import type { Command } from '../../platform/ledger/command.ts';
import { objectChange } from '../../platform/ledger/object-change.ts';
import { SnapshotReader } from '../../platform/postgres/snapshot-reader.ts';
import { ENV } from '../../platform/tokens.ts';
import { ServiceAccountsService, withName } from './service-accounts.service.ts';
import { type TrustRuleRow, TrustRulesReader } from './trust-rules.reader.ts';

/** Creates and deletes the trust rules of service accounts. The ledger records them as changes of the account. */
@Injectable()
export class TrustRulesService {
  constructor(
    private readonly reader: TrustRulesReader,
    private readonly accounts: ServiceAccountsService,
    @Inject(ENV) private readonly env: Env,
  ) {}

  create(caller: Caller, account: UserId, rule: TrustRuleCreate): Command<TrustRuleRow> {
    return {
      operation: 'serviceaccounts_trust_rules_create',
      caller,
      run: async (context) => {
        const { caller, em, at } = context;
        const currentRow = await this.accounts.managed(context, caller, account);
        const problems = validateTrustRule(rule, this.env.STRATA_WORKLOAD_ISSUERS);
        if (problems.length > 0) throw Failure.fields('invalid', problems);
        assertLowRole(currentRow.user.role);
        await assertBelowLimit(em, caller, account);
        const id = randomUUID();
        await em.query(
          `insert into trust_rule (organization_id, id, person_id, issuer, audience, subject, claims, created_at)
           values ($1, $2, $3, $4, $5, $6, $7, $8)`,
          [caller.organizationId, id, account, rule.issuer, rule.audience, rule.subject, rule.claims, at],
        );
        context.record(objectChange('update', 'ServiceAccount', withName(currentRow)));
        return this.reader.readOne(SnapshotReader.within(em), caller.organizationId, account, id);
      },
    };
  }

  /** Deletes a rule. The database deletes the sessions that it has started together with it. */
  remove(caller: Caller, account: UserId, id: string): Command<void> {
    return {
      operation: 'serviceaccounts_trust_rules_destroy',
      caller,
      run: async (context) => {
        const { caller, em } = context;
        const currentRow = await this.accounts.managed(context, caller, account);
        await this.reader.readOne(SnapshotReader.within(em), caller.organizationId, account, id);
        await em.query('delete from trust_rule where organization_id = $1 and id = $2', [caller.organizationId, id]);
        context.record(objectChange('update', 'ServiceAccount', withName(currentRow)));
      },
    };
  }
}

function assertLowRole(role: Role): void {
  if (isWorkloadRole(role)) return;
  throw Failure.field(
    'role_too_high',
    'non_field_errors',
    'Workloads never act as ADMIN or OWNER. Use a service account with the role CONTRIB or VIEWER.',
  );
}

/**
 * Rejects a role of a service account that its workloads would not get. Otherwise members could rely on rights that jobs
 * do not have, and rules written for a lower role would belong to an account with a higher one.
 */
export async function assertTrustRulesPermit(
  em: EntityManager,
  { organizationId }: Caller,
  account: { readonly person_id: UserId; readonly role: Role },
  role: Role,
): Promise<void> {
  if (!isRaisedAboveWorkloads(account.role, role) || !(await countRules(em, organizationId, account.person_id))) return;
  throw Failure.field(
    'role_too_high',
    'role',
    'This service account has trust rules, and workloads never act as ADMIN or OWNER. Delete its trust rules first, or use another service account.',
  );
}

async function countRules(em: EntityManager, organizationId: OrganizationId, account: UserId): Promise<number> {
  const rules = await em.query<object[]>('select 1 from trust_rule where organization_id = $1 and person_id = $2', [
    organizationId,
    account,
  ]);
  return rules.length;
}

async function assertBelowLimit(em: EntityManager, { organizationId }: Caller, account: UserId): Promise<void> {
  if ((await countRules(em, organizationId, account)) < TRUST_RULES_MAX) return;
  throw Failure.field(
    'too_many_trust_rules',
    'non_field_errors',
    sentence`A service account has at most ${{ limit: TRUST_RULES_MAX }} trust rules. Delete a rule, or use a pattern.`,
  );
}
