import type { ChangeAction } from '@strata/domain';
import type { WriteContext } from '../../platform/ledger/command.ts';
import { objectChange } from '../../platform/ledger/object-change.ts';
import type { MembershipRow } from './memberships.reader.ts';

/** A membership is named after its person. */
export function recordMembership(
  { record }: WriteContext,
  action: ChangeAction,
  { id, person_name: name }: Pick<MembershipRow, 'id' | 'person_name'>,
): void {
  record(objectChange(action, 'Membership', { id, name }));
}
