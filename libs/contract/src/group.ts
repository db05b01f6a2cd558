import { z } from 'zod';
import { freeText, LIMITS, linkIn, linkOut, name, timeOut, toList, uuidOut } from './fields.ts';
import { pageOf } from './page.ts';
import { PageQuery, textParameter } from './query.ts';

export const Group = z
  .object({
    url: linkOut.meta({ description: 'Its link.' }),
    id: uuidOut.meta({ description: 'Its id.' }),
    name: z.string().meta({ maxLength: LIMITS.groupName }).meta({ description: 'Unique in the organization.' }),
    description: z.string().meta({ description: 'What it is for; may be empty.' }),
    users: z.array(linkOut).meta({ description: 'Its members.' }),
    created_at: timeOut.meta({ description: 'When it was made.' }),
    modified_at: timeOut.nullable().meta({ description: 'When it was last changed.' }),
  })
  .meta({ id: 'Group', description: 'Users who are given rights together.' });
export type Group = z.infer<typeof Group>;

export const GroupPage = pageOf(Group, 'PaginatedGroupList');

/** A form cannot say "an empty list"; an empty text means it. */
const users = z.preprocess(
  (input) => toList(input === '' ? [] : input),
  z.array(linkIn).max(LIMITS.membersPerGroup, { error: `At most ${LIMITS.membersPerGroup} users.` }),
);

export const GroupCreate = z
  .object({
    name: name(LIMITS.groupName).meta({ description: 'Unique in the organization.' }),
    description: freeText().default('').meta({ description: 'What it is for; may be empty.' }),
    users: users.meta({ description: 'Ids of its members; the whole set.' }),
  })
  .meta({ id: 'GroupCreate' });
export type GroupCreate = z.infer<typeof GroupCreate>;

/** PUT. `users` replaces the whole set. */
export const GroupUpdate = z
  .object({
    name: name(LIMITS.groupName).meta({ description: 'Unique in the organization.' }),
    description: freeText().optional().meta({ description: 'What it is for; may be empty.' }),
    users: users.meta({ description: 'Ids of its members; the whole set.' }),
  })
  .meta({ id: 'GroupUpdate' });
export type GroupUpdate = z.infer<typeof GroupUpdate>;

export const GroupPatch = GroupUpdate.partial().meta({ id: 'PatchedGroup' });
export type GroupPatch = z.infer<typeof GroupPatch>;

export const GroupListQuery = PageQuery.extend({
  name: textParameter('Exactly this name.'),
  user: textParameter('Only groups of this user (id or link).'),
});
export type GroupListQuery = z.infer<typeof GroupListQuery>;

/** Whom to add or remove. */
export const GroupMemberQuery = z.object({ user: textParameter('The user (id or link). Required.') });
export type GroupMemberQuery = z.infer<typeof GroupMemberQuery>;
