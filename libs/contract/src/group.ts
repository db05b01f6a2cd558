import { z } from 'zod';
import { freeText, LIMITS, linkIn, linkOut, name, timeOut, toList, uuidOut } from './fields.ts';
import { pageOf } from './page.ts';
import { PageQuery, textParameter } from './query.ts';

export const Group = z
  .object({
    url: linkOut,
    id: uuidOut,
    name: z.string().meta({ maxLength: LIMITS.groupName }),
    description: z.string(),
    users: z.array(linkOut),
    created_at: timeOut,
    modified_at: timeOut.nullable(),
  })
  .meta({ id: 'Group' });
export type Group = z.infer<typeof Group>;

export const GroupPage = pageOf(Group, 'PaginatedGroupList');

/** A form cannot say "an empty list"; an empty text means it. */
const users = z.preprocess(
  (input) => toList(input === '' ? [] : input),
  z.array(linkIn).max(LIMITS.membersPerGroup, { error: `At most ${LIMITS.membersPerGroup} users.` }),
);

export const GroupCreate = z
  .object({ name: name(LIMITS.groupName), description: freeText().default(''), users })
  .meta({ id: 'GroupCreate' });
export type GroupCreate = z.infer<typeof GroupCreate>;

/** PUT. `users` replaces the whole set. */
export const GroupUpdate = z
  .object({ name: name(LIMITS.groupName), description: freeText().optional(), users })
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
