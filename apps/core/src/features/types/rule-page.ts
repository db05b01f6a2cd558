import type { RuleListQuery } from '@strata/contract';
import type { Revision } from '@strata/domain';
import { pageInMemory } from '../../platform/http/list-order.ts';
import type { PageResult } from '../../platform/postgres/snapshot-reader.ts';
import type { RuleRow } from './types.reader.ts';

const FIELDS = ['type', 'constraint', 'created_at', 'modified_at'] as const satisfies readonly (keyof RuleRow)[];

/**
 * Returns a page of rules. There is at most one rule per kind, so all rules are loaded with their owner and sorted in
 * memory.
 */
export function pageOfRules(rules: readonly RuleRow[], revision: Revision, query: RuleListQuery): PageResult<RuleRow> {
  const requestedRules = rules.filter(
    ({ id, type }) => (query.type === undefined || type === query.type) && (query.id__in?.includes(id) ?? true),
  );
  const orders = (query.ordering ?? []).flatMap(({ field, descending }) => {
    const sortField = FIELDS.find((name) => name === field);
    return sortField ? [{ field: sortField, sign: descending ? -1 : 1 }] : [];
  });
  const sortedRules = [...requestedRules].sort((left, right) => {
    for (const { field, sign } of [...orders, { field: 'type', sign: 1 } as const]) {
      if (left[field] !== right[field]) return left[field] < right[field] ? -sign : sign;
    }
    return 0;
  });
  return { revision, ...pageInMemory(sortedRules, query, ({ type, id }) => [type, id]) };
}
