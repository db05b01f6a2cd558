import { ParameterType, ParameterTypeRule } from '@strata/contract';
import type { Links } from '../../platform/http/links.ts';
import { shapeRow } from '../../platform/http/shape-row.ts';
import type { TypeRow, TypeRuleRow } from './types.reader.ts';

export function presentType(row: TypeRow, links: Links): ParameterType {
  return shapeRow(ParameterType, row, {
    url: links.type(row.id),
    rules: row.rules.map((rule) => presentTypeRule({ typeId: row.id, rule }, links)),
    parent: row.parent_id === null ? null : links.type(row.parent_id),
  });
}

export function presentTypeRule({ typeId, rule }: TypeRuleRow, links: Links): ParameterTypeRule {
  const url = links.typeRule(typeId, rule.id);
  return shapeRow(ParameterTypeRule, rule, { url, parameter_type: links.type(typeId) });
}
