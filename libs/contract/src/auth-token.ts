import { z } from 'zod';
import { LIMITS, text } from './fields.ts';

/** Sign in with e-mail and password, or, already signed in, exchange for another organization. */
export const AuthTokenRequest = z
  .object({
    email: text({ max: LIMITS.email, blank: 'refused' }).optional(),
    password: text({ max: LIMITS.password, blank: 'refused' }).optional(),
    organization: text({ max: LIMITS.userId, blank: 'refused' }).optional(),
  })
  .meta({ id: 'AuthTokenRequest' });
export type AuthTokenRequest = z.infer<typeof AuthTokenRequest>;

export const AuthToken = z
  .object({
    access_token: z.string(),
    token_type: z.literal('Bearer'),
    expires_in: z.int().meta({ description: 'Seconds.' }),
    organization: z.string().meta({ description: 'Id of the organization the token is for.' }),
  })
  .meta({ id: 'AuthToken' });
export type AuthToken = z.infer<typeof AuthToken>;
