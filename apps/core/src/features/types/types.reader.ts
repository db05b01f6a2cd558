import { Injectable } from '@nestjs/common';
import type { ParameterTypeListQuery } from '@strata/contract';
import type { OrganizationId, RuleKind, Uuid } from '@strata/domain';
import { escapeLike, nameFilters } from '../../platform/http/filters.ts';
import { BY_DESCRIPTION, buildOrder, conditionAfter } from '../../platform/http/list-order.ts';
import { offsetWindow } from '../../platform/http/page.ts';
import { notFoundAtError } from '../../platform/http/points-in-time.ts';
import {
  type Condition,
  type Filter,
  type PageResult,
  type RowResult,
  SnapshotReader,
} from '../../platform/postgres/snapshot-reader.ts';
import {
  type PointInTime,
  rowsAt,
  selectedColumns,
  type VersionedRow,
  wireTimeSql,
} from '../../platform/postgres/versioned-table.ts';

/** A row of a rule, which belongs to a type or a parameter. */
export interface RuleRow {
  readonly id: Uuid;
  readonly ledger_id: string;
  readonly type: RuleKind;
  readonly constraint: string;
  readonly created_at: string;
  readonly modified_at: string;
}

export interface TypeRow extends VersionedRow<'parameter_type'> {
  readonly parent_name: string | null;
  /** The rules of the type itself, sorted by kind. */
  readonly rules: readonly RuleRow[];
}

/** The type of a rule, and the id of the rule. */
export interface TypeRuleKey {
  readonly typeId: Uuid;
  readonly id: Uuid;
}

/** A rule with its type. */
export interface TypeRuleRow {
  readonly typeId: Uuid;
  readonly rule: RuleRow;
}

const columns = (at: PointInTime) => `
  ${selectedColumns('parameter_type')},
  (select type.name from ${rowsAt('parameter_type', at)} type where type.id = object.parent_id) as parent_name,
  (select coalesce(json_agg(json_build_object(
            'id', rule.id, 'ledger_id', rule.ledger_id, 'type', rule.kind, 'constraint', rule.constraint_text,
            'created_at', ${wireTimeSql('rule.created_at')}, 'modified_at', ${wireTimeSql('rule.modified_at')}) order by rule.kind), '[]')
     from ${rowsAt('parameter_type_rule', at)} rule where rule.type_id = object.id) as rules`;

@Injectable()
export class TypesReader {
  constructor(private readonly snapshotReader: SnapshotReader) {}

  /**
   * Returns one page of types. Clients look up a type by a part of its name and use the first result, so exact matches
   * come first (behaviour.md §1.8).
   */
  page(organizationId: OrganizationId, query: ParameterTypeListQuery, at: PointInTime): Promise<PageResult<TypeRow>> {
    const { name__icontains: part } = query;
    const rankedFilters = part === undefined ? [] : [{ sql: 'lower(?) is not null', value: part }];
    const rank = part === undefined ? '' : `lower(object.name) = lower($${RANK_PARAMETER}) desc, `;
    return this.snapshotReader.page(
      { organizationId, at },
      {
        from: rowsAt('parameter_type', at),
        columns: columns(at),
        filters: [...rankedFilters, ...nameFilters(query), ...parentFilters(query, at)],
        order: `${rank}${buildOrder(query.ordering, BY_DESCRIPTION)}`,
        page: offsetWindow(query),
        after: part === undefined ? conditionAfter(query.after) : afterRanked(query.after),
      },
    );
  }

  /** Returns a type. Throws 404 if it does not exist or belongs to another organization. */
  readOne(
    organizationId: OrganizationId,
    id: Uuid,
    at: PointInTime,
    reader: SnapshotReader = this.snapshotReader,
  ): Promise<RowResult<TypeRow>> {
    return reader.retrieve(
      { organizationId, at },
      { from: rowsAt('parameter_type', at), columns: columns(at) },
      id,
      () => notFoundAtError('ParameterType', at),
    );
  }

  /** Returns a rule of a type. Throws 404 if the type does not exist or does not have the rule. */
  async rule(
    organizationId: OrganizationId,
    { typeId, id }: TypeRuleKey,
    at: PointInTime,
    reader?: SnapshotReader,
  ): Promise<RowResult<TypeRuleRow>> {
    const { row, revision } = await this.readOne(organizationId, typeId, at, reader);
    const rule = row.rules.find((candidate) => candidate.id === id);
    if (!rule) throw notFoundAtError('ParameterTypeRule', at);
    return { revision, row: { typeId, rule } };
  }
}

/**
 * The number of the SQL parameter for the first filter. The organization, the revision, the limit and the offset
 * precede it.
 */
const RANK_PARAMETER = 5;

/**
 * Returns the condition for the rows after a cursor. Exact matches come first: an exact name is followed by the
 * remaining exact ones, and these by all others.
 */
function afterRanked(after: ParameterTypeListQuery['after']): Condition | undefined {
  const byName = conditionAfter(after);
  if (after === undefined || after === 'start' || byName === undefined) return byName;
  const isExact = (name: string) => `lower(${name}) = lower($${RANK_PARAMETER})`;
  return (bind) => {
    const before = isExact(`${bind(after.key[0])}::text`);
    return `(${isExact('object.name')}) < (${before}) or ((${isExact('object.name')}) = (${before}) and (${byName(bind)}))`;
  };
}

function parentFilters(query: ParameterTypeListQuery, at: PointInTime): Filter[] {
  const parent = (condition: string) =>
    `exists (select from ${rowsAt('parameter_type', at)} type where type.id = object.parent_id and ${condition})`;
  const { parent__name: exactName, parent__name__iexact: caselessName, parent__name__icontains: part } = query;
  return [
    ...(exactName === undefined ? [] : [{ sql: parent('type.name = ?'), value: exactName }]),
    ...(caselessName === undefined ? [] : [{ sql: parent('lower(type.name) = lower(?)'), value: caselessName }]),
    ...(part === undefined ? [] : [{ sql: parent('type.name ilike ?'), value: `%${escapeLike(part)}%` }]),
  ];
}
