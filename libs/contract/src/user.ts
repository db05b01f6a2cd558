import { z } from 'zod';
import { linkOutput, timeOutput } from './fields.ts';
import { pageSchema } from './page.ts';
import { choiceParameter, OpaquePageQuery } from './query.ts';
import { vocabulary } from './vocabulary.ts';

const USER_TYPES = ['interactive', 'service'] as const;
export const UserKind = vocabulary(USER_TYPES, {
  name: 'UserKind',
  description: 'The kind of user.',
  meaning: (kind) => (kind === 'service' ? 'A service account with an API key.' : 'A person.'),
});

export const User = z
  .object({
    url: linkOutput.meta({ description: 'URL of the object.' }),
    id: z.string().meta({ maxLength: 256 }).meta({ description: 'Id of the object.' }),
    type: UserKind.meta({ description: 'Whether this is a person.' }),
    name: z.string().nullable().meta({ description: 'Name of the object.' }),
    organization_name: z.string().nullable().meta({ description: 'Name of the current organization.' }),
    membership_id: z.string().nullable().meta({ description: 'Id of the membership in the current organization.' }),
    role: z.string().nullable().meta({ description: 'The role in the current organization.' }),
    reveals_secrets: z.boolean().nullable().meta({
      description:
        'Whether responses may show secrets in clear to the user, in the current organization; null for a former member.',
    }),
    email: z.string().nullable().meta({ description: 'E-mail address; empty for service accounts.' }),
    picture_url: z.string().nullable().meta({ description: 'URL of a picture.' }),
    created_at: timeOutput.meta({ description: 'When it was created.' }),
    modified_at: timeOutput.nullable().meta({ description: 'When it was last changed.' }),
  })
  .meta({ id: 'User', description: 'A person or a service account.' });
export type User = z.infer<typeof User>;

export const UserPage = pageSchema(User, 'PaginatedUserList');

export const UserListQuery = OpaquePageQuery.extend({
  type: choiceParameter(UserKind, '`interactive` returns only people, `service` only service accounts.'),
});
export type UserListQuery = z.infer<typeof UserListQuery>;
