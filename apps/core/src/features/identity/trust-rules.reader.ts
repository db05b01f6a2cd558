import { Injectable } from '@nestjs/common';
import type { TrustRuleListQuery } from '@strata/contract';
import { Failure, type OrganizationId, type UserId, type WorkloadTrust } from '@strata/domain';
import { offsetWindow } from '../../platform/http/page.ts';
import { type PageResult, SnapshotReader } from '../../platform/postgres/snapshot-reader.ts';
import { wireTimeSql } from '../../platform/postgres/versioned-table.ts';
import { ServiceAccountsReader } from './service-accounts.reader.ts';

export interface TrustRuleRow extends WorkloadTrust {
  readonly id: string;
  readonly created_at: string;
  readonly last_used_at: string | null;
}

const RULES = '(select trust_rule.* from trust_rule where trust_rule.organization_id = $1)';

const COLUMNS = `object.id, object.issuer, object.audience, object.subject, object.claims, ${wireTimeSql('object.created_at')} as created_at,
  ${wireTimeSql('object.last_used_at')} as last_used_at`;

@Injectable()
export class TrustRulesReader {
  constructor(
    private readonly snapshotReader: SnapshotReader,
    private readonly accounts: ServiceAccountsReader,
  ) {}

  async page(
    organizationId: OrganizationId,
    account: UserId,
    query: TrustRuleListQuery,
  ): Promise<PageResult<TrustRuleRow>> {
    await this.accounts.readOne(organizationId, account);
    return this.snapshotReader.page(
      { organizationId, at: 'now' },
      {
        from: RULES,
        columns: COLUMNS,
        filters: [{ sql: 'object.person_id = ?', value: account }],
        order: 'object.created_at, object.id',
        page: offsetWindow(query),
      },
    );
  }

  async readOne(
    reader: SnapshotReader,
    organizationId: OrganizationId,
    account: UserId,
    id: string,
  ): Promise<TrustRuleRow> {
    const filters = [{ sql: 'object.person_id = ?', value: account }];
    const source = { from: RULES, columns: COLUMNS, filters };
    const notFoundError = () => Failure.notFound('TrustRule');
    return (await reader.retrieve<TrustRuleRow>({ organizationId, at: 'now' }, source, id, notFoundError)).row;
  }
}
