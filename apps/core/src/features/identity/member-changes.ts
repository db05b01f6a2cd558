import type { ChangeAction, OrganizationId, UserId } from '@strata/domain';
import type { WriteContext } from '../../platform/ledger/command.ts';
import { objectChange } from '../../platform/ledger/object-change.ts';
import type { MembershipRow } from './memberships.reader.ts';

/** Records a change of an invitation under its e-mail address. */
export function recordInvitation(
  { record }: WriteContext,
  action: ChangeAction,
  { id, email }: { readonly id: string; readonly email: string },
): void {
  record(objectChange(action, 'Invitation', { id, name: email }));
}

/** Withdraws the open invitations that a member has sent. */
export async function withdrawInvitations(
  context: WriteContext,
  organizationId: OrganizationId,
  inviter: UserId,
): Promise<void> {
  const [withdrawnInvitations] = await context.em.query<[{ id: string; email: string }[], number]>(
    'delete from invitation where organization_id = $1 and inviter_id = $2 returning id, email',
    [organizationId, inviter],
  );
  for (const invitation of withdrawnInvitations) recordInvitation(context, 'delete', invitation);
}

/** Records a change of a membership under the name of its person. */
export function recordMembership(
  { record }: WriteContext,
  action: ChangeAction,
  { id, person_name: name }: Pick<MembershipRow, 'id' | 'person_name'>,
): void {
  record(objectChange(action, 'Membership', { id, name }));
}
