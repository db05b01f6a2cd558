import { parseInstant } from '@strata/domain';
import { z } from 'zod';
import { freeText, LIMITS, linkOut, name, timeOut } from './fields.ts';
import { pageOf } from './page.ts';
import { OpaquePageQuery } from './query.ts';
import { Role } from './role.ts';
import { User } from './user.ts';

export const ApiKey = z
  .object({
    name: z.string(),
    prefix: z.string(),
    revoked: z.boolean(),
    has_expired: z.boolean(),
    created: timeOut,
    expiry_date: timeOut.nullable(),
  })
  .meta({ id: 'ServiceAccountAPIKey' });
export type ApiKey = z.infer<typeof ApiKey>;

const shape = {
  url: linkOut,
  id: z.string(),
  owner: z.string().nullable(),
  user: User,
  /** The user's; v1 demands it of the answer to PUT. */
  role: Role,
  description: z.string(),
  created_at: timeOut,
  modified_at: timeOut.nullable(),
  last_used_at: timeOut.nullable(),
  keys: z.array(ApiKey).optional(),
};

export const ServiceAccount = z.object(shape).meta({ id: 'ServiceAccount' });
export type ServiceAccount = z.infer<typeof ServiceAccount>;

export const ServiceAccountPage = pageOf(ServiceAccount, 'PaginatedServiceAccountList');

/** The answer to creation and to a new key. */
export const ServiceAccountCreated = z
  .object({ ...shape, apikey: z.string().meta({ description: 'Shown once; only a hash of it is kept.' }) })
  .meta({ id: 'ServiceAccountCreateResponse' });
export type ServiceAccountCreated = z.infer<typeof ServiceAccountCreated>;

export const ServiceAccountCreate = z
  .object({
    name: name(LIMITS.serviceAccountName),
    description: freeText().default(''),
    role: z.preprocess((input) => input ?? undefined, Role.default('VIEWER')).default('VIEWER'),
    owner: freeText(LIMITS.owner).optional(),
  })
  .meta({ id: 'ServiceAccountCreateRequest' });
export type ServiceAccountCreate = z.infer<typeof ServiceAccountCreate>;

/** PUT and PATCH alike: nothing in it is required. */
export const ServiceAccountUpdate = z
  .object({ description: freeText().optional(), owner: freeText(LIMITS.owner).optional() })
  .meta({ id: 'ServiceAccountUpdateRequest' });
export type ServiceAccountUpdate = z.infer<typeof ServiceAccountUpdate>;

export const ServiceAccountRekey = z
  .object({
    expire_at: z
      .preprocess(
        (input) =>
          typeof input === 'string' && input !== '' ? (parseInstant(input) ?? { unreadable: input }) : input || null,
        z
          .string({ error: 'Enter a valid date and time, such as 2024-05-01T10:00:00Z.' })
          .meta({ format: 'date-time' })
          .nullable(),
      )
      .default(null),
  })
  .meta({ id: 'ServiceAccountRekeyRequest' });
export type ServiceAccountRekey = z.infer<typeof ServiceAccountRekey>;

export const ServiceAccountListQuery = OpaquePageQuery;
export type ServiceAccountListQuery = z.infer<typeof ServiceAccountListQuery>;
