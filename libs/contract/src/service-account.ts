import { parseInstant } from '@strata/domain';
import { z } from 'zod';
import { freeText, LIMITS, linkOut, name, timeOut } from './fields.ts';
import { pageOf } from './page.ts';
import { OpaquePageQuery } from './query.ts';
import { Role } from './role.ts';
import { User } from './user.ts';

export const ApiKey = z
  .object({
    name: z.string().meta({ description: 'Its name.' }),
    prefix: z.string().meta({ description: 'Its first characters, by which it is known.' }),
    revoked: z.boolean().meta({ description: 'Whether it was taken back.' }),
    has_expired: z.boolean().meta({ description: 'Whether its time is over.' }),
    created: timeOut.meta({ description: 'When it was made.' }),
    expiry_date: timeOut.nullable().meta({ description: 'When its time is over; null for never.' }),
  })
  .meta({ id: 'ServiceAccountAPIKey', description: 'A key of a service account, without the key itself.' });
export type ApiKey = z.infer<typeof ApiKey>;

const shape = {
  url: linkOut.meta({ description: 'Its link.' }),
  id: z.string().meta({ description: 'Its id.' }),
  owner: z.string().nullable().meta({ description: 'Who answers for it.' }),
  user: User.meta({ description: 'The account as everybody sees it.' }),
  /** The user's; v1 demands it of the answer to PUT. */
  role: Role.meta({ description: 'What it may do.' }),
  description: z.string().meta({ description: 'What it is for; may be empty.' }),
  created_at: timeOut.meta({ description: 'When it was made.' }),
  modified_at: timeOut.nullable().meta({ description: 'When it was last changed.' }),
  last_used_at: timeOut.nullable().meta({ description: 'When its key was used last.' }),
  keys: z.array(ApiKey).optional().meta({ description: 'Its keys.' }),
};

export const ServiceAccount = z
  .object(shape)
  .meta({ id: 'ServiceAccount', description: 'A program with a key of its own.' });
export type ServiceAccount = z.infer<typeof ServiceAccount>;

export const ServiceAccountPage = pageOf(ServiceAccount, 'PaginatedServiceAccountList');

/** The answer to creation and to a new key. */
export const ServiceAccountCreated = z
  .object({ ...shape, apikey: z.string().meta({ description: 'The key. Shown once; only a hash of it is kept.' }) })
  .meta({ id: 'ServiceAccountCreateResponse', description: 'A service account with its key.' });
export type ServiceAccountCreated = z.infer<typeof ServiceAccountCreated>;

/** Until when a key is good. */
const expireAt = z
  .preprocess(
    (input) =>
      typeof input === 'string' && input !== '' ? (parseInstant(input) ?? { unreadable: input }) : input || null,
    z
      .string({ error: 'Enter a valid date and time, such as 2024-05-01T10:00:00Z.' })
      .meta({ format: 'date-time' })
      .nullable(),
  )
  .default(null);

export const ServiceAccountCreate = z
  .object({
    name: name(LIMITS.serviceAccountName).meta({ description: 'Its name.' }),
    description: freeText().default('').meta({ description: 'What it is for; may be empty.' }),
    role: z
      .preprocess((input) => input ?? undefined, Role.default('VIEWER'))
      .default('VIEWER')
      .meta({ description: 'What it may do; VIEWER when left out.' }),
    owner: freeText(LIMITS.owner).optional().meta({ description: 'Who answers for it.' }),
    expire_at: expireAt.meta({ description: 'When its key ends; null for never.' }),
  })
  .meta({ id: 'ServiceAccountCreateRequest' });
export type ServiceAccountCreate = z.infer<typeof ServiceAccountCreate>;

/** PUT and PATCH alike: nothing in it is required. */
export const ServiceAccountUpdate = z
  .object({
    description: freeText().optional().meta({ description: 'What it is for; may be empty.' }),
    owner: freeText(LIMITS.owner).optional().meta({ description: 'Who answers for it.' }),
  })
  .meta({ id: 'ServiceAccountUpdateRequest' });
export type ServiceAccountUpdate = z.infer<typeof ServiceAccountUpdate>;

export const ServiceAccountRekey = z
  .object({
    expire_at: expireAt.meta({ description: 'When the new key ends; null for never.' }),
  })
  .meta({ id: 'ServiceAccountRekeyRequest' });
export type ServiceAccountRekey = z.infer<typeof ServiceAccountRekey>;

export const ServiceAccountListQuery = OpaquePageQuery;
export type ServiceAccountListQuery = z.infer<typeof ServiceAccountListQuery>;
