import { ROLES } from '@strata/domain';
import { z } from 'zod';
import { linkIn, linkOut, timeOut, uuidOut } from './fields.ts';
import { pageOf } from './page.ts';
import { choiceParameter, PageQuery, textParameter } from './query.ts';
import { Role } from './role.ts';

export const Membership = z
  .object({
    url: linkOut,
    id: uuidOut,
    user: linkOut,
    organization: linkOut,
    role: Role,
    created_at: timeOut,
    modified_at: timeOut.nullable(),
  })
  .meta({ id: 'Membership' });
export type Membership = z.infer<typeof Membership>;

export const MembershipPage = pageOf(Membership, 'PaginatedMembershipList');

export const MembershipCreate = z.object({ user: linkIn, role: Role }).meta({ id: 'MembershipCreate' });
export type MembershipCreate = z.infer<typeof MembershipCreate>;

/** PUT. A membership belongs to its pair of person and organization for good; only the role changes. */
export const MembershipUpdate = z.object({ role: Role }).meta({ id: 'MembershipUpdate' });
export type MembershipUpdate = z.infer<typeof MembershipUpdate>;

export const MembershipPatch = MembershipUpdate.partial().meta({ id: 'PatchedMembership' });
export type MembershipPatch = z.infer<typeof MembershipPatch>;

export const MembershipListQuery = PageQuery.extend({
  role: choiceParameter(ROLES, 'Only members of this role.'),
  user: textParameter('Only memberships of this user (id or link).'),
});
export type MembershipListQuery = z.infer<typeof MembershipListQuery>;
