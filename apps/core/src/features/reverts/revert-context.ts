import type { RevertContext, RevertedObject } from '@strata/domain';
import type { EntityManager } from 'typeorm';
import type { Writer } from '../../platform/ledger/command.ts';
import { listIgnoredScopes } from '../../platform/ledger/forbidden-values.ts';
import type { RevertSource } from './revert-sources.ts';
import { idsBelow, type RowsById, readExistingIds, readKeyHolders, readParents } from './reverted-rows.ts';

/**
 * Reads what the plan of a revert depends on, besides the reverted objects. Runs a few statements, however many objects
 * there are.
 */
export async function readRevertContext(
  em: EntityManager,
  caller: Writer,
  objects: readonly RevertedObject[],
  before: RowsById,
  { alongside, leftOut }: Pick<RevertSource, 'alongside' | 'leftOut'>,
): Promise<RevertContext> {
  const { organizationId } = caller;
  const changedObjects = objects.filter((object) => object.before?.content !== object.now?.content);
  const objectIds = new Set(objects.map(({ id }) => id));
  const needs = changedObjects.flatMap((object) => object.before?.needs ?? []).filter((id) => !objectIds.has(id));
  const existingIds = await readExistingIds(em, organizationId, [...new Set(needs)]);
  const rowsToRestore = changedObjects.flatMap((object) => {
    const row = object.before && before.get(object.id);
    return row ? [{ type: object.type, row }] : [];
  });
  const byType = Map.groupBy(rowsToRestore, ({ type }) => type);
  const holders = await readKeyHolders(
    em,
    organizationId,
    new Map([...byType].map(([type, typeObjects]) => [type, typeObjects.map(({ row }) => row)])),
  );
  const idsByParent = await idsBelow(
    em,
    organizationId,
    changedObjects.filter((object) => !object.before),
  );
  const ignored = await ignoredValues(em, caller, [...idsByParent.values()].flat());
  const isMoved = changedObjects.some(
    (object) => object.before && object.before.parentId !== (object.now?.parentId ?? null),
  );
  const trees = isMoved ? await readParents(em, organizationId) : new Map<string, string | null>();
  return {
    isThere: (id) => existingIds.has(id),
    findHolder: (type, key) => holders.get(`${type} ${key}`) ?? null,
    below: (id) =>
      (idsByParent.get(id) ?? []).filter((dependentId) => !alongside.has(dependentId) && !ignored.has(dependentId)),
    isLeftOut: (id) => leftOut.has(id),
    findParent: (_, id) => trees.get(id) ?? null,
  };
}

/** Returns the values that a write ignores, because they are set in forbidden environments or projects. */
async function ignoredValues(em: EntityManager, caller: Writer, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const ignored = listIgnoredScopes(caller);
  if (ignored.length === 0 || ids.length === 0) return new Set();
  const rows = await em.query<{ id: string }[]>(
    `select value.id from value join parameter on parameter.organization_id = $1 and parameter.id = value.parameter_id
      where value.organization_id = $1 and value.id = any($2::uuid[])
        and (value.environment_id = any($3::uuid[]) or parameter.project_id = any($3::uuid[]))`,
    [caller.organizationId, ids, ignored],
  );
  if (rows.length > 0) caller.forbiddenValues?.ignoreUnnamed();
  return new Set(rows.map(({ id }) => id));
}
