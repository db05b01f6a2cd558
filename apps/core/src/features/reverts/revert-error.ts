import { REVERT_LIMITS } from '@strata/contract';
import {
  asSentence,
  canOnScope,
  type DetectedConflict,
  describeRevertConflict,
  pickDeclaredParams,
  type RevertPlan,
  RevertRejectedError,
  sentence,
} from '@strata/domain';
import type { EntityManager } from 'typeorm';
import type { Writer } from '../../platform/ledger/command.ts';
import { toChangeRow } from '../changesets/changesets.presenter.ts';
import type { LoadedObjects } from './loaded-objects.ts';
import { readTitles } from './object-names.ts';
import type { UnrevertedLocation, UnrevertedObject } from './revert-report.ts';
import type { RevertRow } from './reverted-rows.ts';
import { presentConflict } from './reverts.presenter.ts';
import type { ObjectErrors } from './written-objects.ts';

/** The entry for objects whose existence the caller may not know. */
export const HIDDEN: UnrevertedObject = {
  object: null,
  code: 'forbidden',
  detail: 'Everything it changed is in projects or environments that you cannot access. Ask one of their owners.',
};

/** The maximum number of objects in the message. The list in the response contains more of them. */
const NAMED_MAX = 5;

/** Describes the objects that were not reverted. Names other objects only if the caller may read them. */
export async function describeConflicts(
  em: EntityManager,
  caller: Writer,
  { objects, before, now, names }: LoadedObjects,
  plan: RevertPlan,
  errors: ObjectErrors,
): Promise<UnrevertedObject[]> {
  const conflicts = new Map(plan.conflicts.map((conflict) => [conflict.object.id, conflict]));
  const ids = plan.conflicts.flatMap(({ by }) => by ?? []);
  const titles = new Map((await readTitles(em, caller.organizationId, ids)).map((row) => [row.id, row]));
  const titleOfOther = ({ by: id }: DetectedConflict) => {
    if (id === null) return null;
    const title = titles.get(id);
    if (!title) return names.namedObject(id).name || null;
    const scopes = [title.project_id, title.environment_id];
    return scopes.every((scope) => scope === null || canOnScope(caller, 'read', scope)) ? title.title : null;
  };
  return objects.flatMap((object): UnrevertedObject[] => {
    const [error, conflict] = [errors.get(object.id), conflicts.get(object.id)];
    if (!error && !conflict) return [];
    const row = (before.get(object.id) ?? now.get(object.id)) as RevertRow;
    const { action: _, ...location } = toChangeRow(names.change('update', object.type, row, false));
    if (error) {
      const { code, message: detail, params } = error;
      return [{ object: location, code, detail, params: pickDeclaredParams(code, params) }];
    }
    if (!conflict) return [];
    const { message: detail, params } = describeRevertConflict(conflict, titleOfOther(conflict));
    return [{ object: location, code: conflict.code, detail, params }];
  });
}

/** Returns the error with all conflicts: 403 if all of them are missing permissions, and 409 otherwise. */
export function createRevertError(conflicts: readonly UnrevertedObject[]): RevertRejectedError {
  const isForbidden = conflicts.every(({ code }) => code === 'forbidden');
  const objects = asSentence(conflicts.length === 1 ? 'object' : 'objects');
  const number = conflicts.length === 1 ? asSentence('One') : sentence`${{ count: conflicts.length }}`;
  const namedConflicts = conflicts.slice(0, NAMED_MAX);
  const moreCount = conflicts.length - namedConflicts.length;
  const { message, params } =
    sentence`${number} ${objects} cannot be restored without a decision, so nothing was stored.`;
  const reasons = namedConflicts.map(({ object, detail }) => (object ? `${formatTitle(object)}: ${detail}` : detail));
  const text = {
    message: [message, ...reasons, ...(moreCount > 0 ? [`And ${moreCount} more.`] : [])].join(' '),
    params: {
      ...params,
      names: namedConflicts.flatMap(({ object }) => (object ? [formatTitle(object)] : [])),
      ...(moreCount > 0 && { more: moreCount }),
    },
  };
  const shownConflicts = conflicts.slice(0, REVERT_LIMITS.shown).map((conflict) => ({
    ...presentConflict(conflict),
    params: conflict.params ?? {},
  }));
  return isForbidden
    ? new RevertRejectedError('forbidden', 'forbidden', text, shownConflicts)
    : new RevertRejectedError('conflict', 'revert_conflicts', text, shownConflicts);
}

function formatTitle({
  object_type: type,
  object_name: name,
  project_name: project,
  environment_name: environment,
}: UnrevertedLocation): string {
  const locations = [
    ...(project !== null && type !== 'Project' ? [`of ${project}`] : []),
    ...(environment !== null && type !== 'Environment' ? [`in ${environment}`] : []),
  ];
  return [type, name, ...locations].join(' ');
}
