import type { OrderBy } from '@strata/contract';
import { compareNames, comparePrefixes, type VisibleParameter } from '@strata/domain';
import type { ParameterRecord } from './snapshot.ts';

const ORDERS: Readonly<Record<string, (left: ParameterRecord, right: ParameterRecord) => number>> = {
  name: (left, right) => compareNames(left.name, right.name),
  prefix: (left, right) => comparePrefixes(left.name, right.name),
  description: (left, right) => compareNames(left.description, right.description),
  created_at: (left, right) => compareText(left.created_at, right.created_at),
  modified_at: (left, right) => compareText(left.modified_at, right.modified_at),
  secret: (left, right) => Number(left.secret) - Number(right.secret),
  type: (left, right) => compareNames(left.type, right.type),
};

function compareText(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

/**
 * Sorts the parameters, by name unless the query says otherwise. The resolver has sorted them by name, and stable
 * sorting keeps that order for equal keys. Ignores unknown fields.
 */
export function sortVisible<Row extends VisibleParameter<ParameterRecord>>(
  matchingRows: readonly Row[],
  ordering: readonly OrderBy[] = [],
): readonly Row[] {
  const orders = ordering.flatMap(({ field, descending }) => {
    const compare = Object.hasOwn(ORDERS, field) ? ORDERS[field] : undefined;
    return compare ? [{ compare, sign: descending ? -1 : 1 }] : [];
  });
  if (orders.length === 0) return matchingRows;
  return [...matchingRows].sort((left, right) => {
    for (const { compare, sign } of orders) {
      const result = sign * compare(left.parameter, right.parameter);
      if (result !== 0) return result;
    }
    return 0;
  });
}
