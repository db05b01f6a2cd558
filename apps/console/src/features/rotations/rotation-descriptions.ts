import type { ListedRotation, NewRotation } from '../../data/rotations.ts';

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

/** The systems whose credentials are replaced. */
export const ROTATORS: Readonly<Record<NewRotation['rotator'], { readonly label: string; readonly hint: string }>> = {
  postgresql: { label: 'PostgreSQL roles', hint: 'Two roles of a server alternate.' },
  aws_iam: { label: 'AWS access keys', hint: 'The access keys of one IAM user.' },
  command: { label: 'Command of the operator', hint: 'A program that the operator has installed.' },
};

/** The policies for instances that stop reporting before they have acknowledged the new credential. */
export const SILENT: Readonly<Record<ListedRotation['silent'], string>> = {
  wait: 'Wait for it',
  decide: 'Wait for it, and require a decision',
  revoke_after: 'Do not wait for it after some time',
};

/** Returns whether a rotation waits for a person. */
export const needsPerson = ({ state }: Pick<ListedRotation, 'state'>): boolean =>
  state === 'needs_decision' || state === 'stopped';

/** Returns the rotations that need a person first, then those that run. */
export function sortByUrgency<Row extends Pick<ListedRotation, 'state'>>(rows: readonly Row[]): readonly Row[] {
  const urgency = (row: Row) => (needsPerson(row) ? 0 : row.state === 'idle' ? 2 : 1);
  return [...rows].sort((left, right) => urgency(left) - urgency(right));
}
