import { z } from 'zod';
import { linkOut, timeOut } from './fields.ts';
import { pageOf } from './page.ts';
import { choiceParameter, OpaquePageQuery } from './query.ts';

export const USER_TYPES = ['interactive', 'service'] as const;

export const User = z
  .object({
    url: linkOut,
    id: z.string().meta({ maxLength: 256 }),
    type: z.enum(USER_TYPES),
    name: z.string().nullable(),
    organization_name: z.string().nullable(),
    membership_id: z.string().nullable(),
    role: z.string().nullable(),
    email: z.string().nullable(),
    picture_url: z.string().nullable(),
    created_at: timeOut,
    modified_at: timeOut.nullable(),
  })
  .meta({ id: 'User' });
export type User = z.infer<typeof User>;

export const UserPage = pageOf(User, 'PaginatedUserList');

export const UserListQuery = OpaquePageQuery.extend({
  type: choiceParameter(USER_TYPES, 'Only people, or only service accounts.'),
});
export type UserListQuery = z.infer<typeof UserListQuery>;
