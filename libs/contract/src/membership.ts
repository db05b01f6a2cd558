import { z } from 'zod';
import { linkIn, linkOut, timeOut, uuidOut } from './fields.ts';
import { pageOf } from './page.ts';
import { choiceParameter, PageQuery, textParameter } from './query.ts';
import { Role } from './role.ts';

export const Membership = z
  .object({
    url: linkOut.meta({ description: 'Its link.' }),
    id: uuidOut.meta({ description: 'Its id.' }),
    user: linkOut.meta({ description: 'The person or service account.' }),
    organization: linkOut.meta({ description: 'The organization.' }),
    role: Role.meta({ description: 'What they may do.' }),
    created_at: timeOut.meta({ description: 'When it was made.' }),
    modified_at: timeOut.nullable().meta({ description: 'When it was last changed.' }),
  })
  .meta({ id: 'Membership', description: 'What somebody may do in the organization.' });
export type Membership = z.infer<typeof Membership>;

export const MembershipPage = pageOf(Membership, 'PaginatedMembershipList');

export const MembershipCreate = z
  .object({ user: linkIn.meta({ description: 'The person.' }), role: Role.meta({ description: 'What they may do.' }) })
  .meta({ id: 'MembershipCreate' });
export type MembershipCreate = z.infer<typeof MembershipCreate>;

/** PUT. A membership belongs to its pair of person and organization for good; only the role changes. */
export const MembershipUpdate = z
  .object({ role: Role.meta({ description: 'What they may do.' }) })
  .meta({ id: 'MembershipUpdate' });
export type MembershipUpdate = z.infer<typeof MembershipUpdate>;

export const MembershipPatch = MembershipUpdate.partial().meta({ id: 'PatchedMembership' });
export type MembershipPatch = z.infer<typeof MembershipPatch>;

export const MembershipListQuery = PageQuery.extend({
  role: choiceParameter(Role, 'Only members of this role.'),
  user: textParameter('Only memberships of this user (id or link).'),
});
export type MembershipListQuery = z.infer<typeof MembershipListQuery>;
