import type { ParameterType, ParameterTypeRule } from '@strata/contract';
import type { Links } from '../../platform/http/links.ts';
import type { TypeRow, TypeRuleRow } from './types.reader.ts';

export function presentType(row: TypeRow, links: Links): ParameterType {
  return {
    url: links.type(row.id),
    id: row.id,
    ledger_id: row.ledger_id,
    name: row.name,
    description: row.description,
    rules: row.rules.map((rule) => presentTypeRule({ typeId: row.id, rule }, links)),
    parent: row.parent_id === null ? null : links.type(row.parent_id),
    parent_name: row.parent_name,
    created_at: row.created_at,
    modified_at: row.modified_at,
  };
}

export function presentTypeRule({ typeId, rule }: TypeRuleRow, links: Links): ParameterTypeRule {
  const { id, ledger_id, type, constraint, created_at, modified_at } = rule;
  const url = links.typeRule(typeId, id);
  return { url, id, ledger_id, parameter_type: links.type(typeId), type, constraint, created_at, modified_at };
}
