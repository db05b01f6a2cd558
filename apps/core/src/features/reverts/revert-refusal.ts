import { REVERT_LIMITS } from '@strata/contract';
import { RevertRefused } from '@strata/domain';
import type { UnrevertedObject, UnrevertedPlace } from './revert-report.ts';
import { presentConflict } from './reverts.presenter.ts';

/** What is not told. */
export const HIDDEN: UnrevertedObject = {
  object: null,
  code: 'forbidden',
  detail: 'All of it lies in projects or environments that you have no access to. Ask one of their owners.',
};

/** A sentence stays readable; the list beside it has all. */
const NAMED_MAX = 5;

/** 409 with all that stands against it, 403 where that is rights alone. */
export function refusalOf(conflicts: readonly UnrevertedObject[]): RevertRefused {
  const isRightsAlone = conflicts.every(({ code }) => code === 'forbidden');
  const count = conflicts.length === 1 ? 'One object' : `${conflicts.length} objects`;
  const unnamed = conflicts.length - NAMED_MAX;
  const reasons = conflicts
    .slice(0, NAMED_MAX)
    .map(({ object, detail }) => (object ? `${titleOf(object)}: ${detail}` : detail));
  const message = [
    `${count} cannot simply be what ${conflicts.length === 1 ? 'it was' : 'they were'}, so nothing was stored.`,
    ...reasons,
    ...(unnamed > 0 ? [`And ${unnamed} more.`] : []),
  ].join(' ');
  const shown = conflicts.slice(0, REVERT_LIMITS.shown).map(presentConflict);
  return isRightsAlone
    ? new RevertRefused('forbidden', 'forbidden', message, shown)
    : new RevertRefused('conflict', 'revert_conflicts', message, shown);
}

function titleOf({
  object_type: type,
  object_name: name,
  project_name: project,
  environment_name: environment,
}: UnrevertedPlace): string {
  const places = [
    ...(project !== null && type !== 'Project' ? [`of ${project}`] : []),
    ...(environment !== null && type !== 'Environment' ? [`in ${environment}`] : []),
  ];
  return [type, name, ...places].join(' ');
}
