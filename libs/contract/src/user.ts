import { z } from 'zod';
import { linkOut, timeOut } from './fields.ts';
import { pageOf } from './page.ts';
import { choiceParameter, OpaquePageQuery } from './query.ts';
import { vocabulary } from './vocabulary.ts';

export const USER_TYPES = ['interactive', 'service'] as const;
const UserKind = vocabulary(USER_TYPES, {
  name: 'UserKind',
  description: 'Who stands behind a credential.',
  meaning: (kind) => (kind === 'service' ? 'A service account with an API key.' : 'A person.'),
});

export const User = z
  .object({
    url: linkOut.meta({ description: 'Its link.' }),
    id: z.string().meta({ maxLength: 256 }).meta({ description: 'Its id.' }),
    type: UserKind.meta({ description: 'Whether this is a person.' }),
    name: z.string().nullable().meta({ description: 'Its name.' }),
    organization_name: z.string().nullable().meta({ description: 'Name of the organization it was looked at in.' }),
    membership_id: z.string().nullable().meta({ description: 'Id of its membership there.' }),
    role: z.string().nullable().meta({ description: 'What it may do there.' }),
    email: z.string().nullable().meta({ description: 'E-mail address; empty for service accounts.' }),
    picture_url: z.string().nullable().meta({ description: 'Link of a picture.' }),
    created_at: timeOut.meta({ description: 'When it was made.' }),
    modified_at: timeOut.nullable().meta({ description: 'When it was last changed.' }),
  })
  .meta({ id: 'User', description: 'A person or a service account.' });
export type User = z.infer<typeof User>;

export const UserPage = pageOf(User, 'PaginatedUserList');

export const UserListQuery = OpaquePageQuery.extend({
  type: choiceParameter(UserKind, 'Only people, or only service accounts.'),
});
export type UserListQuery = z.infer<typeof UserListQuery>;
