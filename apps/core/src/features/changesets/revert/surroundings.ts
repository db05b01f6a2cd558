import type { ObjectToRevert, Surroundings } from '@strata/domain';
import type { EntityManager } from 'typeorm';
import type { RevertSource } from './revert-sources.ts';
import { holdersOf, idsBelow, idsThere, type RowsById, treesNow } from './reverted-rows.ts';

/** What the objects of a revert meet: a few statements, whatever their number. */
export async function surroundingsOf(
  em: EntityManager,
  organizationId: string,
  objects: readonly ObjectToRevert[],
  before: RowsById,
  { alongside, leftOut }: Pick<RevertSource, 'alongside' | 'leftOut'>,
): Promise<Surroundings> {
  const changed = objects.filter((object) => object.before?.content !== object.now?.content);
  const known = new Set(objects.map(({ id }) => id));
  const needs = changed.flatMap((object) => object.before?.needs ?? []).filter((id) => !known.has(id));
  const there = await idsThere(em, organizationId, [...new Set(needs)]);
  const wanted = changed.flatMap((object) => {
    const row = object.before && before.get(object.id);
    return row ? [{ type: object.type, row }] : [];
  });
  const byType = Map.groupBy(wanted, ({ type }) => type);
  const holders = await holdersOf(
    em,
    organizationId,
    new Map([...byType].map(([type, of]) => [type, of.map(({ row }) => row)])),
  );
  const below = await idsBelow(
    em,
    organizationId,
    changed.filter((object) => !object.before),
  );
  const isMoved = changed.some((object) => object.before && object.before.parentId !== (object.now?.parentId ?? null));
  const trees = isMoved ? await treesNow(em, organizationId) : new Map<string, string | null>();
  return {
    isThere: (id) => there.has(id),
    holderOf: (type, key) => holders.get(`${type} ${key}`) ?? null,
    below: (id) => (below.get(id) ?? []).filter((each) => !alongside.has(each)),
    isLeftOut: (id) => leftOut.has(id),
    parentOf: (_, id) => trees.get(id) ?? null,
  };
}
