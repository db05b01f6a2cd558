import type { ListedRotation } from '../../data/rotations.ts';

/** The states of rotations in one or two words. */
export const STATES: Readonly<Record<ListedRotation['state'], string>> = {
  idle: 'Idle',
  running: 'Running',
  waiting: 'Waiting',
  needs_decision: 'Needs a decision',
  stopped: 'Stopped',
  held: 'Held after a restore',
};

/** The stages of rotations. */
export const STAGES: Readonly<Record<ListedRotation['stage'], string>> = {
  idle: 'No rotation runs',
  creating: 'Creating a credential',
  publishing: 'Publishing the new credential',
  acknowledging: 'Waiting for programs to use the new credential',
  draining: 'Waiting until the previous credential is unused',
  revoking: 'Revoking the previous credential',
};

/** Returns whether a rotation waits for a person. */
export const needsPerson = ({ state }: Pick<ListedRotation, 'state'>): boolean =>
  state === 'needs_decision' || state === 'stopped';

/** Returns the rotations that need a person first, then those that run. */
export function sortByUrgency<Row extends Pick<ListedRotation, 'state'>>(rows: readonly Row[]): readonly Row[] {
  const urgency = (row: Row) => (needsPerson(row) ? 0 : row.state === 'idle' ? 2 : 1);
  return [...rows].sort((left, right) => urgency(left) - urgency(right));
}
