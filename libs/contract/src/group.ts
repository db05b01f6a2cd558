import { z } from 'zod';
import { freeText, LIMITS, linkIn, linkOut, name, timeOut, toList, uuidOut } from './fields.ts';
import { pageOf } from './page.ts';
import { PageQuery, textParameter } from './query.ts';

export const Group = z
  .object({
    url: linkOut.meta({ description: 'URL of the object.' }),
    id: uuidOut.meta({ description: 'Id of the object.' }),
    name: z.string().meta({ maxLength: LIMITS.groupName }).meta({ description: 'Unique in the organization.' }),
    description: z.string().meta({ description: 'Description; may be empty.' }),
    users: z.array(linkOut).meta({ description: 'The members of the group.' }),
    created_at: timeOut.meta({ description: 'When it was created.' }),
    modified_at: timeOut.nullable().meta({ description: 'When it was last changed.' }),
  })
  .meta({ id: 'Group', description: 'A group of users that can receive grants.' });
export type Group = z.infer<typeof Group>;

export const GroupPage = pageOf(Group, 'PaginatedGroupList');

/** Forms cannot send an empty list, so the empty text means an empty list. */
const users = z.preprocess(
  (input) => toList(input === '' ? [] : input),
  z.array(linkIn).max(LIMITS.membersPerGroup, { error: `At most ${LIMITS.membersPerGroup} users.` }),
);

export const GroupCreate = z
  .object({
    name: name(LIMITS.groupName).meta({ description: 'Unique in the organization.' }),
    description: freeText().default('').meta({ description: 'Description; may be empty.' }),
    users: users.meta({ description: 'Ids of all members.' }),
  })
  .meta({ id: 'GroupCreate' });
export type GroupCreate = z.infer<typeof GroupCreate>;

/** The body of PUT. `users` replaces all members. */
export const GroupUpdate = z
  .object({
    name: name(LIMITS.groupName).meta({ description: 'Unique in the organization.' }),
    description: freeText().optional().meta({ description: 'Description; may be empty.' }),
    users: users.meta({ description: 'Ids of all members.' }),
  })
  .meta({ id: 'GroupUpdate' });
export type GroupUpdate = z.infer<typeof GroupUpdate>;

export const GroupPatch = GroupUpdate.partial().meta({ id: 'PatchedGroup' });
export type GroupPatch = z.infer<typeof GroupPatch>;

export const GroupListQuery = PageQuery.extend({
  name: textParameter('Exact name.'),
  user: textParameter('Only groups that contain this user (id or URL).'),
});
export type GroupListQuery = z.infer<typeof GroupListQuery>;

export const GroupMemberQuery = z.object({ user: textParameter('The user (id or URL). Required.') });
export type GroupMemberQuery = z.infer<typeof GroupMemberQuery>;
