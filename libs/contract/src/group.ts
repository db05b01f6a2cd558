import { z } from 'zod';
import {
  freeTextField,
  identifiedObject,
  LIMITS,
  linkIn,
  linkOutput,
  nameField,
  timeOutput,
  toList,
} from './fields.ts';
import { pageSchema } from './page.ts';
import { PageQuery, textParameter } from './query.ts';
import { memberWithDefault, requiredMember, writeShapes } from './write-shapes.ts';

export const Group = z
  .object({
    ...identifiedObject,
    name: z.string().meta({ maxLength: LIMITS.groupName }).meta({ description: 'Unique in the organization.' }),
    description: z.string().meta({ description: 'Description; may be empty.' }),
    users: z.array(linkOutput).meta({ description: 'The members of the group.' }),
    created_at: timeOutput.meta({ description: 'When it was created.' }),
    modified_at: timeOutput.nullable().meta({ description: 'When it was last changed.' }),
  })
  .meta({ id: 'Group', description: 'A group of users that can receive grants.' });
export type Group = z.infer<typeof Group>;

export const GroupPage = pageSchema(Group, 'PaginatedGroupList');

/** Forms cannot send an empty list, so an empty text means an empty list. */
const users = z.preprocess(
  (input) => toList(input === '' ? [] : input),
  z.array(linkIn).max(LIMITS.membersPerGroup, { error: `At most ${LIMITS.membersPerGroup} users.` }),
);

const groupShapes = writeShapes(
  { create: 'GroupCreate', update: 'GroupUpdate', patch: 'PatchedGroup' },
  {
    name: requiredMember(nameField(LIMITS.groupName), 'Unique in the organization.'),
    description: memberWithDefault(freeTextField(), '', 'Description; may be empty.'),
    users: requiredMember(users, 'Ids of all members.'),
  },
);

export const GroupCreate = groupShapes.create;
export type GroupCreate = z.infer<typeof GroupCreate>;

/** PUT and PATCH replace the members of the group with `users`. */
export const GroupUpdate = groupShapes.update;
export const GroupPatch = groupShapes.patch;
export type GroupPatch = z.infer<typeof GroupPatch>;

export const GroupListQuery = PageQuery.extend({
  name: textParameter('Exact name.'),
  user: textParameter('Only groups that contain this user (id or URL).'),
});
export type GroupListQuery = z.infer<typeof GroupListQuery>;

export const GroupMemberQuery = z.object({ user: textParameter('The user (id or URL). Required.') });
export type GroupMemberQuery = z.infer<typeof GroupMemberQuery>;
