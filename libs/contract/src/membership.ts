import { z } from 'zod';
import { identifiedObject, linkIn, linkOutput, timeOutput } from './fields.ts';
import { pageSchema } from './page.ts';
import { choiceParameter, PageQuery, textParameter } from './query.ts';
import { Role } from './role.ts';
import { memberOnCreate, optionalMember, requiredMember, writeShapes } from './write-shapes.ts';

export const Membership = z
  .object({
    ...identifiedObject,
    user: linkOutput.meta({ description: 'The person or service account.' }),
    organization: linkOutput.meta({ description: 'The organization.' }),
    role: Role.meta({ description: 'The role.' }),
    reveals_secrets: z.boolean().meta({ description: 'Whether responses may show secrets in clear to the member.' }),
    only_projects: z.array(linkOutput).nullable().meta({
      description:
        'The projects that a service account is limited to, together with those that they depend on; null for no limit. Change it with the service account.',
    }),
    created_at: timeOutput.meta({ description: 'When it was created.' }),
    modified_at: timeOutput.nullable().meta({ description: 'When it was last changed.' }),
  })
  .meta({ id: 'Membership', description: 'The role of a user in the organization.' });
export type Membership = z.infer<typeof Membership>;

export const MembershipPage = pageSchema(Membership, 'PaginatedMembershipList');

const membershipShapes = writeShapes(
  { create: 'MembershipCreate', update: 'MembershipUpdate', patch: 'PatchedMembership' },
  {
    user: memberOnCreate(linkIn, 'The person.'),
    role: requiredMember(Role, 'The role.'),
    reveals_secrets: optionalMember(
      z.boolean(),
      'Whether responses may show secrets in clear to the member. Only a caller with this ability can give it. By default, a new member has the ability of the caller; a VIEWER only if `viewers_reveal_secrets` of the organization is true.',
    ),
  },
);

export const MembershipCreate = membershipShapes.create;
export type MembershipCreate = z.infer<typeof MembershipCreate>;

/** Only the role of a membership and its ability to reveal secrets can change. */
export const MembershipUpdate = membershipShapes.update;
export const MembershipPatch = membershipShapes.patch;
export type MembershipPatch = z.infer<typeof MembershipPatch>;

export const MembershipListQuery = PageQuery.extend({
  role: choiceParameter(Role, 'Only members with this role.'),
  user: textParameter('Only memberships of this user (id or URL).'),
});
export type MembershipListQuery = z.infer<typeof MembershipListQuery>;
