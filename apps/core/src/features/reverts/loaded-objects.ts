import type { RevertContext, RevertedObject } from '@strata/domain';
import type { WriteContext } from '../../platform/ledger/command.ts';
import { ledgerIdsAt } from '../../platform/ledger/present-versions.ts';
import { SnapshotReader } from '../../platform/postgres/snapshot-reader.ts';
import type { Vault } from '../../platform/vault/vault.ts';
import { ObjectNameReader } from './object-names.ts';
import { readRevertContext } from './revert-context.ts';
import type { RevertSource } from './revert-sources.ts';
import type { RevertWrites } from './revert-writer.ts';
import { loadRows, type RevertRow, type RowsById, toObjectState } from './reverted-rows.ts';

/** The objects of a revert, in their state before the revert writes anything. */
export interface LoadedObjects extends Omit<RevertWrites, 'plan'> {
  readonly objects: readonly RevertedObject[];
  readonly context: RevertContext;
}

/** Loads the objects of a revert, and records them as the basis of its plan. */
export async function loadObjects(
  { caller, em }: WriteContext,
  vault: Vault,
  source: RevertSource,
): Promise<LoadedObjects> {
  const { organizationId, planRecorder } = caller;
  const { ids, shared } = source;
  const now = await loadRows(em, organizationId, 'now', ids);
  const before = await loadRows(em, organizationId, source.before, ids);
  const reader = SnapshotReader.within(em);
  const versions =
    source.after === null ? null : await ledgerIdsAt(reader, organizationId, source.after, [...ids.values()].flat());
  const open = await vault.opener(organizationId);
  const openText = ({ id, sealed, text = null }: RevertRow) => (sealed ? open('value.sealed', id, sealed) : text);
  const objects = [...ids].flatMap(([type, idsOfType]) =>
    idsOfType.map((id): RevertedObject => {
      const state = (rows: RowsById) => {
        const row = rows.get(id);
        return row ? toObjectState(type, row) : null;
      };
      const currentState = state(now);
      const version = versions?.get(id);
      const after = versions === null ? currentState : version === undefined ? null : { version };
      return { type, id, before: state(before), after, now: currentState, isShared: shared.has(id) };
    }),
  );
  for (const { id, before: state } of objects)
    for (const objectId of [id, ...(state?.needs ?? [])]) planRecorder.objects.add(objectId);
  const context = await readRevertContext(em, caller, objects, before, source);
  const names = await ObjectNameReader.of(em, organizationId, [...before.values(), ...now.values()]);
  return { at: source.before, objects, before, now, textOf: openText, context, names };
}
